"""Spanish. Pure."""

from __future__ import annotations

from bot.phrases.catalogue import Phrases

SPANISH = Phrases(
    looking="🔎 Busco en los documentos…",
    writing="✍️ Escribo y compruebo cada afirmación…",
    checking="-# ⏳ comprobando: {text}",
    no_statement="En este texto no hay ninguna afirmación que comprobar.",
    rechecked=(
        "🔁 Comprobado de nuevo: {supported} de {count} afirmaciones están respaldadas por los documentos tal como "
        "están ahora."
    ),
    nothing_near="Ningún pasaje de los documentos se le acerca.",
    withheld_head="Estas afirmaciones se redactaron y no se publicaron, porque los documentos no las respaldan:",
    understood="-# entendido como: {question}",
    nearest="-# lo más cercano: {passage}",
    one_withheld="-# Se retuvo 1 afirmación: sin respaldo.",
    some_withheld="-# Se retuvieron {count} afirmaciones: sin respaldo.",
    on_page="{title}, página {page}",
    supported="respaldado",
    contradicted="contradicho",
    unsupported="sin respaldo",
    uncheckable="no comprobable",
    file_coming="⏳ **{file}**: descargando…",
    file_queued="⏳ **{file}**: esperando su turno",
    file_reading="⏳ **{file}**: leyendo",
    file_reading_page="⏳ **{file}**: leyendo, página {page} de {pages}",
    file_indexing="⏳ **{file}**: incorporando",
    file_embedding="⏳ **{file}**: incorporando, {percent} %; ya se le puede preguntar",
    card_read="📄 **{title}** está leído: {pages}.",
    card_known="📄 **{title}** ya estaba aquí: {pages}.",
    card_more="-# …y {count} más: /documents info",
    ask_it="Pregunta aquí sobre él.",
    ask_them="Pregunta aquí sobre ellos.",
    no_documents="Todavía no hay documentos en este canal: adjunta un PDF.",
    shared_mark=", compartido con todo el servidor",
    added="{pages}; añadido el {when}",
    file_and_id="-# archivo {file}, id {id}",
    brought_by="-# traído por {people}",
    copy_removed=(
        "Tu copia de {names} se ha quitado. Otra persona también lo trajo, así que aquí se le puede seguir preguntando."
    ),
    one_removed="🗑️ {names} se ha quitado de aquí: archivo, texto, índice e imágenes.",
    some_removed="🗑️ {names} se han quitado de aquí: archivos, texto, índice e imágenes.",
    shared_now="🌐 Ahora se puede preguntar a {name} en todos los canales.",
    shared_no_more="{name} ya no se comparte entre canales.",
    one_page="1 página",
    some_pages="{count} páginas",
    unread="; no se pudo leer: {pages}",
    hint=("Adjunta un PDF y lo leo; luego pregúntame sobre él, en su hilo o mencionándome aquí. `/help` explica más."),
    lost="⚠️ Me reiniciaron y no pude averiguar qué se preguntó aquí. Pregunta de nuevo, por favor.",
    file_gone="Ese archivo ya no está aquí: envíalo de nuevo.",
    message_gone="El mensaje con ese archivo se borró: envíalo de nuevo.",
    link_ended="Discord no me dio ningún archivo: su enlace caducó o el archivo se borró. Envíalo de nuevo.",
    not_opened="⚠️ Eso no lo abrió: la ficha del archivo dice por qué. La contraseña no se guardó.",
    opened="🔓 Está abierto. La contraseña no se guardó.",
    and_more=" y {count} más",
    reading_first="⏳ Primero lo leo…",
    answer_in_thread="La respuesta está en su hilo.",
    card_says_why="⚠️ La ficha del archivo dice por qué no.",
    how_to_be_heard=(
        "Aquí solo puedo leer los mensajes que me mencionan: mencióname con tu pregunta o usa `/ask`. Quien me aloja "
        "puede activar *Message Content Intent* en la página *Bot* del portal de desarrolladores de Discord y "
        "reiniciarme."
    ),
    forbidden=(
        "⚠️ Aquí no tengo permiso. Necesito: {deeds}. Quien gestiona el servidor puede permitirlo en los ajustes "
        "del canal."
    ),
    may_read_messages="ver el canal",
    may_read_message_history="leer su historial",
    may_send_messages="enviar mensajes",
    may_create_public_threads="crear hilos",
    may_send_messages_in_threads="escribir en los hilos",
    may_embed_links="insertar enlaces",
    may_attach_files="adjuntar archivos",
    discord_trouble=(
        "⚠️ Discord tiene problemas en este momento. Lo intento de nuevo por mi cuenta; si no llega nada, pregunta otra "
        "vez."
    ),
    too_late="⚠️ Discord dejó de esperarme antes de que pudiera responder. Hazlo de nuevo, por favor.",
    form_lost="⚠️ Me reiniciaron mientras este formulario estaba abierto. Ábrelo de nuevo, por favor.",
    broke="⚠️ Algo falló por mi parte. Queda registrado; inténtalo de nuevo, por favor.",
    proof="Prueba [{marker}], página {page}",
    passage_on_page="{number}: página {page}",
    page_shown="📄 **{title}**, página {page} de {pages}",
    page_described="Página {page} de {title}. Dice: {text}",
    nothing_read="nada que se pueda leer.",
    lines_described="Las líneas citadas de la página {page} de {title}, resaltadas: {text}",
    previous_page="◀ Página anterior",
    next_page="Página siguiente ▶",
    withheld_why="Retenidas: {count}. ¿Por qué?",
    recheck="Comprobar de nuevo",
    what_is_wrong="¿Qué está mal en esta respuesta?",
    your_reason="Tu motivo",
    reason_example="Por ejemplo: página equivocada, o el manual dice 30 días en la página 7.",
    answer_forgotten="De esta respuesta ya no se guarda nada: se borró, o su plazo terminó. Pregunta de nuevo.",
    enter_key="Introducir la contraseña",
    is_encrypted="Este PDF está cifrado",
    key_field="Contraseña (se usa una vez, no se guarda)",
    ask_about="Preguntar sobre este PDF",
    your_question="Tu pregunta",
    question_example="¿Cuántos días de vacaciones hay?",
    no_pdf="Ese mensaje no tiene ningún PDF.",
    no_document_there="Ningún documento de este canal vino con ese mensaje.",
    exported="Todo lo que se guarda de ti, salvo los propios PDF, que están donde los publicaste:",
    deletes=(
        "Esto borra los PDF que trajiste, tus preguntas, respuestas y opiniones, y lo que diste para las mediciones, "
        "en todos los servidores."
    ),
    delete_it_all="Borrarlo todo",
    own_name="español",
    help=(
        "**Pincite responde preguntas sobre archivos PDF y comprueba cada afirmación antes de publicarla.**\n"
        "📎 **Adjunta un PDF** en un canal donde escucho, o mencióname con él: abro un hilo, digo qué pude leer y qué "
        "no, y respondo allí. Cada mensaje de ese hilo es una pregunta; se pueden sumar más PDF.\n"
        "💬 **`/ask`** pregunta a los documentos de este canal, a uno de ellos, o solo para ti. **`/search`** "
        "encuentra pasajes.\n"
        "🔎 Bajo una respuesta: **Prueba** muestra la página con sus líneas resaltadas; **retenidas** dice qué no "
        "publiqué y por qué; 👍 👎 me dicen qué opinas; **Comprobar de nuevo** la compara con los documentos tal como "
        "están ahora.\n"
        "⚖️ **`/verify`**, o *Aplicaciones → Comprobar con los documentos* en un mensaje: lo que alguien dice, "
        "afirmación por afirmación.\n"
        "📄 **`/documents`** lista, añade, describe, comparte y quita. Quien puede leer un canal puede preguntar a sus "
        "documentos, y nadie más. Borra el mensaje de un PDF, o su hilo, y el documento queda borrado.\n"
        "📏 **`/eval`** mide mis respuestas con los documentos de este canal, para quien gestiona el servidor.\n"
        "🔐 **`/privacy`** dice qué se guarda de ti, te lo da y lo borra. ⚙️ **`/settings`** es para quien gestiona el "
        "servidor.\n"
        "-# Lo que está marcado como respaldado lo encontró un programa en los documentos. Puede equivocarse: mira la "
        "prueba."
    ),
    kept=(
        "**Lo que se guarda de ti**, en la carpeta de datos de quien aloja este bot:\n"
        "- los PDF que trajiste, con su texto y su índice, hasta que tú, un moderador o el plazo del servidor los "
        "borre;\n"
        "- tus preguntas y sus respuestas, para entender las siguientes y para que los botones funcionen;\n"
        "- tus 👍, 👎 y motivos;\n"
        "- las preguntas que diste para las mediciones, con lo que según tú es correcto, hasta que ellas o sus "
        "documentos se borren.\n"
        "Nada se envía a otra parte, salvo que quien aloja este bot haya configurado un modelo de lenguaje: entonces "
        "tu pregunta y los pasajes encontrados van a ese servidor. La contraseña de un PDF se usa una vez y no se "
        "guarda.\n"
        "`/privacy export` te lo da todo menos los propios PDF, `/privacy delete` lo borra todo."
    ),
    of_you="-# de ti ahora mismo: {uploads} PDF, {questions} preguntas, {votes} opiniones, {given} para mediciones",
    forgotten="🗑️ Todo lo que se guardaba de ti está borrado. Documentos que se fueron con ello: {names}.",
    none="ninguno",
    set_listening="👂 Un PDF solo se lee {where}; en lo demás, mencióname.",
    where_everywhere="en todos los canales donde puedo abrir hilos",
    where_chosen="en {channels}",
    no_channel="ningún canal todavía",
    nowhere="en ninguna parte",
    set_uploaders="📤 Pueden añadir documentos: {who}.",
    everyone="todos",
    moderators="los moderadores",
    role_and_moderators="{role} y los moderadores",
    set_retention="🗓️ Los documentos y las preguntas se guardan {how_long}.",
    for_days="durante {days} días",
    until_deleted="hasta que alguien los borre",
    set_policy="⚖️ De una respuesta se publica: {what}.",
    policy_default="aquello con lo que se inició el bot",
    policy_strict="solo lo que los documentos respaldan",
    policy_flag="todo, con lo que no tiene respaldo señalado",
    policy_quote="solo citas literales",
    set_language="🗣️ Hablo {language}.",
    language_of_discord="el idioma ajustado en Discord para este servidor",
    name_a_role="Indica un rol si es un rol lo que decide quién puede añadir documentos, y solo entonces.",
    only_role_adds="Aquí solo añaden documentos los miembros con cierto rol: pide a un moderador que lo añada.",
    only_moderators_add="Aquí solo los moderadores añaden documentos: pide a uno que lo añada.",
    only_who_brought=("Solo quien trajo «{title}» puede quitarlo, o un moderador (con el permiso Gestionar mensajes)."),
    only_moderators_share="Solo los moderadores, con el permiso Gestionar mensajes, comparten documentos.",
    no_text="Ese mensaje no tiene texto que comprobar.",
    message_not_there="Ese mensaje no existe, o no puedes leer su canal: copia su texto en su lugar.",
    only_managers="Eso solo puede hacerlo quien gestiona este servidor (el permiso Gestionar servidor).",
    eval_begins="📏 Preparo la medición…",
    eval_one_at_a_time="Ya hay una medición en curso en este servidor: espera a que termine, o detenla.",
    eval_never_began="⚠️ Me reiniciaron antes de que empezara esta medición. Iníciala de nuevo.",
    eval_running="📏 **{set}**: {done} de {total}\n`{bar}`\n-# medición {run}",
    eval_stop="Detener",
    eval_go_on="Continuar",
    eval_footer="medición {run} · barras y corchetes: intervalos del 95 %",
    eval_state_running="⏳ En curso: {done} de {total}.",
    eval_state_interrupted=("⏸️ **Interrumpida** tras {done} de {total}: estas cifras no son de todas las preguntas."),
    eval_state_partial="⚠️ **Parcial**: {done} de {total} hechas, {failed} de ellas fallidas, {skipped} omitidas.",
    eval_state_empty="🚫 **Vacía**: no se pudo medir nada.",
    eval_state_finished="✅ Terminada: se hicieron las {total}.",
    eval_absent="Documentos de las preguntas que no están en este canal: {names}.",
    eval_no_runs="Todavía no hay mediciones en este canal: `/eval run`.",
    eval_since="**Desde la medición {run}**",
    eval_nothing_worse="Ninguna pregunta empeoró.",
    eval_significant="significativo",
    eval_may_be_chance="puede ser azar",
    eval_worse="peor:",
    eval_better="mejor:",
    eval_no_such_set="No hay tal conjunto de preguntas: elige entre {names}, o envía un archivo.",
    eval_set_too_large="Ese archivo pasa de un megabyte: envía una parte.",
    eval_set_no_text="Ese archivo no es texto: hace falta JSON Lines en UTF-8.",
    own_none="Todavía no se ha reunido ninguna pregunta en este canal: 👎 bajo una respuesta lo ofrece.",
    own_head="**Preguntas reunidas en este canal**, que `/eval run` hace:",
    own_answer="Lo correcto es: {answer}",
    own_pages="Está en la página {pages}.",
    own_unanswerable="Los documentos no la responden: lo correcto es no responder.",
    own_not_there="Esa pregunta no está en este canal: `/eval questions` muestra las que hay.",
    own_removed="🗑️ Se ha quitado. Las mediciones que la hicieron conservan sus cifras.",
    thanks="Gracias, queda anotado. `/privacy` muestra y borra lo que se guarda de ti.",
    keep_offer=(
        "📏 ¿Puedo guardar tu pregunta para medirme con ella? Quien gestiona este servidor podría hacerla con `/eval` "
        "a los documentos de este canal. Se guardan la pregunta, lo que escribas en el formulario y tu id de Discord, "
        "junto a los documentos; hasta que uno de ellos se borre, un gestor la quite, o lo hagas tú: `/privacy delete`."
    ),
    keep_button="Guardarla y decir qué es lo correcto",
    keep_title="¿Qué habría sido lo correcto?",
    keep_answer="Con las palabras del documento",
    keep_answer_example="Por ejemplo: 25 días. Deja ambos vacíos si no hay respuesta.",
    keep_page="¿En qué página? (opcional)",
    keep_done="📏 Guardada, gracias. `/privacy delete` la borra con todo lo demás que se guarda de ti.",
    keep_not_yours="Solo quien hizo una pregunta puede darla, y esta es de otra persona, o está olvidada.",
    keep_no_documents="Los documentos a los que se preguntó ya no están: no hay con qué medirla.",
    keep_no_page="{title} tiene las páginas 1 a {pages}: indica una de ellas, o ninguna.",
)
