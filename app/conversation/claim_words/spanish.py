"""Claims in Spanish."""

from app.conversation.claim_words.language import european, truths

SPANISH = european(
    signs=r"[áéíóúñ¡¿]|\b(?:lo|te|tu|tus|mi|el|los|que|es[oae]|est[oae]|voy|tengo|queda)\b|[ai]d[oa]s?\b|"
    r"[ei]cho\b|list[oa]s?\b|"
    r"\bhe \w+to\b|puest[oa]s?\b",
    parts={
        "LOOKED": r"tengo|mirad|buscad|revisad|vist|encontrad|consultad|leíd",
        "TO_YOU": (
            r"te (?:lo |la |los )?(?!gust|parec|recomiend|sugier|entiend|dese|veo|veré|espero|quier|pido|agrade|"
            r"acompañ|ayud|deb)[^ ]+(?:ré|o)"
        ),
        "LATER": (
            r"(?<!\w)(?:mañana|a las? \d|cada|todos los|todas las|esta (?:tarde|noche)|el (?:lunes|martes|"
            r"miércoles|jueves|viernes|sábado|domingo)|luego|más tarde|en \d+)(?!\w)"
        ),
        "YOUR": r"(?:tu|tus|su|sus)",
        "STORED": r"(?:guardad|anotad|apuntad|registrad|almacenad)[oa]s?",
        "HAVE": r"\b(?:(?:lo|la|los|las|te lo|te la|me lo|ya|también) )*(?:he|hemos|acabo de|tengo)",
        "KEPT": (
            r"(?:(?:guardad|anotad|apuntad|registrad|memorizad|grabad|almacenad|añadid|agregad|actualizad|corregid|"
            r"cambiad|modificad|ajustad|agendad|tomad|archivad)(?:[oa]|ísim[oa])s?(?: nota)?|puesto al día|en cuenta)"
        ),
        "GONE": r"(?:(?:borrad|eliminad|olvidad|quitad|suprimid|retirad)[oa]s?)",
        "SET": (
            r"(?:(?:programad|configurad|cread|establecid|fijad|agendad|activad|reprogramad|movid|pospuest|"
            r"aplazad|list|guardad|"
            r"añadid|"
            r"agregad|cambiad|actualizad|reanudad|planificad|puest)[oa]s?)"
        ),
        "OFF": (
            r"(?:(?:cancelad|anulad|pausad|detenid|desactivad|suspendid|apagad|silenciad|"
            r"saltad)[oa]s?"
            r"|en pausa)"
        ),
        "PLUGGED": r"(?:(?:des)?conectad[oa]|(?:des)?vinculad[oa])",
        "IT_IS": (
            r"(?:(?:(?:ya|todo|eso|esto|ello|ahora|lo) )*(?:está|queda|ha quedado|quedó|ha sido|fue|se ha|tengo))"
        ),
        "IS": r"(?:(?:ya )?(?:está|están|queda|quedan|ha quedado|quedó|ha sido|han sido|fue|se ha|es))",
        "THE": r"(?:tu|el|la|los|las|tus|este|esta|ese|un|una|todo|todos|todas|mi)",
        "FACT": (
            r"(?:datos?|información|nota|memoria|perfil|preferencias?|regla|dirección|nombre|cumpleaños|cambios?|"
            r"recuerdo|"
            r"horario)"
        ),
        "IN_MEMORY": r"(?:en|de|a) (?:mi|tu|mis|tus|la) (?:memoria|notas|perfil|lista|listas)",
        "ROUTINE": r"(?:recordatorios?|alarmas?|rutinas?|avisos?|temporizador|despertador|mensajes?|resumen)\b",
        "CALENDAR": r"(?:calendario|agenda)\b",
        "THING": r"(?:eso|esto|todo|en|para|tu|lo|la)\b.*",
        "THAT": r"que|porque|cuando|si",
        "WHEN": r"(?:para|a las|mañana|el|cada|todos)\b",
        "PLANNED": r"(?:(?:re)?programad|agendad|planificad)[oa]s?",
        "UNTIL": r"(?:hasta|por|para|de|como)\b",
        "ALL_DONE": (
            r"(?:ya está |todo )?(?:hecho|listo|listos|arreglado|solucionado|resuelto)|dalo por hecho|ya está|"
            r"cuenta con ello"
        ),
    },
    did={
        "saved": (
            r"guardé|anoté|apunté|registré|actualicé|corregí|cambié|memoricé|agregué|añadí|grabé|tomé nota|modifiqué|"
            r"ajusté|almacené|acabo de (?:guardar|anotar|apuntar|actualizar|registrar|añadir|agregar|corregir|"
            r"cambiar)(?:lo|la)?|lo puse en (?:mi|tu)"
        ),
        "forgotten": r"borré|eliminé|(?:lo|la) olvidé|quité|suprimí|acabo de (?:borrar|eliminar)(?:lo|la)?",
        "scheduled": (
            r"(?:programé|puse|configuré|creé|agendé|fijé|agregué|moví|reprogramé)(?: [^ ]+){0,3}? "
            r"(?:recordatorio|alarma|aviso|rutina|despertador)|programé|agendé"
        ),
        "cancelled": r"cancelé|anulé|pausé|desactivé|detuve|suspendí|"
        r"(?:borré|eliminé|quité)(?: [^ ]+){0,3}? (?:recordatorios?|alarmas?|avisos?|rutinas?)",
        "connected": r"(?:des)?conecté|(?:des)?vinculé",
    },
    will={
        "saved": (
            r"(?:lo|la|los|eso|esto|me lo) (?:anoto|guardo|apunto|registro|agrego|actualizo|memorizo)|tomo nota|"
            r"(?:recordaré|guardaré|anotaré|apuntaré|actualizaré|registraré|memorizaré|(?:me )?acordaré)|"
            r"(?:tendré|tengo|tomaré) (?:en cuenta|presente|en mente)|"
            r"voy a (?:recordar|guardar|anotar|apuntar|tener|acordarme|registrar)(?:lo|la)?|"
            r"(?:{HENCE}) .*(?:ré|remos)|[^ ]*(?:ré)\b.* (?:{HENCE})|me lo guardo|me acuerdo para la próxima"
        ),
        "forgotten": (
            r"(?:lo|la|eso) (?:olvidaré|borraré|eliminaré|olvido|borro|elimino)|voy a (?:olvidar|borrar|"
            r"eliminar)(?:lo)?"
        ),
        "scheduled": (
            r"te (?:lo )?(?:recordaré|avisaré|escribiré|mandaré|enviaré|despertaré|notificaré)|"
            r"(?:te|le) (?:lo )?(?:voy a|vamos a) (?:recordar|avisar|escribir|mandar|enviar|despertar)|"
            r"voy a (?:recordar|avisar|escribir|despertar|mandar)te(?:lo)?|(?:le|os|les) (?:lo )?(?:recordaré|"
            r"avisaré|escribiré)|"
            r"te (?:lo )?(?:recuerdo|aviso|escribo|despierto) (?:a las|mañana|el|cada|en|esta|hoy)|"
            r"(?:recibirás|tendrás|te llegará) (?:un|tu|el) (?:recordatorio|aviso|mensaje)|programaré|agendaré|pondré"
        ),
        "cancelled": (
            r"(?:cancelaré|pausaré|anularé|desactivaré)|(?:lo|la) cancelo|dejaré de (?:recordarte|avisarte|"
            r"escribirte)"
        ),
    },
    wont=(
        r"no (?:(?:lo|la|me|se me) )+(?:olvid(?:aré|ará|o|a)|voy a olvidar)|no voy a olvidar(?:lo|me)?|"
        r"(?:{HENCE}) no .*ré"
    ),
    hence=r"(?:de ahora en adelante|a partir de ahora|desde ahora|en adelante)",
    leads=(
        r"vale|ok|listo|claro|claro que sí|perfecto|bien|muy bien|genial|de acuerdo|entendido|sí|hecho|ya|"
        r"todo|y|gracias|"
        r"estupendo|por supuesto|perdón|disculpa|lo siento|también|bueno|dalo por|eso|esto|tranquilo|uy|ay"
    ),
    tails=(
        r"para ti|para (?:la próxima|más tarde|siempre|después|otra vez|el futuro)|{IN_MEMORY}|ya|ahora|"
        r"correctamente|con éxito|"
        r"también|como (?:pediste|querías|pedías|me pediste)|por siempre|y .*|perfectamente|gracias.*|en .* memoria"
    ),
    denied=r"\b(?:no|nunca|nada|ningun[oa]?|ningún|tampoco|sin|ni|jamás|ella|él|ellos|ustedes|usted)\b",
    offered=r"\b(?:si|cuando|en cuanto|dime|dímelo|quieres que|puedo|podría|cuéntame|avísame|deseas)\b",
    wish=r"\b(?:si (?:quieres|lo deseas|te parece|gustas|prefieres|me lo|me|deseas|quiere)|cuando me|en cuanto me)\b",
    retold=r"\b(?:que|como|cuando|si|cosas|donde|cual|según|qué|porque|aunque)",
    past=(
        r"ayer|antes|anteriormente|(?:la semana|el mes|el año) pasad[oa]|hace [^ ]+|en (?:enero|febrero|marzo|"
        r"abril|mayo|junio|"
        r"julio|agosto|septiembre|octubre|noviembre|diciembre)|cuando me|el otro día|el (?:lunes|martes|"
        r"miércoles|jueves|"
        r"viernes|sábado|domingo) pasado|la última vez"
    ),
    aside=(
        r"\b(?:(?:sin|no hay|ningún) (?:problema|cuidado|duda|falta)|no te preocupes|no se preocupe|cómo no|"
        r"como no)\b"
    ),
    elsewhere=r"\b(?:borrador|párrafo|frase|texto|correo|carta|coma|receta|sal|poema|ensayo|código|versión|tono)\b",
    ambiguous=r"añad|agreg|actualiz|corr[ei]g|camb|modific|ajust|borr|elimin|quit|suprim",
    own_name=r"\btu (?:propio )?nombre\b",
    not_done=truths(
        "(Para que quede claro: ahora no he guardado nada.)",
        "(Para que quede claro: ahora no he borrado nada.)",
        "(Para que quede claro: ahora no he programado nada.)",
        "(Para que quede claro: ahora no he cancelado nada.)",
        "(Para que quede claro: ahora no he conectado ni desconectado nada.)",
        "(Para que quede claro: ahora no he cambiado nada.)",
    ),
)
