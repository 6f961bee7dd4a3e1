"""German. Pure."""

from __future__ import annotations

from bot.phrases.catalogue import Phrases

GERMAN = Phrases(
    looking="🔎 Ich sehe in den Dokumenten nach…",
    writing="✍️ Ich schreibe und prüfe jede Aussage…",
    checking="-# ⏳ wird geprüft: {text}",
    no_statement="In diesem Text steht keine Aussage, die sich prüfen lässt.",
    rechecked=(
        "🔁 Noch einmal geprüft: {supported} von {count} Aussagen sind durch die Dokumente belegt, wie sie jetzt sind."
    ),
    nothing_near="Keine Stelle der Dokumente kommt dem nahe.",
    withheld_head=("Diese Aussagen wurden entworfen und nicht veröffentlicht, weil die Dokumente sie nicht belegen:"),
    understood="-# verstanden als: {question}",
    nearest="-# am nächsten: {passage}",
    one_withheld="-# 1 Aussage wurde zurückgehalten: nicht belegt.",
    some_withheld="-# {count} Aussagen wurden zurückgehalten: nicht belegt.",
    on_page="{title}, Seite {page}",
    supported="belegt",
    contradicted="widerlegt",
    unsupported="nicht belegt",
    uncheckable="nicht prüfbar",
    file_coming="⏳ **{file}**: wird geholt…",
    file_queued="⏳ **{file}**: wartet, bis es an der Reihe ist",
    file_reading="⏳ **{file}**: wird gelesen",
    file_reading_page="⏳ **{file}**: wird gelesen, Seite {page} von {pages}",
    file_indexing="⏳ **{file}**: wird aufgenommen",
    file_embedding="⏳ **{file}**: wird aufgenommen, {percent} %; Fragen dazu sind schon möglich",
    card_read="📄 **{title}** ist gelesen: {pages}.",
    card_known="📄 **{title}** war schon da: {pages}.",
    card_more="-# …und {count} weitere: /documents info",
    ask_it="Frage hier danach.",
    ask_them="Frage hier nach ihnen.",
    no_documents="In diesem Kanal sind noch keine Dokumente: hänge ein PDF an.",
    shared_mark=", für den ganzen Server freigegeben",
    added="{pages}; hinzugefügt {when}",
    file_and_id="-# Datei {file}, ID {id}",
    brought_by="-# gebracht von {people}",
    copy_removed=(
        "Deine Kopie von {names} ist entfernt. Jemand anderes hat es auch gebracht, also kann es hier weiter "
        "gefragt werden."
    ),
    one_removed="🗑️ {names} ist von hier entfernt: Datei, Text, Index und Bilder.",
    some_removed="🗑️ {names} sind von hier entfernt: Dateien, Text, Index und Bilder.",
    shared_now="🌐 {name} kann jetzt in allen Kanälen gefragt werden.",
    shared_no_more="{name} ist nicht mehr für alle Kanäle freigegeben.",
    one_page="1 Seite",
    some_pages="{count} Seiten",
    unread="; nicht lesbar: {pages}",
    hint=(
        "Hänge ein PDF an, und ich lese es; dann frage mich danach, in seinem Thread oder indem du mich hier "
        "erwähnst. `/help` sagt mehr."
    ),
    lost=("⚠️ Ich wurde neu gestartet und konnte nicht herausfinden, was hier gefragt war. Bitte frage noch einmal."),
    file_gone="Diese Datei ist nicht mehr da: schicke sie noch einmal.",
    message_gone="Die Nachricht mit dieser Datei wurde gelöscht: schicke sie noch einmal.",
    link_ended=(
        "Discord gab mir keine Datei: ihr Link ist abgelaufen, oder sie wurde gelöscht. Schicke sie noch einmal."
    ),
    not_opened=("⚠️ Damit ging es nicht auf: die Karte der Datei sagt, warum. Das Passwort wurde nicht gespeichert."),
    opened="🔓 Es ist offen. Das Passwort wurde nicht gespeichert.",
    and_more=" und {count} weitere",
    reading_first="⏳ Ich lese es zuerst…",
    answer_in_thread="Die Antwort steht in seinem Thread.",
    card_says_why="⚠️ Die Karte der Datei sagt, warum nicht.",
    how_to_be_heard=(
        "Ich kann hier nur Nachrichten lesen, die mich erwähnen: erwähne mich mit deiner Frage, oder nimm "
        "`/ask`. Wer mich betreibt, kann *Message Content Intent* auf der Seite *Bot* in Discords "
        "Entwicklerportal einschalten und mich neu starten."
    ),
    forbidden=(
        "⚠️ Das darf ich hier nicht. Ich muss dürfen: {deeds}. Wer den Server verwaltet, kann es in den Einstellungen "
        "des Kanals erlauben."
    ),
    may_read_messages="den Kanal sehen",
    may_read_message_history="seinen Verlauf lesen",
    may_send_messages="Nachrichten senden",
    may_create_public_threads="Threads erstellen",
    may_send_messages_in_threads="in Threads schreiben",
    may_embed_links="Links einbetten",
    may_attach_files="Dateien anhängen",
    discord_trouble=(
        "⚠️ Discord hat gerade Schwierigkeiten. Ich versuche es von selbst noch einmal; kommt nichts, frage noch einmal."
    ),
    too_late="⚠️ Discord hat nicht länger auf mich gewartet, bevor ich antworten konnte. Bitte mach das noch einmal.",
    form_lost="⚠️ Ich wurde neu gestartet, während dieses Formular offen war. Bitte öffne es noch einmal.",
    broke=("⚠️ Bei mir ist etwas kaputtgegangen. Es ist festgehalten; bitte versuche es noch einmal."),
    proof="Beleg [{marker}], Seite {page}",
    passage_on_page="{number}: Seite {page}",
    page_shown="📄 **{title}**, Seite {page} von {pages}",
    page_described="Seite {page} von {title}. Darauf steht: {text}",
    nothing_read="nichts, was lesbar wäre.",
    lines_described="Die zitierten Zeilen der Seite {page} von {title}, hervorgehoben: {text}",
    previous_page="◀ Vorige Seite",
    next_page="Nächste Seite ▶",
    withheld_why="{count} zurückgehalten: warum?",
    recheck="Noch einmal prüfen",
    what_is_wrong="Was ist an dieser Antwort falsch?",
    your_reason="Dein Grund",
    reason_example="Zum Beispiel: falsche Seite, oder im Handbuch stehen auf Seite 7 30 Tage.",
    answer_forgotten=(
        "Von dieser Antwort ist nichts mehr gespeichert: sie wurde gelöscht, oder ihre Zeit ist um. Frage noch einmal."
    ),
    enter_key="Passwort eingeben",
    is_encrypted="Dieses PDF ist verschlüsselt",
    key_field="Passwort (einmal benutzt, nie gespeichert)",
    ask_about="Frage zu diesem PDF",
    your_question="Deine Frage",
    question_example="Wie viele Tage Urlaub gibt es?",
    no_pdf="Diese Nachricht hat kein PDF.",
    no_document_there="Mit dieser Nachricht kam kein Dokument dieses Kanals.",
    exported="Alles, was von dir gespeichert ist, außer den PDFs selbst, die dort stehen, wo du sie gepostet hast:",
    deletes=(
        "Das löscht die PDFs, die du gebracht hast, deine Fragen, Antworten und Meinungen, und was du für "
        "Messungen gegeben hast, auf allen Servern."
    ),
    delete_it_all="Alles löschen",
    own_name="Deutsch",
    help=(
        "**Pincite beantwortet Fragen zu PDFs und prüft jede Aussage, bevor es sie veröffentlicht.**\n"
        "📎 **Hänge ein PDF an**, wo ich zuhöre, oder erwähne mich damit: ich öffne einen Thread, sage, was "
        "ich lesen konnte und was nicht, und antworte dort. Jede Nachricht darin ist eine Frage; weitere "
        "PDFs können dazukommen.\n"
        "💬 **`/ask`** fragt die Dokumente dieses Kanals, eines davon, oder nur für dich. **`/search`** "
        "findet Stellen.\n"
        "🔎 Unter einer Antwort: **Beleg** zeigt die Seite mit den markierten Zeilen; **zurückgehalten** "
        "sagt, was ich nicht veröffentlicht habe und warum; 👍 👎 sagen mir, was du meinst; **Noch einmal "
        "prüfen** vergleicht mit den Dokumenten, wie sie jetzt sind.\n"
        "⚖️ **`/verify`**, oder *Apps → An den Dokumenten prüfen* an einer Nachricht: was jemand "
        "sagt, Aussage für Aussage.\n"
        "📄 **`/documents`** zeigt, ergänzt, erklärt, teilt und entfernt. Wer einen Kanal lesen kann, kann "
        "seine Dokumente fragen, sonst niemand. Lösche die Nachricht mit dem PDF oder seinen Thread, und das "
        "Dokument ist gelöscht.\n"
        "📏 **`/eval`** misst meine Antworten an den Dokumenten dieses Kanals, für den, der den Server "
        "verwaltet.\n"
        "🔐 **`/privacy`** sagt, was von dir gespeichert ist, gibt es dir und löscht es. ⚙️ **`/settings`** "
        "ist für den, der den Server verwaltet.\n"
        "-# Was als belegt gilt, hat ein Programm in den Dokumenten gefunden. Es kann sich irren: sieh dir "
        "den Beleg an."
    ),
    kept=(
        "**Was von dir gespeichert ist**, im Datenordner dessen, der diesen Bot betreibt:\n"
        "- die PDFs, die du gebracht hast, mit Text und Index, bis du, ein Moderator oder die Frist des "
        "Servers sie löscht;\n"
        "- deine Fragen und die Antworten, damit Nachfragen verstanden werden und Knöpfe funktionieren;\n"
        "- deine 👍, 👎 und Gründe;\n"
        "- Fragen, die du für Messungen gegeben hast, mit dem, was richtig ist, bis sie oder ihre Dokumente "
        "gelöscht werden.\n"
        "Nichts wird weitergegeben, es sei denn, der Betreiber hat ein Sprachmodell eingerichtet: dann gehen "
        "deine Frage und die gefundenen Stellen an dessen Server. Ein Passwort für ein PDF wird einmal "
        "benutzt und nicht gespeichert.\n"
        "`/privacy export` gibt dir alles davon außer den PDFs selbst, `/privacy delete` löscht alles davon."
    ),
    of_you=("-# von dir zurzeit: {uploads} PDFs, {questions} Fragen, {votes} Meinungen, {given} Fragen für Messungen"),
    forgotten=("🗑️ Alles, was von dir gespeichert war, ist gelöscht. Dokumente, die damit gingen: {names}."),
    none="keine",
    set_listening="👂 Ein PDF allein wird gelesen: {where}; sonst erwähne mich.",
    where_everywhere="in jedem Kanal, in dem ich Threads öffnen darf",
    where_chosen="in {channels}",
    no_channel="noch keinem Kanal",
    nowhere="nirgends",
    set_uploaders="📤 Dokumente ergänzen dürfen: {who}.",
    everyone="alle",
    moderators="Moderatoren",
    role_and_moderators="{role} und Moderatoren",
    set_retention="🗓️ Dokumente und Fragen bleiben {how_long}.",
    for_days="{days} Tage",
    until_deleted="bis jemand sie löscht",
    set_policy="⚖️ Von einer Antwort wird veröffentlicht: {what}.",
    policy_default="womit der Bot gestartet wurde",
    policy_strict="nur was die Dokumente belegen",
    policy_flag="alles, Unbelegtes gekennzeichnet",
    policy_quote="nur wörtliche Zitate",
    set_language="🗣️ Ich spreche {language}.",
    language_of_discord="wie es in Discord für diesen Server eingestellt ist",
    name_a_role="Nenne eine Rolle genau dann, wenn eine Rolle entscheidet, wer Dokumente ergänzen darf.",
    only_role_adds=("Hier ergänzen nur Mitglieder mit einer bestimmten Rolle Dokumente: bitte einen Moderator darum."),
    only_moderators_add="Hier ergänzen nur Moderatoren Dokumente: bitte einen darum.",
    only_who_brought=(
        "Nur wer „{title}“ gebracht hat, darf es entfernen, oder ein Moderator (mit der Berechtigung "
        "„Nachrichten verwalten“)."
    ),
    only_moderators_share="Nur Moderatoren, mit der Berechtigung „Nachrichten verwalten“, geben Dokumente frei.",
    no_text="Diese Nachricht hat keinen Text, der sich prüfen ließe.",
    message_not_there=(
        "Diese Nachricht gibt es nicht, oder du kannst ihren Kanal nicht lesen: kopiere stattdessen ihren Text."
    ),
    only_managers="Das darf nur, wer diesen Server verwaltet (die Berechtigung „Server verwalten“).",
    eval_begins="📏 Die Messung wird vorbereitet…",
    eval_one_at_a_time="Auf diesem Server läuft schon eine Messung: warte ihr Ende ab, oder halte sie an.",
    eval_never_began="⚠️ Ich wurde neu gestartet, bevor diese Messung begann. Starte sie noch einmal.",
    eval_running="📏 **{set}**: {done} von {total}\n`{bar}`\n-# Lauf {run}",
    eval_stop="Anhalten",
    eval_go_on="Fortsetzen",
    eval_footer="Lauf {run} · Striche und Klammern: 95-%-Intervalle",
    eval_state_running="⏳ Läuft: {done} von {total}.",
    eval_state_interrupted="⏸️ **Unterbrochen** nach {done} von {total}: diese Zahlen gelten nicht für alle Fragen.",
    eval_state_partial="⚠️ **Unvollständig**: {done} von {total} gefragt, {failed} gescheitert, {skipped} ausgelassen.",
    eval_state_empty="🚫 **Leer**: es ließ sich nichts messen.",
    eval_state_finished="✅ Fertig: alle {total} gefragt.",
    eval_absent="Dokumente der Fragen, die nicht in diesem Kanal sind: {names}.",
    eval_no_runs="In diesem Kanal wurde noch nichts gemessen: `/eval run`.",
    eval_since="**Seit Lauf {run}**",
    eval_nothing_worse="Keine Frage wurde schlechter beantwortet.",
    eval_significant="bedeutsam",
    eval_may_be_chance="vielleicht Zufall",
    eval_worse="schlechter:",
    eval_better="besser:",
    eval_no_such_set="Diese Fragen gibt es nicht: wähle {names}, oder schicke eine Datei.",
    eval_set_too_large="Diese Datei ist größer als ein Megabyte: schicke einen Teil davon.",
    eval_set_no_text="Diese Datei ist kein Text: erwartet wird JSON Lines in UTF-8.",
    own_none="In diesem Kanal wurde noch keine Frage gesammelt: 👎 unter einer Antwort bietet es an.",
    own_head="**Fragen, die in diesem Kanal gesammelt wurden**; `/eval run` stellt sie:",
    own_answer="Richtig ist: {answer}",
    own_pages="Es steht auf Seite {pages}.",
    own_unanswerable="Die Dokumente beantworten das nicht: richtig ist es, nicht zu antworten.",
    own_not_there="Diese Frage gibt es in diesem Kanal nicht: `/eval questions` zeigt alle.",
    own_removed="🗑️ Sie ist entfernt. Läufe, die sie gestellt haben, behalten ihre Zahlen.",
    thanks="Danke, das ist notiert. `/privacy` zeigt und löscht, was von dir gespeichert ist.",
    keep_offer=(
        "📏 Darf ich deine Frage behalten, um mich daran zu messen? Wer diesen Server verwaltet, kann sie mit `/eval` "
        "an die Dokumente dieses Kanals stellen. Gespeichert werden die Frage, was du im Formular schreibst, und deine "
        "Discord-ID, neben den Dokumenten; bis eines davon gelöscht wird, ein Verwalter sie entfernt, oder du selbst: "
        "`/privacy delete`."
    ),
    keep_button="Behalten und sagen, was richtig ist",
    keep_title="Was wäre richtig gewesen?",
    keep_answer="In den Worten des Dokuments",
    keep_answer_example="Zum Beispiel: 25 Tage. Beides leer lassen, wenn es keine Antwort gibt.",
    keep_page="Auf welcher Seite? (freiwillig)",
    keep_done="📏 Behalten, danke. `/privacy delete` löscht sie mit allem, was von dir gespeichert ist.",
    keep_not_yours="Nur wer eine Frage gestellt hat, darf sie geben; diese ist von jemand anderem oder vergessen.",
    keep_no_documents="Die Dokumente, die gefragt wurden, sind nicht mehr da: daran lässt sich nichts messen.",
    keep_no_page="{title} hat die Seiten 1 bis {pages}: nenne eine davon oder keine.",
)
