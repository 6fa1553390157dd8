"""Claims in Italian."""

from app.conversation.claim_words.language import european, truths

ITALIAN = european(
    signs=r"[àèìòù]|\b(?:ho|il|lo|la|le|ti|tuoi?|tua|che|di|del|dal|nel|mi|ecco|ci|quest[oaie]|quel\w*)\b|"
    r"[aiu]t[oai]\b|fatto|"
    r"pres[oa]\b|mess[oa]\b",
    parts={
        "LOOKED": r"guardato|cercato|controllato|trovato|visto|letto|verificato",
        "TO_YOU": (
            r"(?:ti|vi|le) (?:lo |la )?(?!consiglio|suggerisco|auguro|vedo|vedrò|capisco|piac|aspetto|aiut|"
            r"ringrazio|chiedo scusa)[^ ]+(?:rò|o)"
        ),
        "LATER": (
            r"(?<!\w)(?:domani|alle \d|ogni|stasera|(?:lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica)|"
            r"tra \d+|fra \d+|più tardi)(?!\w)"
        ),
        "YOUR": r"(?:(?:il|la|i|le) )?(?:tu[oae]|tuoi)",
        "STORED": r"(?:salvat|annotat|segnat|registrat|memorizzat)[oaie]",
        "HAVE": r"\b(?:(?:l'|li |le |te l'|me l'|te le |me le )?(?:ho|abbiamo)|(?:me lo|me la|me ne) sono)",
        "KEPT": (
            r"(?:(?:salvat|annotat|segnat|memorizzat|registrat|appuntat|aggiornat|corrett|modificat|cambiat|"
            r"aggiunt|inserit|"
            r"archiviat|conservat|sistemat|ricordat|scritt)[oaie]|(?:preso|presa) (?:nota|appunti|atto)|in memoria)"
        ),
        "GONE": r"(?:(?:cancellat|eliminat|dimenticat|rimoss|tolt)[oaie])",
        "SET": (
            r"(?:(?:impostat|programmat|creat|mess|fissat|pianificat|puntat|aggiunt|inserit|attivat|spostat|"
            r"rimandat|posticipat|"
            r"salvat|segnat|"
            r"riattivat|modificat|pront)[oaie])"
        ),
        "OFF": (
            r"(?:(?:annullat|disattivat|sospes|disdett|fermat|interrott|saltat|spent)[oaie]|"
            r"(?:mess[oaie] )?in pausa)"
        ),
        "PLUGGED": r"(?:(?:s?colle|dis?conne|conne)(?:gato|ss[oa]|gata|tt[oa])|scollegat[oa])",
        "IT_IS": (
            r"(?:(?:(?:ora|tutto|questo|adesso|già|tutto quanto|l'informazione) )*(?:è stat[oa]|è|sono stat[ie]|"
            r"sono|risulta|ce l'ho|l'ho))"
        ),
        "IS": r"(?:è|sono|è stat[oa]|sono stat[ie])",
        "THE": (
            r"(?:(?:il|la|lo|i|le|gli|l'|un|una|questo|questa|tutti i|tutte le)(?: (?:tuo|tua|tuoi|tue|mio|mia|"
            r"suo|sua))?|tuo|tua)"
        ),
        "FACT": (
            r"(?:dati|dato|informazion[ei]|nota|memoria|profilo|preferenz[ae]|regola|indirizzo|nome|compleanno|"
            r"modific[ah]e?|ricordo|appunto)"
        ),
        "IN_MEMORY": (
            r"(?:nella|nelle|nel|nei|dalla|dalle|dal|alla|al|in|tra i|tra le|fra le) (?:(?:mia|mie|miei|tuo|tua|"
            r"tue|mio|tuoi) )?"
            r"(?:memoria|note|profilo|lista|liste|appunti|ricordi)"
        ),
        "ROUTINE": (
            r"(?:promemoria|sveglia|sveglie|allarme|routine|avvis[oi]|timer|messaggi(?:o)?|notifich?[ea]|"
            r"riepilogo)\b"
        ),
        "CALENDAR": r"(?:calendario|agenda)\b",
        "THING": r"(?:tutto|questo|per|come|in|anche|che)\b.*",
        "THAT": r"cosa|quello|ciò|che|perché|quando|se",
        "WHEN": r"(?:per|alle|domani|ogni|il|da)\b",
        "PLANNED": r"(?:(?:ri)?programmat|pianificat)[oaie]",
        "UNTIL": r"(?:fino|per|come|di)\b",
        "ALL_DONE": r"(?:(?:è |tutto )?(?:fatto|sistemato|a posto|pronto)|consideralo fatto|ecco fatto|ci penso io)",
    },
    did={"saved": r"(?:mi sono|me lo sono) (?:segnat|annotat|appuntat)[oa]"},
    will={
        "saved": (
            r"(?:me |te )?l[oai] (?:segno|annoto|salvo|appunto|ricorderò|terrò|registro|memorizzo|aggiungo|"
            r"tengo a mente)(?: a mente| presente)?|prendo nota|"
            r"(?<!ti )(?:ricorderò|salverò|annoterò|memorizzerò|aggiornerò|segnerò)|(?:terrò|tengo) (?:a mente|"
            r"presente|conto|in considerazione)|"
            r"(?:ne|lo) (?:terrò|tengo) (?:conto|a mente|presente)|mi (?:segno|annoto|ricorderò)|me ne ricorderò|"
            r"(?:{HENCE}) .*(?:rò|emo)|[^ ]*rò\b.* (?:{HENCE})"
        ),
        "forgotten": (
            r"l[oa] (?:cancello|elimino|dimentico|cancellerò|eliminerò|dimenticherò)|(?:cancellerò|eliminerò|"
            r"dimenticherò)"
        ),
        "scheduled": (
            r"(?:ti|vi|le|te lo|te la) (?:lo )?(?:ricorderò|avviserò|avvertirò|scriverò|manderò|sveglierò|invierò|"
            r"contatterò)|"
            r"(?:ti|te lo) (?:ricordo|avviso|scrivo|sveglio|mando)(?: [^ ]+){0,2}? (?:alle|domani|ogni|il|stasera|"
            r"lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|un promemoria)|"
            r"(?:riceverai|avrai|ti arriverà) (?:un|il|una) (?:promemoria|avviso|messaggio|notifica)|"
            r"mi farò (?:viv[oa]|sentire)|"
            r"(?:imposto|imposterò|metto|programmo|programmerò)(?: [^ ]+){0,2}? (?:promemoria|sveglia|avviso)"
        ),
        "cancelled": r"(?:annullo|annullerò|sospendo|disattivo)(?: [^ ]+){1,3}|non ti ricorderò più",
    },
    wont=r"non (?:lo |me lo |me ne |la )?(?:dimenticherò|scorderò|dimentico)|(?:{HENCE}) non .*rò",
    hence=r"(?:d'ora in poi|da ora in poi|d'ora in avanti|da adesso in poi|in futuro)",
    leads=(
        r"ok|va bene|certo|perfetto|bene|benissimo|capito|sì|e|grazie|d'accordo|fatto|tutto|ecco|ottimo|"
        r"certamente|scusa|"
        r"mi dispiace|volentieri|già|chiaro|ora|consideralo|subito|ricevuto"
    ),
    tails=(
        r"per (?:te|dopo|la prossima volta|sempre|il futuro)|{IN_MEMORY}|ora|adesso|già|anche|"
        r"come (?:richiesto|volevi|hai chiesto|.* chiesto)|e .*|grazie.*|"
        r"correttamente|con successo|subito|definitivamente|per bene|nel tuo profilo"
    ),
    denied=r"\b(?:non|niente|nulla|mai|nessun[oa]?|senza|né|nemmeno|neanche|lei|lui|loro)\b",
    offered=r"\b(?:se|quando|appena|dimmi|vuoi che|posso|potrei|fammi sapere|basta che)\b",
    wish=r"\b(?:se (?:vuoi|ti va|desideri|preferisci|me lo|mi|lo)|quando mi|appena mi|basta che)\b",
    retold=r"\b(?:cosa|che|come|quando|se|quello|ciò|cui|dove|quanto|perché)",
    past=(
        r"ieri|prima|in precedenza|(?:la settimana|il mese|l'anno) scors[oa]|(?:[^ ]+ ){1,2}fa|a (?:gennaio|"
        r"febbraio|marzo|aprile|maggio|"
        r"giugno|luglio|agosto|settembre|ottobre|novembre|dicembre)|l'altro giorno|quando mi|quando me|"
        r"la volta scorsa|(?:lunedì|martedì|venerdì) scorso"
    ),
    aside=(
        r"\b(?:(?:nessun|senza|non c'è) (?:problema|problemi|pensiero|dubbio)|non (?:preoccuparti|"
        r"si preoccupi|ti preoccupare)|come no)\b"
    ),
    elsewhere=r"\b(?:bozza|paragrafo|frase|testo|mail|lettera|virgola|ricetta|sale|poesia|codice|versione|tono)\b",
    ambiguous=r"aggi|corr|modific|cambi|aggiorn|cancell|elimin|rimoss|tolt|sistemat|mess|scritt|inserit",
    already=r"\bgià\b",
    own_name=r"\b(?:il )?tuo nome\b",
    not_done=truths(
        "(Per essere chiari: ora non ho salvato nulla.)",
        "(Per essere chiari: ora non ho cancellato nulla.)",
        "(Per essere chiari: ora non ho programmato nulla.)",
        "(Per essere chiari: ora non ho annullato nulla.)",
        "(Per essere chiari: ora non ho collegato né scollegato nulla.)",
        "(Per essere chiari: ora non ho cambiato nulla.)",
    ),
)
