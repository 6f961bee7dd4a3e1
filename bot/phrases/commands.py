"""What Discord shows of the commands while people choose one, in the languages of its clients. Pure.

A client's language is its reader's own choice, and no matter of the server. The names of slash commands are the same in
all of them: people tell each other `/ask`, and help and documents do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Said(NamedTuple):
    """One text, as it stands in the code, and in the other languages."""

    en: str
    de: str
    fr: str
    es: str


SAID: tuple[Said, ...] = (
    # ---- menus of messages
    Said(
        "Check this against the documents",
        "An den Dokumenten prüfen",
        "Vérifier avec les documents",
        "Comprobar con los documentos",
    ),
    Said("Ask about this PDF", "Zu diesem PDF fragen", "Interroger ce PDF", "Preguntar sobre este PDF"),
    Said("Remove this document", "Dieses Dokument entfernen", "Retirer ce document", "Quitar este documento"),
    # ---- /ask and /search
    Said(
        "Answer a question from this channel's documents, with proof.",
        "Beantwortet eine Frage aus den Dokumenten dieses Kanals, mit Beleg.",
        "Répond à une question d'après les documents de ce salon, avec preuve.",
        "Responde a una pregunta con los documentos de este canal, con prueba.",
    ),
    Said("What you want to know.", "Was du wissen willst.", "Ce que tu veux savoir.", "Lo que quieres saber."),
    Said("Ask this one alone.", "Nur dieses fragen.", "N'interroger que celui-ci.", "Preguntar solo a este."),
    Said(
        "Show the answer to you alone.",
        "Die Antwort nur dir zeigen.",
        "Ne montrer la réponse qu'à toi.",
        "Mostrar la respuesta solo a ti.",
    ),
    Said(
        "Find passages in this channel's documents, shown to you alone.",
        "Findet Stellen in den Dokumenten dieses Kanals und zeigt sie nur dir.",
        "Trouve des passages dans les documents de ce salon, montrés à toi seul.",
        "Encuentra pasajes en los documentos de este canal y los muestra solo a ti.",
    ),
    Said("Words, or a question.", "Wörter oder eine Frage.", "Des mots, ou une question.", "Palabras, o una pregunta."),
    Said("Search this one alone.", "Nur in diesem suchen.", "Ne chercher que dans celui-ci.", "Buscar solo en este."),
    # ---- /documents
    Said(
        "This channel's documents.",
        "Die Dokumente dieses Kanals.",
        "Les documents de ce salon.",
        "Los documentos de este canal.",
    ),
    Said(
        "List the documents that can be asked here.",
        "Zeigt die Dokumente, die hier gefragt werden können.",
        "Liste les documents que l'on peut interroger ici.",
        "Lista los documentos a los que se puede preguntar aquí.",
    ),
    Said(
        "Bring a PDF to this channel.",
        "Bringt ein PDF in diesen Kanal.",
        "Apporte un PDF dans ce salon.",
        "Trae un PDF a este canal.",
    ),
    Said("A PDF.", "Ein PDF.", "Un PDF.", "Un PDF."),
    Said(
        "Say all that is known of a document.",
        "Sagt alles, was über ein Dokument bekannt ist.",
        "Dit tout ce que l'on sait d'un document.",
        "Dice todo lo que se sabe de un documento.",
    ),
    Said(
        "Its title, its file or its id.",
        "Sein Titel, seine Datei oder seine ID.",
        "Son titre, son fichier ou son identifiant.",
        "Su título, su archivo o su id.",
    ),
    Said(
        "Remove a document from this channel; for who brought it, and for moderators.",
        "Entfernt ein Dokument aus diesem Kanal; für den, der es brachte, und Moderatoren.",
        "Retire un document de ce salon ; pour qui l'a apporté, et les modérateurs.",
        "Quita un documento de este canal; para quien lo trajo y los moderadores.",
    ),
    Said(
        "Let all channels of this server ask a document, or no longer; for moderators.",
        "Gibt ein Dokument für alle Kanäle dieses Servers frei oder nicht mehr; für Moderatoren.",
        "Ouvre un document à tous les salons de ce serveur, ou plus ; pour les modérateurs.",
        "Abre un documento a todos los canales de este servidor, o ya no; para moderadores.",
    ),
    Said(
        "Whether all channels may ask it.",
        "Ob alle Kanäle es fragen dürfen.",
        "Si tous les salons peuvent l'interroger.",
        "Si todos los canales pueden preguntarle.",
    ),
    # ---- /verify
    Said(
        "Check a text against this channel's documents, statement by statement.",
        "Prüft einen Text an den Dokumenten dieses Kanals, Aussage für Aussage.",
        "Vérifie un texte avec les documents de ce salon, affirmation par affirmation.",
        "Comprueba un texto con los documentos de este canal, afirmación por afirmación.",
    ),
    Said(
        "What somebody says that the documents say, or a link to a message.",
        "Was nach jemandes Worten in den Dokumenten steht, oder der Link einer Nachricht.",
        "Ce que quelqu'un dit que les documents disent, ou le lien d'un message.",
        "Lo que alguien dice que dicen los documentos, o el enlace de un mensaje.",
    ),
    # ---- /eval
    Said(
        "Measure the answers in this channel.",
        "Misst die Antworten in diesem Kanal.",
        "Mesure les réponses dans ce salon.",
        "Mide las respuestas en este canal.",
    ),
    Said(
        "Ask a set of questions of this channel's documents, and measure the answers.",
        "Stellt den Dokumenten dieses Kanals eine Reihe von Fragen und misst die Antworten.",
        "Pose un jeu de questions aux documents de ce salon, et mesure les réponses.",
        "Hace un conjunto de preguntas a los documentos de este canal y mide las respuestas.",
    ),
    Said(
        "own: those that were gathered here; or a set that comes with Pincite.",
        "own: die hier gesammelten; oder Fragen, die mit Pincite kommen.",
        "own : celles recueillies ici ; ou un jeu qui vient avec Pincite.",
        "own: las reunidas aquí; o un conjunto que viene con Pincite.",
    ),
    Said(
        "What is measured: answers by quotation, or by a model; or what is found alone.",
        "Was gemessen wird: Antworten als Zitat oder eines Modells; oder nur, was gefunden wird.",
        "Ce qui est mesuré : réponses par citation, ou d'un modèle ; ou seulement ce qui est trouvé.",
        "Lo que se mide: respuestas por citas, o de un modelo; o solo lo que se encuentra.",
    ),
    Said(
        "A set of your own instead: JSON Lines.",
        "Stattdessen eigene Fragen: JSON Lines.",
        "Plutôt un jeu à toi : JSON Lines.",
        "En su lugar, un conjunto tuyo: JSON Lines.",
    ),
    Said(
        "Say how a run of this channel stands, with its figures so far.",
        "Sagt, wie ein Lauf dieses Kanals steht, mit seinen Zahlen bis jetzt.",
        "Dit où en est une mesure de ce salon, avec ses chiffres jusqu'ici.",
        "Dice cómo va una medición de este canal, con sus cifras hasta ahora.",
    ),
    Said(
        "A run's id; the last run without it.",
        "Die ID eines Laufs; ohne sie der letzte.",
        "L'identifiant d'une mesure ; sans lui, la dernière.",
        "El id de una medición; sin él, la última.",
    ),
    Said(
        "List the runs of this channel, the last one first.",
        "Zeigt die Läufe dieses Kanals, den letzten zuerst.",
        "Liste les mesures de ce salon, la dernière d'abord.",
        "Lista las mediciones de este canal, la última primero.",
    ),
    Said(
        "Compare two runs of this channel question by question: what changed, and which questions flipped.",
        "Vergleicht zwei Läufe dieses Kanals Frage für Frage: was anders ist, und bei welchen.",
        "Compare deux mesures de ce salon question par question : ce qui a changé, et où.",
        "Compara dos mediciones de este canal pregunta por pregunta: qué cambió y en cuáles.",
    ),
    Said("A run's id.", "Die ID eines Laufs.", "L'identifiant d'une mesure.", "El id de una medición."),
    Said(
        "Another; the last run without it.",
        "Ein anderer; ohne ihn der letzte.",
        "Une autre ; sans elle, la dernière.",
        "Otra; sin ella, la última.",
    ),
    Said(
        "List the questions that were gathered in this channel, show one, or take one out.",
        "Zeigt die in diesem Kanal gesammelten Fragen oder eine davon, oder nimmt eine heraus.",
        "Liste les questions recueillies dans ce salon, en montre une, ou en retire une.",
        "Lista las preguntas reunidas en este canal, muestra una o quita una.",
    ),
    Said(
        "One of them, to see all that is kept of it.",
        "Eine davon, um alles zu sehen, was von ihr gespeichert ist.",
        "L'une d'elles, pour voir tout ce qui en est conservé.",
        "Una de ellas, para ver todo lo que se guarda de ella.",
    ),
    Said("Take it out.", "Sie herausnehmen.", "La retirer.", "Quitarla."),
    # ---- /settings
    Said(
        "What this server decides for itself.",
        "Was dieser Server für sich entscheidet.",
        "Ce que ce serveur décide pour lui-même.",
        "Lo que este servidor decide por sí mismo.",
    ),
    Said(
        "Show this server's settings.",
        "Zeigt die Einstellungen dieses Servers.",
        "Montre les réglages de ce serveur.",
        "Muestra los ajustes de este servidor.",
    ),
    Said(
        "Decide where a PDF is read without a mention.",
        "Entscheidet, wo ein PDF ohne Erwähnung gelesen wird.",
        "Décide où un PDF est lu sans mention.",
        "Decide dónde se lee un PDF sin mención.",
    ),
    Said(
        "In which channels a PDF alone is read; elsewhere I must be mentioned.",
        "In welchen Kanälen ein PDF allein gelesen wird; sonst muss man mich erwähnen.",
        "Dans quels salons un PDF seul est lu ; ailleurs, il faut me mentionner.",
        "En qué canales se lee un PDF solo; en los demás hay que mencionarme.",
    ),
    Said(
        "Choose a channel, or choose it no longer; I then listen in chosen channels alone.",
        "Wählt einen Kanal oder wählt ihn ab; dann höre ich nur noch in gewählten zu.",
        "Choisit un salon, ou ne le choisit plus ; je n'écoute alors que les salons choisis.",
        "Elige un canal, o deja de elegirlo; entonces solo escucho en los elegidos.",
    ),
    Said("The channel.", "Der Kanal.", "Le salon.", "El canal."),
    Said(
        "Whether a PDF alone is read there.",
        "Ob dort ein PDF allein gelesen wird.",
        "Si un PDF seul y est lu.",
        "Si allí se lee un PDF solo.",
    ),
    Said(
        "Decide how long documents and questions are kept.",
        "Entscheidet, wie lange Dokumente und Fragen bleiben.",
        "Décide combien de temps documents et questions sont conservés.",
        "Decide cuánto tiempo se guardan documentos y preguntas.",
    ),
    Said(
        "After how many days documents and questions are deleted; 0 keeps them.",
        "Nach wie vielen Tagen Dokumente und Fragen gelöscht werden; 0 behält sie.",
        "Après combien de jours documents et questions sont supprimés ; 0 les garde.",
        "Tras cuántos días se borran documentos y preguntas; 0 los conserva.",
    ),
    Said(
        "Decide who may add documents.",
        "Entscheidet, wer Dokumente ergänzen darf.",
        "Décide qui peut ajouter des documents.",
        "Decide quién puede añadir documentos.",
    ),
    Said(
        "Who may add documents.",
        "Wer Dokumente ergänzen darf.",
        "Qui peut ajouter des documents.",
        "Quién puede añadir documentos.",
    ),
    Said(
        "Which role, where a role decides.",
        "Welche Rolle, wo eine Rolle entscheidet.",
        "Quel rôle, si c'est un rôle qui décide.",
        "Qué rol, si decide un rol.",
    ),
    Said(
        "Decide what is published of an answer.",
        "Entscheidet, was von einer Antwort veröffentlicht wird.",
        "Décide ce qui est publié d'une réponse.",
        "Decide qué se publica de una respuesta.",
    ),
    Said(
        "strict: only what is supported; flag: the rest, marked; quote: quotations alone.",
        "strict: nur Belegtes; flag: auch das andere, gekennzeichnet; quote: nur Zitate.",
        "strict : l'étayé seul ; flag : le reste aussi, signalé ; quote : citations seules.",
        "strict: solo lo respaldado; flag: también el resto, señalado; quote: solo citas.",
    ),
    Said(
        "Decide which language I speak here.",
        "Entscheidet, welche Sprache ich hier spreche.",
        "Décide quelle langue je parle ici.",
        "Decide qué idioma hablo aquí.",
    ),
    Said(
        "What I speak; answers are quotations, and stay in their document's language.",
        "Was ich spreche; Antworten sind Zitate und bleiben in der Sprache ihres Dokuments.",
        "Ce que je parle ; les réponses sont des citations et gardent la langue du document.",
        "Lo que hablo; las respuestas son citas y siguen en el idioma de su documento.",
    ),
    # ---- /privacy and /help
    Said(
        "What is kept of you.",
        "Was von dir gespeichert ist.",
        "Ce qui est conservé à ton sujet.",
        "Lo que se guarda de ti.",
    ),
    Said(
        "Say what is kept of you.",
        "Sagt, was von dir gespeichert ist.",
        "Dit ce qui est conservé à ton sujet.",
        "Dice lo que se guarda de ti.",
    ),
    Said(
        "Give you all that is kept of you, as a file.",
        "Gibt dir alles, was von dir gespeichert ist, als Datei.",
        "Te donne tout ce qui est conservé à ton sujet, dans un fichier.",
        "Te da todo lo que se guarda de ti, en un archivo.",
    ),
    Said(
        "Delete all that is kept of you, here and in every other server.",
        "Löscht alles, was von dir gespeichert ist, hier und auf jedem anderen Server.",
        "Supprime tout ce qui est conservé à ton sujet, ici et sur tout autre serveur.",
        "Borra todo lo que se guarda de ti, aquí y en cualquier otro servidor.",
    ),
    Said(
        "Say what I can do, to you alone.",
        "Sagt, was ich kann, nur dir.",
        "Dit ce que je sais faire, à toi seul.",
        "Dice lo que sé hacer, solo a ti.",
    ),
)

BY_ENGLISH: Mapping[str, Said] = {said.en: said for said in SAID}
"""Each text by what it is in the code."""
