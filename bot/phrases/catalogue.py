"""Every phrase of the bot's own, by name: a language is one value of this. Pure.

What stands in braces is filled in where the phrase is used; a test holds all languages to the same ones.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phrases:
    """One language."""

    # ---- answers
    looking: str
    writing: str
    checking: str
    no_statement: str
    rechecked: str
    nothing_near: str
    withheld_head: str
    understood: str
    nearest: str
    one_withheld: str
    some_withheld: str
    on_page: str
    supported: str
    contradicted: str
    unsupported: str
    uncheckable: str

    # ---- documents
    file_coming: str
    file_queued: str
    file_reading: str
    file_reading_page: str
    file_indexing: str
    file_embedding: str
    card_read: str
    card_known: str
    card_more: str
    ask_it: str
    ask_them: str
    no_documents: str
    shared_mark: str
    added: str
    file_and_id: str
    brought_by: str
    copy_removed: str
    one_removed: str
    some_removed: str
    shared_now: str
    shared_no_more: str
    one_page: str
    some_pages: str
    unread: str

    # ---- conversation
    hint: str
    lost: str
    file_gone: str
    message_gone: str
    link_ended: str
    not_opened: str
    opened: str
    and_more: str
    reading_first: str
    answer_in_thread: str
    card_says_why: str
    how_to_be_heard: str

    # ---- faults
    forbidden: str
    may_read_messages: str
    may_read_message_history: str
    may_send_messages: str
    may_create_public_threads: str
    may_send_messages_in_threads: str
    may_embed_links: str
    may_attach_files: str
    discord_trouble: str
    too_late: str
    form_lost: str
    broke: str

    # ---- buttons and forms
    proof: str
    passage_on_page: str
    page_shown: str
    page_described: str
    nothing_read: str
    lines_described: str
    previous_page: str
    next_page: str
    withheld_why: str
    recheck: str
    what_is_wrong: str
    your_reason: str
    reason_example: str
    answer_forgotten: str
    enter_key: str
    is_encrypted: str
    key_field: str
    ask_about: str
    your_question: str
    question_example: str
    no_pdf: str
    no_document_there: str
    exported: str
    deletes: str
    delete_it_all: str

    # ---- the bot itself, and a server's settings
    own_name: str
    help: str
    kept: str
    of_you: str
    forgotten: str
    none: str
    set_listening: str
    where_everywhere: str
    where_chosen: str
    no_channel: str
    nowhere: str
    set_uploaders: str
    everyone: str
    moderators: str
    role_and_moderators: str
    set_retention: str
    for_days: str
    until_deleted: str
    set_policy: str
    policy_default: str
    policy_strict: str
    policy_flag: str
    policy_quote: str
    set_language: str
    language_of_discord: str
    name_a_role: str

    # ---- who may what
    only_role_adds: str
    only_moderators_add: str
    only_who_brought: str
    only_moderators_share: str
    no_text: str
    message_not_there: str

    # ---- evals
    only_managers: str
    eval_begins: str
    eval_one_at_a_time: str
    eval_never_began: str
    eval_running: str
    eval_stop: str
    eval_go_on: str
    eval_footer: str
    eval_state_running: str
    eval_state_interrupted: str
    eval_state_partial: str
    eval_state_empty: str
    eval_state_finished: str
    eval_absent: str
    eval_no_runs: str
    eval_since: str
    eval_nothing_worse: str
    eval_significant: str
    eval_may_be_chance: str
    eval_worse: str
    eval_better: str
    eval_no_such_set: str
    eval_set_too_large: str
    eval_set_no_text: str

    # ---- a channel's own questions
    own_none: str
    own_head: str
    own_answer: str
    own_pages: str
    own_unanswerable: str
    own_not_there: str
    own_removed: str

    # ---- keeping a question
    thanks: str
    keep_offer: str
    keep_button: str
    keep_title: str
    keep_answer: str
    keep_answer_example: str
    keep_page: str
    keep_done: str
    keep_not_yours: str
    keep_no_documents: str
    keep_no_page: str
