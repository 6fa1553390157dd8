"""Claims in Portuguese."""

from app.conversation.claim_words.language import european, truths

PORTUGUESE = european(
    signs=r"[ãõçáéíóúâê]|\b(?:eu|te|lhe|seu|sua|teu|tua|os|que|iss?o|isto|ess[ea]|est[ea]|vou|pode)\b|"
    r"[ai]d[oa]s?\b|ei\b|feit[oa]|"
    r"pront[oa]|salv[oa]|list[oa]",
    parts={
        "LOOKED": r"tenho|olhado|procurado|verificado|encontrado|visto",
        "TO_YOU": (
            r"(?:te|lhe) (?!recomendo|sugiro|desejo|vejo|espero|agradeço|ajudo|entendo)[^ ]+(?:rei|o)|"
            r"vou te [^ ]+|(?:mando|envio|aviso|chamo)-te|você vai receber"
        ),
        "LATER": (
            r"(?<!\w)(?:amanhã|às \d|todo|toda|todos|todas|cada|hoje à noite|(?:na|no) (?:segunda|terça|quarta|"
            r"quinta|sexta|sábado|domingo)|em \d+|daqui a|mais tarde)(?!\w)"
        ),
        "YOUR": r"(?:(?:o|a|os|as) )?(?:seu|sua|seus|suas|teu|tua)",
        "STORED": r"(?:salv|guardad|anotad|registrad|gravad)[oa]s?",
        "HAVE": r"\b(?:(?:já|isso|isto) )*(?:tenho|acabei de|deixei)",
        "KEPT": (
            r"(?:(?:salv|guardad|anotad|registrad|registad|gravad|memorizad|atualizad|corrigid|alterad|adicionad|"
            r"mudad|"
            r"modificad|armazenad|incluíd|acrescentad|apontad|arquivad)[oa]s?|salvar|guardar|anotar|registrar|"
            r"atualizar)"
        ),
        "GONE": r"(?:(?:apagad|removid|eliminad|excluíd|esquecid|deletad|retirad)[oa]s?|apagar|excluir|remover)",
        "SET": (
            r"(?:(?:agendad|programad|marcad|criad|definid|configurad|ativad|colocad|adicionad|adiad|reagendad|movid|"
            r"ajustad|"
            r"salv|pront)[oa]s?|posto)"
        ),
        "OFF": (
            r"(?:(?:cancelad|pausad|desativad|suspens|interrompid|desligad|pulad|anulad|parad)[oa]s?|"
            r"em pausa)"
        ),
        "PLUGGED": r"(?:(?:des)?conectad[oa]|(?:des)?vinculad[oa]|(?:des)?ligad[oa])",
        "IT_IS": (
            r"(?:(?:(?:já|tudo|isso|isto|ele|ela|agora|essa informação|pronto) )*(?:está|tá|ficou|fica|foi|foram|"
            r"já foi|ficaram|deixo|deixei|tenho))"
        ),
        "IS": r"(?:(?:já )?(?:está|estão|ficou|ficaram|foi|foram|fica))",
        "THE": r"(?:o|a|os|as|um|uma|(?:o |a )?(?:seu|sua|teu|tua)|esse|este|essa|todos os|todas as)",
        "FACT": (
            r"(?:dados?|informaç(?:ão|ões)|nota|memória|perfil|preferências?|regra|endereço|morada|nome|"
            r"aniversário|alteraç(?:ão|ões)|"
            r"mudanças?|lembrança)"
        ),
        "IN_MEMORY": (
            r"(?:na|no|em|nas|nos|da|do|das|à|ao) (?:(?:minha|minhas|meu|seu|sua|tua|suas) )?(?:memória|notas|"
            r"anotações|perfil|lista|listas|cabeça)"
        ),
        "ROUTINE": (
            r"(?:lembretes?|alarmes?|despertador|rotinas?|avisos?|temporizador|mensagens?|resumo|notificaç(?:ão|"
            r"ões))\b"
        ),
        "CALENDAR": r"(?:calendário|agenda)\b",
        "THING": r"(?:isso|isto|tudo|para|pra|em|na|no|como|aqui)\b.*",
        "THAT": r"que|porque|quando|se",
        "WHEN": r"(?:para|pra|às|amanhã|todo|todos|toda|cada|no)\b",
        "PLANNED": r"(?:(?:re)?agendad|programad)[oa]s?",
        "UNTIL": r"(?:até|por|para|como|conforme)\b",
        "ALL_DONE": (
            r"(?:já está |tá |tudo |está )?(?:feito|pronto|pronta|certo por aqui|resolvido|concluído|tratado)|"
            r"prontinho|pode deixar(?: comigo)?|"
            r"considere feito|deixa comigo|já está"
        ),
    },
    did={
        "saved": (
            r"salvei|guardei|anotei|registrei|registei|gravei|memorizei|atualizei|corrigi|mudei|alterei|adicionei|"
            r"acrescentei|"
            r"tomei nota|incluí|apontei|armazenei|modifiquei|coloquei (?:isso )?na (?:minha memória|sua lista)"
        ),
        "forgotten": r"apaguei|removi|eliminei|excluí|esqueci(?! de)|deletei|retirei|tirei (?:isso|da)",
        "scheduled": (
            r"(?:criei|coloquei|pus|defini|configurei|ativei|marquei|deixei)(?: [^ ]+){0,3}? (?:lembrete|alarme|"
            r"aviso|despertador|rotina)|agendei|programei|reagendei"
        ),
        "cancelled": (
            r"cancelei|desliguei|pausei|desativei|suspendi|(?:apaguei|removi|parei)(?: [^ ]+){0,3}? (?:lembretes?|"
            r"alarmes?|"
            r"avisos?|mensagens)"
        ),
        "connected": r"(?:des)?conectei|(?:des)?vinculei",
    },
    will={
        "saved": (
            r"vou (?:me |sempre |te )?(?:lembrar|guardar|anotar|salvar|registrar|memorizar|atualizar|levar|ter|"
            r"gravar|manter)(?:-me)?(?: (?:isso|em mente|em conta))?|"
            r"(?:lembrarei|guardarei|anotarei|salvarei|registrarei|lembrar-me-ei|memorizarei)|(?:terei|tenho|"
            r"levarei) (?:isso )?em (?:conta|mente)|"
            r"vou-me lembrar|(?:{HENCE}) .*(?:rei|vou .*)|vou\b.* (?:{HENCE})|(?:anoto|guardo|registro|"
            r"salvo) (?:isso|aqui|já|tudo)|pode deixar que (?:eu )?(?:me )?(?:lembro|anoto|guardo)(?: disso)?"
        ),
        "forgotten": (
            r"vou (?:esquecer|apagar|excluir|remover|eliminar) (?:isso|tudo|o|a)|(?:esquecerei|apagarei|removerei)"
        ),
        "scheduled": (
            r"(?:vou|irei) (?:te |lhe )?(?:avisar|mandar|enviar|acordar|chamar|escrever)(?:-te| você|-lo|-la)?|"
            r"vou (?:te|lhe) (?:lembrar|relembrar)|"
            r"vou (?:lembrar você|lembrá-l[oa]|lembrar-te|avisá-l[oa])|vou-te (?:lembrar|avisar)|(?:te|"
            r"lhe) (?:lembrarei|avisarei|mandarei)|"
            r"te (?:lembro|aviso|mando|acordo|chamo)(?: [^ ]+){0,2}? (?:às|amanhã|todo|no|na|em|hoje|um)|"
            r"(?:lembro|aviso|mando|acordo)-te|(?:lembrar|avisar)-te-ei|"
            r"(?:aviso|lembro) você|você (?:vai receber|receberá|terá) (?:um|o|seu) (?:lembrete|aviso|mensagem)|"
            r"vou (?:criar|agendar|programar|colocar)(?: [^ ]+){0,3}? (?:lembrete|alarme|aviso)"
        ),
        "cancelled": (
            r"vou (?:cancelar|pausar|desativar|suspender|parar)(?: [^ ]+){0,4}|não vou mais (?:te )?(?:lembrar|"
            r"avisar|mandar)"
        ),
    },
    wont=(
        r"não (?:vou (?:me )?esquecer|(?:me )?esquecerei|(?:me )?esqueço|vou-me esquecer)|não vou esquecer|"
        r"(?:{HENCE}) não vou.*"
    ),
    hence=r"(?:de agora em diante|a partir de agora|daqui (?:para|pra) (?:a )?frente|doravante|no futuro)",
    leads=(
        r"ok|certo|claro|perfeito|bem|muito bem|beleza|entendido|entendi|sim|e|obrigad[oa]|combinado|pronto|"
        r"tudo|ótimo|com certeza|"
        r"desculpe|desculpa|já|isso|show|blz|está bem|legal|pode deixar|considere|prontinho|agora"
    ),
    tails=(
        r"para (?:você|ti|depois|a próxima|sempre|o futuro)|pra (?:você|próxima|sempre)|{IN_MEMORY}|agora|já|"
        r"também|como (?:pediu|pedido|você .*|querias)|"
        r"conforme .*|e .*|obrigad[oa].*|corretamente|com sucesso|aqui|direitinho"
    ),
    denied=(
        r"\b(?:não|nunca|nada|nenhum|nenhuma|tampouco|sem|nem|jamais|ela|ele|eles|você)\b(?! (?:está|ficou|"
        r"foi|já|vai receber|receberá|terá|às|amanhã|todo))"
    ),
    offered=(
        r"\b(?:se|quando|assim que|me diga|diga|diz-me|quer que|queres que|posso|poderia|me conta|me conte|"
        r"basta)\b"
    ),
    wish=r"\b(?:se (?:quiser|você|preferir|desejar|quiseres|me)|quando (?:me|você)|assim que)\b",
    retold=(
        r"\b(?:que|como|quando|se|coisas|onde|qual|porque|conforme)(?: eu)?|\b(?:que|como|quando|"
        r"se) (?:já )?eu(?: já)?"
    ),
    past=(
        r"ontem|antes|anteriormente|(?:na )?(?:semana|mês|ano|última|vez) passad[oa]|no mês passado|há [^ ]+|"
        r"em (?:janeiro|fevereiro|março|abril|maio|junho|"
        r"julho|agosto|setembro|outubro|novembro|dezembro)|quando você|outro dia|da última vez"
    ),
    aside=(
        r"\b(?:sem (?:problemas?|dúvida|falta|stress)|não (?:se preocupe|te preocupes|há problema|"
        r"tem problema)|como não)\b"
    ),
    elsewhere=r"\b(?:rascunho|parágrafo|frase|texto|e-?mail|carta|vírgula|receita|sal|poema|código|versão|tom)\b",
    ambiguous=(
        r"atuali|corrig|mudei|mudad|alter|adicion|acrescent|incluí|modific|apag|remov|elimin|exclu|tirei|"
        r"coloquei"
    ),
    own_name=r"\b(?:seu|teu) nome\b",
    not_done=truths(
        "(Para deixar claro: não salvei nada agora.)",
        "(Para deixar claro: não apaguei nada agora.)",
        "(Para deixar claro: não agendei nada agora.)",
        "(Para deixar claro: não cancelei nada agora.)",
        "(Para deixar claro: não conectei nem desconectei nada agora.)",
        "(Para deixar claro: não mudei nada agora.)",
    ),
)
