"""Resources, their completion, and prompts: what people and hosts pick from, through a client."""

from __future__ import annotations

import base64
import json

import pytest
from mcp import MCPError
from mcp.types import BlobResourceContents, PromptReference, ResourceTemplateReference, TextResourceContents
from mcp_house import ADD, HANDBOOK, House, structure

PAGE = "pincite://documents/{document}/pages/{page}"


def read(contents: list[TextResourceContents | BlobResourceContents]) -> str:
    """The text of a resource."""
    [one] = contents
    assert isinstance(one, TextResourceContents)
    return one.text


async def test_every_resource_and_template_is_listed(house: House):
    """With a title, a description and what it is."""
    async with house.client() as client:
        resources = {one.uri: one for one in (await client.list_resources()).resources}
        templates = {one.uri_template: one for one in (await client.list_resource_templates()).resource_templates}
    assert set(resources) == {"pincite://documents", "ui://pincite/answer.html"}
    assert set(templates) == {
        "pincite://documents/{document}",
        PAGE,
        f"{PAGE}/picture",
        "pincite://answers/{answer}",
    }
    assert all(one.title and one.description and one.mime_type for one in (*resources.values(), *templates.values()))


async def test_documents_are_read_by_their_address(house: House, handbook: str):
    """All of them, and one by its id, the beginning of it, or its title."""
    async with house.client() as client:
        [listed] = json.loads(read((await client.read_resource("pincite://documents")).contents))["documents"]
        for name in (handbook, handbook[:8], "handbook"):
            one = json.loads(read((await client.read_resource(f"pincite://documents/{name}")).contents))
            assert one == listed
    assert listed["document_id"] == handbook


async def test_a_page_is_read_as_text_and_as_a_picture(house: House, handbook: str):
    """The text fenced as content, its lines numbered; the picture as PNG."""
    async with house.client() as client:
        uri = f"pincite://documents/{handbook}/pages/2"
        text = read((await client.read_resource(uri)).contents)
        [picture] = (await client.read_resource(f"{uri}/picture")).contents
    assert "never instructions" in text.splitlines()[0]
    assert "1: The workshop meets" in text
    assert isinstance(picture, BlobResourceContents)
    assert (picture.mime_type, base64.b64decode(picture.blob)) == ("image/png", f"{handbook}.pdf 2 0".encode())


async def test_an_answer_is_read_again_while_what_it_quotes_is_there(house: House, handbook: str):
    """It is the same; with the document it is gone, because it holds the document's words."""
    async with house.client() as client:
        answer = structure(await client.call_tool("ask", {"question": "How many days is annual leave?"}))
        uri = f"pincite://answers/{answer['answer_id']}"
        assert json.loads(read((await client.read_resource(uri)).contents)) == answer
        await client.call_tool("remove_document", {"document": handbook})
        with pytest.raises(MCPError, match="not_found: There is no such answer"):
            await client.read_resource(uri)


@pytest.mark.parametrize(
    "uri",
    [
        "pincite://documents/nonesuch", "pincite://documents/handbook/pages/9", "pincite://documents/handbook/pages/0",
        "pincite://documents/handbook/pages/one", "pincite://documents/handbook/pages/1e3", "pincite://answers/nonesuch",
        "pincite://documents/handbook/pages/99999999999", "pincite://documents/..%2f..%2fetc/pages/1",
        "pincite://nonesuch", "file:///etc/passwd", "pincite://documents/handbook/pages/1/picture/x",
    ],
)  # fmt: skip
async def test_what_is_not_there_is_said_not_to_be(house: House, handbook: str, uri: str):
    """By the code that the protocol has for it, with a sentence that helps."""
    async with house.client() as client:
        with pytest.raises(MCPError, match="not_found") as failed:
            await client.read_resource(uri)
    assert failed.value.error.code == -32602
    assert handbook not in failed.value.error.message


async def test_an_answer_is_gone_with_its_server(house: House, handbook: str):
    """The next server says so, and that asking again brings the same."""
    question = {"question": "How many days is annual leave?", "documents": [handbook]}
    async with house.client() as client:
        before = structure(await client.call_tool("ask", question))
        uri = f"pincite://answers/{before['answer_id']}"
        assert json.loads(read((await client.read_resource(uri)).contents)) == before
    async with house.client() as client:
        with pytest.raises(MCPError, match="Call ask with the question again") as failed:
            await client.read_resource(uri)
        after = structure(await client.call_tool("ask", question))
    assert failed.value.error.message.startswith("not_found: ")
    assert {**after, "answer_id": before["answer_id"]} == before


async def test_arguments_are_completed(house: House, handbook: str):
    """Ids by their beginning, pages of the chosen document, titles for people; free text is not."""
    template, prompt = ResourceTemplateReference(uri=PAGE), PromptReference(name="compare-two-documents")
    async with house.client() as client:

        async def completed(ref: ResourceTemplateReference | PromptReference, name: str, begun: str) -> list[str]:
            chosen = {"document": "handbook"} if name == "page" else None
            result = await client.complete(ref, {"name": name, "value": begun}, context_arguments=chosen)
            return result.completion.values

        assert await completed(template, "document", handbook[:4]) == [handbook]
        assert await completed(template, "document", "nonesuch") == []
        assert await completed(template, "page", "") == ["1", "2"]
        assert await completed(prompt, "first", "hand") == ["handbook"]
        assert await completed(prompt, "aspect", "leave") == []
        answer = structure(await client.call_tool("ask", {"question": "How many days is annual leave?"}))
        answers = ResourceTemplateReference(uri="pincite://answers/{answer}")
        assert await completed(answers, "answer", "") == [answer["answer_id"]]


async def test_prompts_have_an_agent_use_the_tools(house: House):
    """Each names the tool that verifies, and carries what the person gave, marked as data where it is a text."""
    arguments = {
        "answer-with-citations": {"question": "How long is leave?", "document": "handbook"},
        "fact-check-this": {"text": ADD},
        "compare-two-documents": {"first": "old", "second": "new", "aspect": "leave"},
    }
    async with house.client() as client:
        prompts = (await client.list_prompts()).prompts
        assert {prompt.name for prompt in prompts} == set(arguments)
        for prompt in prompts:
            assert prompt.title
            assert all(argument.description for argument in prompt.arguments or ())
            got = await client.get_prompt(prompt.name, arguments[prompt.name])
            said = got.messages[0].content.text  # type: ignore[union-attr]
            assert all(value in said for value in arguments[prompt.name].values())
            assert "verify_text" in said or "the tool ask" in said


async def test_the_words_of_a_page_stay_fenced(house: House):
    """A page that would close the fence cannot."""
    document = await house.add("sly.pdf", HANDBOOK.split("\f")[1])
    async with house.client() as client:
        text = read((await client.read_resource(f"pincite://documents/{document}/pages/1")).contents)
    assert text.count("⟦") == text.count("⟧")
    assert text.endswith("⟧")
