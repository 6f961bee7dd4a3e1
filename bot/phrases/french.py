"""French. Pure."""

from __future__ import annotations

from bot.phrases.catalogue import Phrases

FRENCH = Phrases(
    looking="🔎 Je cherche dans les documents…",
    writing="✍️ J'écris et je vérifie chaque affirmation…",
    checking="-# ⏳ en cours de vérification : {text}",
    no_statement="Ce texte ne contient aucune affirmation à vérifier.",
    rechecked=(
        "🔁 Nouvelle vérification : {supported} affirmations sur {count} sont étayées par les documents dans leur état "
        "actuel."
    ),
    nothing_near="Aucun passage des documents ne s'en approche.",
    withheld_head="Ces affirmations ont été rédigées mais pas publiées, car les documents ne les étayent pas :",
    understood="-# compris comme : {question}",
    nearest="-# au plus près : {passage}",
    one_withheld="-# 1 affirmation a été écartée : non étayée.",
    some_withheld="-# {count} affirmations ont été écartées : non étayées.",
    on_page="{title}, page {page}",
    supported="étayé",
    contradicted="contredit",
    unsupported="non étayé",
    uncheckable="invérifiable",
    file_coming="⏳ **{file}** : récupération…",
    file_queued="⏳ **{file}** : en attente de son tour",
    file_reading="⏳ **{file}** : lecture",
    file_reading_page="⏳ **{file}** : lecture, page {page} sur {pages}",
    file_indexing="⏳ **{file}** : enregistrement",
    file_embedding="⏳ **{file}** : enregistrement, {percent} % ; tu peux déjà poser des questions",
    card_read="📄 **{title}** est lu : {pages}.",
    card_known="📄 **{title}** était déjà là : {pages}.",
    card_more="-# …et {count} autres : /documents info",
    ask_it="Pose tes questions ici.",
    ask_them="Pose ici tes questions sur ces documents.",
    no_documents="Il n'y a pas encore de document dans ce salon : joins un PDF.",
    shared_mark=", partagé avec tout le serveur",
    added="{pages} ; ajouté le {when}",
    file_and_id="-# fichier {file}, identifiant {id}",
    brought_by="-# apporté par {people}",
    copy_removed=(
        "Ta copie de {names} est retirée. Quelqu'un d'autre l'a apporté aussi, on peut donc toujours l'interroger ici."
    ),
    one_removed="🗑️ {names} est retiré d'ici : fichier, texte, index et images.",
    some_removed="🗑️ {names} sont retirés d'ici : fichiers, texte, index et images.",
    shared_now="🌐 {name} peut désormais être interrogé dans tous les salons.",
    shared_no_more="{name} n'est plus partagé entre les salons.",
    one_page="1 page",
    some_pages="{count} pages",
    unread=" ; pages illisibles : {pages}",
    hint=(
        "Joins un PDF et je le lis ; interroge-moi ensuite dans son fil, ou en me mentionnant ici. `/help` en dit plus."
    ),
    lost="⚠️ J'ai redémarré et je n'ai pas pu retrouver ta question. Pose-la encore une fois.",
    file_gone="Ce fichier n'est plus là : envoie-le de nouveau.",
    message_gone="Le message avec ce fichier a été supprimé : envoie-le de nouveau.",
    link_ended=("Discord ne m'a donné aucun fichier : son lien a expiré ou il a été supprimé. Envoie-le de nouveau."),
    not_opened="⚠️ Cela ne l'a pas ouvert : la carte du fichier dit pourquoi. Le mot de passe n'a pas été conservé.",
    opened="🔓 Il est ouvert. Le mot de passe n'a pas été conservé.",
    and_more=" et {count} de plus",
    reading_first="⏳ Je le lis d'abord…",
    answer_in_thread="La réponse est dans son fil.",
    card_says_why="⚠️ La carte du fichier dit pourquoi c'est impossible.",
    how_to_be_heard=(
        "Ici, je ne peux lire que les messages qui me mentionnent : mentionne-moi avec ta question, ou utilise `/ask`. "
        "La personne qui m'héberge peut activer *Message Content Intent* à la page *Bot* du portail des développeurs "
        "de Discord, puis me redémarrer."
    ),
    forbidden=(
        "⚠️ Je n'en ai pas le droit ici. Il me faut : {deeds}. Une personne qui gère le serveur peut l'autoriser dans "
        "les paramètres du salon."
    ),
    may_read_messages="voir le salon",
    may_read_message_history="lire son historique",
    may_send_messages="envoyer des messages",
    may_create_public_threads="créer des fils",
    may_send_messages_in_threads="écrire dans les fils",
    may_embed_links="intégrer des liens",
    may_attach_files="joindre des fichiers",
    discord_trouble=(
        "⚠️ Discord a des difficultés en ce moment. Je réessaie de moi-même ; si rien ne vient, repose ta question."
    ),
    too_late="⚠️ Discord a cessé de m'attendre avant que je puisse répondre. Refais-le, s'il te plaît.",
    form_lost="⚠️ J'ai été redémarré pendant que ce formulaire était ouvert. Ouvre-le de nouveau, s'il te plaît.",
    broke="⚠️ Quelque chose s'est cassé de mon côté. C'est consigné ; réessaie, s'il te plaît.",
    proof="Preuve [{marker}], page {page}",
    passage_on_page="{number} : page {page}",
    page_shown="📄 **{title}**, page {page} sur {pages}",
    page_described="Page {page} de {title}. On y lit : {text}",
    nothing_read="rien de lisible.",
    lines_described="Les lignes citées de la page {page} de {title}, surlignées : {text}",
    previous_page="◀ Page précédente",
    next_page="Page suivante ▶",
    withheld_why="Écartées : {count}. Pourquoi ?",
    recheck="Revérifier",
    what_is_wrong="Qu'est-ce qui ne va pas ?",
    your_reason="Ta raison",
    reason_example="Par exemple : mauvaise page, ou le manuel dit 30 jours à la page 7.",
    answer_forgotten=(
        "Il ne reste rien de cette réponse : elle a été supprimée, ou son temps est écoulé. Repose ta question."
    ),
    enter_key="Saisir le mot de passe",
    is_encrypted="Ce PDF est chiffré",
    key_field="Mot de passe (une seule fois, non conservé)",
    ask_about="Une question sur ce PDF",
    your_question="Ta question",
    question_example="Combien de jours de congé y a-t-il ?",
    no_pdf="Ce message n'a pas de PDF.",
    no_document_there="Aucun document de ce salon n'est venu avec ce message.",
    exported="Tout ce qui est conservé à ton sujet, sauf les PDF eux-mêmes, qui se trouvent là où tu les as postés :",
    deletes=(
        "Cela supprime les PDF que tu as apportés, tes questions, réponses et avis, et ce que tu as donné pour les "
        "mesures, sur tous les serveurs."
    ),
    delete_it_all="Tout supprimer",
    own_name="français",
    help=(
        "**Pincite répond aux questions sur des PDF et vérifie chaque affirmation avant de la publier.**\n"
        "📎 **Joins un PDF** dans un salon où j'écoute, ou mentionne-moi avec lui : j'ouvre un fil, je dis ce que j'ai "
        "pu lire ou non, et j'y réponds. Chaque message de ce fil est une question ; d'autres PDF peuvent s'y "
        "ajouter.\n"
        "💬 **`/ask`** interroge les documents de ce salon, un seul d'entre eux, ou pour toi seul. **`/search`** "
        "trouve des passages.\n"
        "🔎 Sous une réponse : **Preuve** montre la page avec ses lignes surlignées ; **écartées** dit ce que je n'ai "
        "pas publié et pourquoi ; 👍 👎 me donnent ton avis ; **Revérifier** la compare aux documents dans leur état "
        "actuel.\n"
        "⚖️ **`/verify`**, ou *Applications → Vérifier avec les documents* sur un message : ce que quelqu'un dit, "
        "affirmation par affirmation.\n"
        "📄 **`/documents`** liste, ajoute, décrit, partage et retire. Qui peut lire un salon peut interroger ses "
        "documents, et personne d'autre. Supprime le message d'un PDF, ou son fil, et le document est supprimé.\n"
        "📏 **`/eval`** mesure mes réponses sur les documents de ce salon, pour qui gère le serveur.\n"
        "🔐 **`/privacy`** dit ce qui est conservé à ton sujet, te le donne et le supprime. ⚙️ **`/settings`** est "
        "réservé à qui gère le serveur.\n"
        "-# Ce qui est marqué comme étayé a été trouvé dans les documents par un programme. Il peut se tromper : "
        "regarde la preuve."
    ),
    kept=(
        "**Ce qui est conservé à ton sujet**, dans le dossier de données de qui héberge ce bot :\n"
        "- les PDF que tu as apportés, avec leur texte et leur index, jusqu'à ce que toi, un modérateur ou la durée de "
        "conservation du serveur les supprime ;\n"
        "- tes questions et leurs réponses, pour comprendre les suivantes et faire marcher les boutons ;\n"
        "- tes 👍, tes 👎 et leurs raisons ;\n"
        "- les questions que tu as données pour les mesures, avec ce qui est juste selon toi, jusqu'à ce qu'elles ou "
        "leurs documents soient supprimés.\n"
        "Rien n'est envoyé ailleurs, sauf si qui héberge ce bot a configuré un modèle de langage : ta question et les "
        "passages trouvés vont alors à ce serveur. Le mot de passe d'un PDF sert une fois et n'est pas conservé.\n"
        "`/privacy export` te donne tout sauf les PDF eux-mêmes, `/privacy delete` supprime tout."
    ),
    of_you="-# de toi en ce moment : {uploads} PDF, {questions} questions, {votes} avis, {given} questions de mesure",
    forgotten="🗑️ Tout ce qui était conservé à ton sujet est supprimé. Documents partis avec : {names}.",
    none="aucun",
    set_listening="👂 Un PDF seul est lu {where} ; ailleurs, mentionne-moi.",
    where_everywhere="dans tous les salons où je peux ouvrir des fils",
    where_chosen="dans {channels}",
    no_channel="aucun salon pour l'instant",
    nowhere="nulle part",
    set_uploaders="📤 Peuvent ajouter des documents : {who}.",
    everyone="tout le monde",
    moderators="les modérateurs",
    role_and_moderators="{role} et les modérateurs",
    set_retention="🗓️ Les documents et les questions sont conservés {how_long}.",
    for_days="pendant {days} jours",
    until_deleted="jusqu'à ce que quelqu'un les supprime",
    set_policy="⚖️ D'une réponse est publié : {what}.",
    policy_default="ce avec quoi le bot a été lancé",
    policy_strict="seulement ce que les documents étayent",
    policy_flag="tout, ce qui n'est pas étayé étant signalé",
    policy_quote="seulement des citations littérales",
    set_language="🗣️ Je parle {language}.",
    language_of_discord="la langue réglée dans Discord pour ce serveur",
    name_a_role="Indique un rôle si, et seulement si, c'est un rôle qui décide qui peut ajouter des documents.",
    only_role_adds=(
        "Ici, seuls les membres qui ont un certain rôle ajoutent des documents : demande à un modérateur de l'ajouter."
    ),
    only_moderators_add="Ici, seuls les modérateurs ajoutent des documents : demande à l'un d'eux de l'ajouter.",
    only_who_brought=(
        "Seul qui a apporté « {title} » peut le retirer, ou un modérateur (avec la permission Gérer les messages)."
    ),
    only_moderators_share=("Seuls les modérateurs, qui ont la permission Gérer les messages, partagent des documents."),
    no_text="Ce message n'a pas de texte à vérifier.",
    message_not_there="Ce message n'existe pas, ou tu ne peux pas lire son salon : copie plutôt son texte.",
    only_managers="Seul qui gère ce serveur (la permission Gérer le serveur) peut faire cela.",
    eval_begins="📏 Je prépare la mesure…",
    eval_one_at_a_time="Une mesure est déjà en cours sur ce serveur : attends sa fin, ou arrête-la.",
    eval_never_began="⚠️ J'ai redémarré avant que cette mesure commence. Lance-la de nouveau.",
    eval_running="📏 **{set}** : {done} sur {total}\n`{bar}`\n-# mesure {run}",
    eval_stop="Arrêter",
    eval_go_on="Continuer",
    eval_footer="mesure {run} · barres et crochets : intervalles à 95 %",
    eval_state_running="⏳ En cours : {done} sur {total}.",
    eval_state_interrupted=(
        "⏸️ **Interrompue** après {done} sur {total} : ces chiffres ne portent pas sur toutes les questions."
    ),
    eval_state_partial="⚠️ **Partielle** : {done} sur {total} posées, {failed} en échec, {skipped} laissées de côté.",
    eval_state_empty="🚫 **Vide** : rien n'a pu être mesuré.",
    eval_state_finished="✅ Terminée : les {total} ont été posées.",
    eval_absent="Documents du jeu de questions qui ne sont pas dans ce salon : {names}.",
    eval_no_runs="Il n'y a pas encore de mesure dans ce salon : `/eval run`.",
    eval_since="**Depuis la mesure {run}**",
    eval_nothing_worse="Aucune question n'a reculé.",
    eval_significant="significatif",
    eval_may_be_chance="peut-être le hasard",
    eval_worse="en recul :",
    eval_better="en progrès :",
    eval_no_such_set="Ce jeu de questions n'existe pas : choisis parmi {names}, ou envoie un fichier.",
    eval_set_too_large="Ce fichier dépasse un mégaoctet : envoies-en une partie.",
    eval_set_no_text="Ce fichier n'est pas du texte : il faut du JSON Lines en UTF-8.",
    own_none="Aucune question n'a encore été recueillie dans ce salon : 👎 sous une réponse le propose.",
    own_head="**Questions recueillies dans ce salon**, que `/eval run` pose :",
    own_answer="Ce qui est juste : {answer}",
    own_pages="C'est à la page {pages}.",
    own_unanswerable="Les documents n'y répondent pas : il est juste de refuser.",
    own_not_there="Cette question n'est pas dans ce salon : `/eval questions` montre celles qui y sont.",
    own_removed="🗑️ Elle est retirée. Les mesures qui l'ont posée gardent leurs chiffres.",
    thanks="Merci, c'est noté. `/privacy` montre et supprime ce qui est conservé à ton sujet.",
    keep_offer=(
        "📏 Puis-je garder ta question pour me mesurer ? Qui gère ce serveur pourrait la poser avec `/eval` aux "
        "documents de ce salon. Sont conservés la question, ce que tu écris dans le formulaire et ton identifiant "
        "Discord, à côté des documents ; jusqu'à ce que l'un d'eux soit supprimé, qu'un gestionnaire la retire, ou "
        "toi : `/privacy delete`."
    ),
    keep_button="La garder, et dire ce qui est juste",
    keep_title="Qu'est-ce qui aurait été juste ?",
    keep_answer="Dans les mots du document",
    keep_answer_example="Par exemple : 25 jours. Laisse les deux vides s'il n'y a pas de réponse.",
    keep_page="À quelle page ? (facultatif)",
    keep_done="📏 Gardée, merci. `/privacy delete` la supprime avec tout ce qui est conservé à ton sujet.",
    keep_not_yours=("Seul qui a posé une question peut la donner, et celle-ci est de quelqu'un d'autre, ou oubliée."),
    keep_no_documents="Les documents interrogés ne sont plus là : il n'y a plus rien à mesurer.",
    keep_no_page="{title} a les pages 1 à {pages} : indique l'une d'elles, ou aucune.",
)
