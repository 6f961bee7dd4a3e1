"""English. Pure."""

from __future__ import annotations

from bot.phrases.catalogue import Phrases

ENGLISH = Phrases(
    looking="🔎 Looking in the documents…",
    writing="✍️ Writing, and checking each statement…",
    checking="-# ⏳ checking: {text}",
    no_statement="There is no statement in this text to check.",
    rechecked=("🔁 Checked again: {supported} of {count} statements are supported by the documents as they are now."),
    nothing_near="No passage of the documents is near to this.",
    withheld_head=("These statements were drafted and not published, because the documents do not support them:"),
    understood="-# understood as: {question}",
    nearest="-# nearest: {passage}",
    one_withheld="-# 1 statement was withheld: not supported.",
    some_withheld="-# {count} statements were withheld: not supported.",
    on_page="{title}, page {page}",
    supported="supported",
    contradicted="contradicted",
    unsupported="unsupported",
    uncheckable="uncheckable",
    file_coming="⏳ **{file}**: fetching it…",
    file_queued="⏳ **{file}**: waiting for its turn",
    file_reading="⏳ **{file}**: reading",
    file_reading_page="⏳ **{file}**: reading, page {page} of {pages}",
    file_indexing="⏳ **{file}**: taking it in",
    file_embedding="⏳ **{file}**: taking it in, {percent} %; it can be asked already",
    card_read="📄 **{title}** is read: {pages}.",
    card_known="📄 **{title}** was here already: {pages}.",
    card_more="-# …and {count} more: /documents info",
    ask_it="Ask about it here.",
    ask_them="Ask about them here.",
    no_documents="There are no documents in this channel yet: attach a PDF.",
    shared_mark=", shared with the whole server",
    added="{pages}; added {when}",
    file_and_id="-# file {file}, id {id}",
    brought_by="-# brought by {people}",
    copy_removed=("Your copy of {names} is removed. Somebody else brought it, too, so it can still be asked here."),
    one_removed="🗑️ {names} is removed from here: file, text, index and pictures.",
    some_removed="🗑️ {names} are removed from here: file, text, index and pictures.",
    shared_now="🌐 {name} can be asked in all channels now.",
    shared_no_more="{name} is no longer shared among channels.",
    one_page="1 page",
    some_pages="{count} pages",
    unread="; could not be read: {pages}",
    hint=(
        "Attach a PDF and I read it; then ask me about it, in its thread or by mentioning me here. `/help` says more."
    ),
    lost="⚠️ I was restarted and could not find out what was asked here. Please ask again.",
    file_gone="That file is not here any more: post it again.",
    message_gone="The message with that file was deleted: post it again.",
    link_ended="Discord gave me no file: its link has ended, or the file was deleted. Post it again.",
    not_opened="⚠️ That did not open it: the card of the file says why. The password was not kept.",
    opened="🔓 It is open. The password was not kept.",
    and_more=" and {count} more",
    reading_first="⏳ I read it first…",
    answer_in_thread="Its thread has the answer.",
    card_says_why="⚠️ The card of the file says why not.",
    how_to_be_heard=(
        "I cannot read messages here, only those that mention me: mention me with your question, or use "
        "`/ask`. Whoever runs me can switch on *Message Content Intent* on the page *Bot* of Discord's "
        "developer portal and start me again."
    ),
    forbidden=(
        "⚠️ I may not do that here. I need to: {deeds}. Somebody who manages the server can allow it in the settings of "
        "the channel."
    ),
    may_read_messages="see the channel",
    may_read_message_history="read its history",
    may_send_messages="send messages",
    may_create_public_threads="create threads",
    may_send_messages_in_threads="write in threads",
    may_embed_links="embed links",
    may_attach_files="attach files",
    discord_trouble="⚠️ Discord has trouble just now. I try again by myself; if nothing comes, ask again.",
    too_late="⚠️ Discord stopped waiting for me before I could answer. Please do that again.",
    form_lost="⚠️ I was restarted while this form was open. Please open it again.",
    broke="⚠️ Something broke on my side. It is logged; please try again.",
    proof="Proof [{marker}], page {page}",
    passage_on_page="{number}: page {page}",
    page_shown="📄 **{title}**, page {page} of {pages}",
    page_described="Page {page} of {title}. It says: {text}",
    nothing_read="nothing that can be read.",
    lines_described="The lines of page {page} of {title} that are cited, highlighted: {text}",
    previous_page="◀ Previous page",
    next_page="Next page ▶",
    withheld_why="{count} withheld: why?",
    recheck="Re-check",
    what_is_wrong="What is wrong with this answer?",
    your_reason="Your reason",
    reason_example="For instance: wrong page, or the handbook says 30 days on page 7.",
    answer_forgotten=("Nothing is kept of this answer any more: it was deleted, or its time is over. Ask again."),
    enter_key="Enter the password",
    is_encrypted="This PDF is encrypted",
    key_field="Password (used once, kept nowhere)",
    ask_about="Ask about this PDF",
    your_question="Your question",
    question_example="How many days of leave are there?",
    no_pdf="That message has no PDF.",
    no_document_there="No document of this channel came with that message.",
    exported="All that is kept of you, but for the PDFs themselves, which stand where you posted them:",
    deletes=(
        "This deletes the PDFs that you brought, your questions, answers and opinions, and what you gave to "
        "evals, in every server."
    ),
    delete_it_all="Delete it all",
    own_name="English",
    help=(
        "**Pincite answers questions about PDFs, and checks every statement before it publishes it.**\n"
        "📎 **Attach a PDF** in a channel where I listen, or mention me with it: I open a thread, say what I "
        "could and could not read, and answer there. Every message in that thread is a question; more PDFs "
        "may join it.\n"
        "💬 **`/ask`** asks this channel's documents, one of them, or just for you. **`/search`** finds "
        "passages.\n"
        "🔎 Under an answer: **Proof** shows the page with its lines highlighted; **withheld** says what I "
        "did not publish and why; 👍 👎 tell me what you think; **Re-check** checks it against the documents "
        "as they are now.\n"
        "⚖️ **`/verify`**, or *Apps → Check this against the documents* on a message: what somebody says, "
        "statement by statement.\n"
        "📄 **`/documents`** lists, adds, explains, shares and removes. Who can read a channel can ask its "
        "documents, nobody else. Delete the message with a PDF, or its thread, and the document is deleted.\n"
        "📏 **`/eval`** measures my answers on this channel's documents, for who manages the server.\n"
        "🔐 **`/privacy`** says what is kept of you, exports it and deletes it. ⚙️ **`/settings`** is for who "
        "manages the server.\n"
        "-# What is marked as supported was found in the documents by a program. It can be wrong: look at "
        "the proof."
    ),
    kept=(
        "**What is kept of you**, in the data folder of whoever runs this bot:\n"
        "- the PDFs that you brought, with their text and index, until you, a moderator or the server's "
        "retention deletes them;\n"
        "- your questions and their answers, so that follow-ups are understood and buttons work;\n"
        "- your 👍, 👎 and reasons;\n"
        "- questions that you gave to be measured by, with what you said is right, until they or their "
        "documents are deleted.\n"
        "Nothing is sent elsewhere, unless whoever runs this bot has set up a language model: then your "
        "question and the passages found for it go to that server. A password for a PDF is used once and not "
        "kept.\n"
        "`/privacy export` gives you all of it but the PDFs themselves, `/privacy delete` deletes all of it."
    ),
    of_you=("-# of you just now: {uploads} PDFs, {questions} questions, {votes} opinions, {given} questions for evals"),
    forgotten="🗑️ All that was kept of you is deleted. Documents that went with it: {names}.",
    none="none",
    set_listening="👂 A PDF alone is read {where}; elsewhere mention me.",
    where_everywhere="in every channel where I may open threads",
    where_chosen="in {channels}",
    no_channel="no channel yet",
    nowhere="nowhere",
    set_uploaders="📤 Documents are added by {who}.",
    everyone="everyone",
    moderators="moderators",
    role_and_moderators="{role} and moderators",
    set_retention="🗓️ Documents and questions are kept {how_long}.",
    for_days="for {days} days",
    until_deleted="until somebody deletes them",
    set_policy="⚖️ Published of an answer: {what}.",
    policy_default="what the bot was started with",
    policy_strict="only what the documents support",
    policy_flag="all of it, what is not supported marked",
    policy_quote="literal quotations alone",
    set_language="🗣️ I speak {language}.",
    language_of_discord="what this server's own settings in Discord say",
    name_a_role="Name a role exactly where a role decides who may add documents.",
    only_role_adds="Here only members with a certain role add documents: ask a moderator to add it.",
    only_moderators_add="Here only moderators add documents: ask one to add it.",
    only_who_brought=(
        "Only who brought “{title}” may remove it, or a moderator (who has the permission Manage Messages)."
    ),
    only_moderators_share="Only moderators, who have the permission Manage Messages, share documents.",
    no_text="That message has no text to check.",
    message_not_there="That message is not there, or you cannot read its channel: copy its text instead.",
    only_managers="Only who manages this server (the permission Manage Server) may do that.",
    eval_begins="📏 Getting ready to measure…",
    eval_one_at_a_time="A run is under way in this server already: wait for its end, or stop it.",
    eval_never_began="⚠️ I was restarted before this run began. Start it again.",
    eval_running="📏 **{set}**: {done} of {total}\n`{bar}`\n-# run {run}",
    eval_stop="Stop",
    eval_go_on="Go on",
    eval_footer="run {run} · whiskers and brackets: 95 % intervals",
    eval_state_running="⏳ Running: {done} of {total}.",
    eval_state_interrupted="⏸️ **Interrupted** after {done} of {total}: these figures are not of the whole set.",
    eval_state_partial="⚠️ **Partial**: {done} of {total} asked, {failed} of them failed, {skipped} left out.",
    eval_state_empty="🚫 **Empty**: nothing could be measured.",
    eval_state_finished="✅ Finished: all {total} asked.",
    eval_absent="Documents of the set that are not in this channel: {names}.",
    eval_no_runs="There are no runs in this channel yet: `/eval run`.",
    eval_since="**Since run {run}**",
    eval_nothing_worse="No question became worse.",
    eval_significant="significant",
    eval_may_be_chance="may be chance",
    eval_worse="worse:",
    eval_better="better:",
    eval_no_such_set="There is no such set: choose one of {names}, or send a file.",
    eval_set_too_large="That set is larger than a megabyte: send a part of it.",
    eval_set_no_text="That file is no text: a set is JSON Lines in UTF-8.",
    own_none="No question was gathered in this channel yet: 👎 under an answer offers to keep one.",
    own_head="**Questions that were gathered in this channel**, to be run by `/eval run`:",
    own_answer="Right is: {answer}",
    own_pages="It stands on page {pages}.",
    own_unanswerable="The documents do not answer it: right is a refusal.",
    own_not_there="There is no such question in this channel: `/eval questions` lists those that there are.",
    own_removed="🗑️ It is taken out. Runs that asked it keep their figures.",
    thanks="Thank you, that is noted. `/privacy` shows and deletes what is kept of you.",
    keep_offer=(
        "📏 May I keep your question to measure myself by? It would be run by who manages this server (`/eval`), on "
        "this channel's documents. Kept are the question, what you write in the form, and your Discord id, beside the "
        "documents; until one of them is deleted, a manager takes it out, or you do: `/privacy delete`."
    ),
    keep_button="Keep it, and say what is right",
    keep_title="What would have been right?",
    keep_answer="In the words of the document",
    keep_answer_example="For instance: 25 days. Leave both empty where there is no answer.",
    keep_page="On which page? (optional)",
    keep_done="📏 Kept. Thank you. `/privacy delete` deletes it with all else that is kept of you.",
    keep_not_yours="Only who asked a question may give it, and this one is somebody else's, or forgotten.",
    keep_no_documents="The documents that this was asked of are not here any more: there is nothing to measure it on.",
    keep_no_page="{title} has the pages 1 to {pages}: give one of these, or none.",
)
