// The TypeScript SDK's client against a Pincite server, over either transport:
//   node mcp_client.mjs stdio COMMAND ARGUMENT…      node mcp_client.mjs http URL
// Prints one JSON object: what it could do. Resolves the SDK from the working folder.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(pathToFileURL(process.cwd() + "/"));
const load = (path) => import(pathToFileURL(require.resolve(`@modelcontextprotocol/sdk/${path}`)));
const { Client } = await load("client/index.js");

const [kind, target, ...rest] = process.argv.slice(2);
const transport = await (async () => {
  if (kind === "http") {
    const { StreamableHTTPClientTransport } = await load("client/streamableHttp.js");
    return new StreamableHTTPClientTransport(new URL(target));
  }
  const { StdioClientTransport } = await load("client/stdio.js");
  return new StdioClientTransport({ command: target, args: rest, env: process.env, stderr: "inherit" });
})();

const client = new Client({ name: "pincite-check", version: "1" }, { capabilities: {} });
const patience = { timeout: 120_000 };
await client.connect(transport, patience);
const tools = (await client.listTools({}, patience)).tools.map((tool) => tool.name);
const prompts = (await client.listPrompts({}, patience)).prompts.map((prompt) => prompt.name);
const templates = (await client.listResourceTemplates({}, patience)).resourceTemplates.map((one) => one.uriTemplate);
// The client checks structured results against the output schemas that it was told.
const listed = await client.callTool({ name: "list_documents", arguments: {} }, undefined, patience);
const wrong = await client.callTool({ name: "get_page", arguments: { document: "nonesuch", page: 1 } }, undefined, patience);
const documents = await client.readResource({ uri: "pincite://documents" }, patience);
await client.close();
console.log(JSON.stringify({
  server: client.getServerVersion()?.name,
  tools,
  prompts,
  templates,
  total: listed.structuredContent.total,
  wrong: wrong.isError === true && wrong.content[0].text,
  resource: JSON.parse(documents.contents[0].text).total,
}));
