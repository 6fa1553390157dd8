"""How people ask, in their own words, not to be texted any more: the table that `opt_out.py` reads.

What its fields mean is said in `opt_out_english.py`.
"""

from app.assistant.opt_out_english import ENGLISH, Language

SPANISH = Language(
    stems=(
        " list|acosar|alto|baja|contac|de datos|en paz|enviar|escrib|habl|llam|mandar|mensaj|molest|msg|msj"
        "|no mas|no me envi|no me mand|numer|que me envi|que me mand|sistema|sms|suscri|telefono|text"
        "|tranquil|vuelva|whatsapp"
    ),
    parts={
        "TEXTS": r"(?:mensajes?|mensajitos|msjs?|msgs?|sms|textos|whatsapps?)(?: de texto)?",
        "TO_ME": r"(?:escribirme|textearme|contactarme|molestarme|hablarme|acosarme|llamarme)",
        "SENDING": r"(?:mandarme|enviarme|mandar|enviar)(?: más| estos| esos| tus| sus)*(?: {TEXTS})?",
        "LIST": r"(?:tu|su|la|esta|tus|sus) (?:lista|listas|base de datos|sistema)",
    },
    leads=(
        r"por favor|porfavor|porfa|oye|hola|ya|pero|y|gracias|número equivocado|te pido que|les pido que|que",
        r"quiero que|necesito que|de verdad|en serio|por última vez|te dije que|les dije que|disculpe|perdón",
    ),
    wishes=(
        r"(?:deja|dejen|deje|dejes|dejad|para|paren|pare|parad|cesen|basta) (?:ya )?de (?:{TO_ME}|{SENDING})",
        r"(?:no quiero que |no )me (?:escrib(?:as|an|a|áis)|(?:contact|molest|texte|habl|llam)(?:es|en|e|éis))",
        r"(?:no quiero que |no )me (?:mand|enví)(?:es|en|e|éis)(?: más)?(?: {TEXTS}| nada)?",
        r"no (?:quiero|deseo|quisiera)(?: recibir)?(?: más)?(?: sus| tus| estos)? {TEXTS}(?: tuyos| suyos)?",
        r"(?:quiero|quisiera|deseo) dejar de recibir(?: estos| sus| tus)? {TEXTS}",
        r"no más {TEXTS}|basta de {TEXTS}|(?:cancela|cancelen|detén|detengan) (?:los|estos|tus|sus) {TEXTS}",
        r"no (?:vuelv)(?:as|an|a) a (?:{TO_ME}|{SENDING})",
        r"(?:bórr|quít|sác|elimín)(?:ame|enme|eme) de {LIST}",
        r"(?:elimin|borr|quit|sac)(?:a|en|e|ar) (?:mi|este) (?:número|teléfono)(?: de {LIST})?",
        r"(?:dejame|dejenme|dejeme|dejadme) (?:en paz|tranquil[oa])",
        r"(?:quiero|quisiera|deseo|necesito) (?:darme|que me den) de baja|(?:dame|denme|deme) de baja",
    ),
    tails=(
        r"por favor|porfa|gracias|nunca|jamás|más|ya|ahora|nunca más|otra vez|a este número|en este número|tuyos|suyos",
        r"de ustedes|en serio|de una vez|o .*",
    ),
    alone=(r"no más|baja|(?:cancelar|cancela|cancelen)(?: mi| la)? suscripción|desuscribir(?:me)?|alto",),
)

FRENCH = Language(
    stems=(
        " list|arret|contac|derang|desabon|en paix|inscri|la paix|mail|mecri|menvo|messag|msg|numer|sms|text|tranquil"
    ),
    parts={
        "TEXTS": r"(?:messages?|textos?|sms|msgs?|mails?)",
        "THE": r"(?:(?:de|des|vos|tes|ces|aucun|d|tous|plus de) )*",
        "PLEASE": r"(?: svp| stp| s'il (?:vous|te) plaît)?",
    },
    leads=(
        r"svp|stp|s'il (?:vous|te) plaît|bonjour|salut|non|merci|mais|et|mauvais numéro|désolée?|qui êtes vous",
        r"je (?:vous|te) demande|pouvez vous|peux tu|veuillez|pour la dernière fois",
    ),
    wishes=(
        r"(?:arrête|arrêtez|cesse|cessez|arrêter|cesser){PLEASE} de (?:m'écrire|me contacter|me déranger|me texter)",
        r"(?:arrête|arrêtez|cesse|cessez|arrêter|cesser){PLEASE} de (?:m'envoyer|envoyer) {THE}{TEXTS}",
        r"(?:arrête|arrêtez|cessez|stop) (?:avec )?(?:les|vos|tes|ces) {TEXTS}|stop {TEXTS}",
        r"(?:ne )?(?:m'écris|m'écrivez|me contactez?|me contactes|me textez?|me dérangez?) (?:plus|jamais)",
        r"(?:ne )?m'(?:envoie|envoyez|envoies) (?:plus|jamais)(?: rien| {THE}{TEXTS})?",
        r"(?:de )?ne plus (?:m'écrire|me contacter|me texter|m'envoyer {THE}{TEXTS})",
        r"je ne (?:veux|souhaite|désire) plus être (?:contactée?|dérangée?)|plus (?:de|aucun) {TEXTS}",
        r"je ne (?:veux|souhaite|désire) (?:plus|pas)(?: recevoir)? {THE}{TEXTS}(?: de (?:vous|votre part))?",
        r"je (?:veux|souhaite|désire) plus (?:recevoir {THE}|(?:de )?(?:vos|tes|ces) ){TEXTS}",
        r"(?:je (?:veux|souhaite|voudrais|désire) )?me (?:désabonner|désinscrire)(?: de (?:vos|ces) {TEXTS})?",
        r"(?:désabonnez?|désinscri[sv]e?z?) moi",
        r"(?:retirez?|enlevez?|supprimez?|effacez?|ôtez?) (?:moi|mon numéro) de (?:votre|ta|la|cette|vos) listes?",
        r"(?:retirez?|supprimez?|effacez?|oubliez?) mon numéro",
        r"(?:laissez|laisse) (?:moi|nous) (?:tranquilles?|en paix)|(?:foutez|fous|fichez|fiche) moi la paix",
    ),
    tails=(
        r"svp|stp|s'il (?:vous|te) plaît|merci|jamais|plus|rien|maintenant|du tout|à ce numéro|sur ce numéro|ou .*",
    ),
    alone=(r"arrêt|arrêtez?|désabonnement|désabonner|désinscription|désinscrire",),
)

GERMAN = Language(
    stems=(
        " list|abbestell|abmeld|auf damit|auf mi|austrag|in frieden|in ruhe|kontakt|meld|mitteilung"
        "|nachricht|nummer|schick|schreib|send|sende|sms|stop|text"
    ),
    parts={
        "TEXTS": r"(?:nachrichten|nachricht|sms|texte|mitteilungen)",
        "HEAR": r"(?: (?:bekommen|erhalten|haben|empfangen))?",
        "WANT": r"ich (?:möchte|will|wünsche)(?: bitte)?",
        "NEVER": r"(?:nicht mehr|nie wieder|nie mehr|nicht|niemals wieder)",
    },
    leads=(
        r"bitte|hallo|hey|nein|danke|aber|und|sorry|falsche nummer|jetzt|endlich|ich bitte (?:sie|dich|euch)",
        r"(?:können|könnten) sie|kannst du",
    ),
    wishes=(
        r"(?:hören sie|hört|hoe?r)(?: bitte)?(?: endlich)? auf(?: damit)? (?:mir|mich)(?: {TEXTS})?(?: weiter)? zu \w+",
        r"(?:schreiben sie|schreibe?|schreibt|texte|text)(?: bitte)? mir(?: bitte)? (?:{NEVER}|nichts mehr)",
        (
            r"(?:schicken sie|senden sie|schicke?|schickt|sende?|sendet)(?: bitte)? mir(?: bitte)?"
            r" (?:keine|nie wieder|nichts|nie mehr)(?: weiteren)?(?: {TEXTS})?(?: mehr)?"
        ),
        r"keine weiteren {TEXTS}|keine {TEXTS} mehr|ich (?:will|möchte) nicht mehr(?: von \w+)? kontaktiert werden",
        r"{WANT} keine(?: weiteren)? {TEXTS}(?: mehr)?(?: von \w+)?(?: mehr)?{HEAR}",
        r"{WANT} mich(?: bitte)? (?:abmelden|austragen)|(?:melden sie|melde?|meldet) mich(?: bitte)? ab",
        r"(?:lassen sie|lasst|lass|laß)(?: bitte)? mich(?: bitte)?(?: endlich)? in (?:ruhe|frieden)",
        r"(?:löschen sie|lösche?|löscht|entfernen sie|entferne?)(?: bitte)? (?:meine|diese) nummer",
        (
            r"(?:nehmen sie|nimm|nehmt|streichen sie|streich|entfernen sie|entferne?)(?: bitte)? (?:mich|meine nummer)"
            r" (?:von|aus) (?:der|ihrer|eurer|deiner|dieser) liste"
        ),
        r"(?:kontaktieren sie|kontaktiere?|kontaktiert)(?: bitte)? mich(?: bitte)? {NEVER}",
    ),
    tails=(r"bitte|danke|mehr|jetzt|sofort|endlich|nie wieder|oder .*|an diese nummer|unter dieser nummer",),
    alone=(r"stopp?|abmelden|abbestellen|abmeldung|austragen",),
)

PORTUGUESE = Language(
    stems=(
        " list|contac|de me |descadastr|em paz|inscri|mais nada d|mensag|meu telefone|msg|nao me |numer"
        "|parar|receber|sair|sms|torpedo"
    ),
    parts={
        "TEXTS": r"(?:mensagens|mensagem|msgs?|sms|torpedos?)",
        "STOP": r"(?:pare|para|parem|deixe|deixem)",
        "LIST": r"(?:da|dessa|desta|de sua|da sua|da vossa|da tua) lista",
    },
    leads=(r"por favor|pfv|pf|oi|olá|obrigad[oa]|mas|e|número errado|quero que|já|chega|desculpa|desculpe",),
    wishes=(
        r"não quero(?: mais)? (?:receber (?:mais )?nada|ser contactad[oa])(?: (?:de|d)\w* ?\w*)?",
        r"não quero mais nada (?:de|d)\w* ?\w*",
        (
            r"{STOP} (?:já )?de me (?:mandar|enviar|escrever|contactar|contatar|incomodar|perturbar)"
            r"(?: mais| essas| estas| tantas)*(?: {TEXTS})?"
        ),
        r"{STOP} de (?:mandar|enviar)(?: me)?(?: essas| mais| estas)* {TEXTS}|{STOP} com (?:as|essas|estas) {TEXTS}",
        r"não quero(?: mais)?(?: receber)?(?: mais)?(?: suas| essas| estas| as| vossas)?(?: mais)? {TEXTS}",
        r"não me (?:mand|envi|contact|contat|incomod|perturb)(?:e|em|a|am|es)(?: mais)?(?: {TEXTS}| nada)?",
        r"não me escrev(?:a|am|as|e|em)",
        r"(?:quero|gostaria de) (?:parar|deixar) de receber(?: suas| essas)? {TEXTS}|chega de {TEXTS}",
        r"(?:quero )?cancelar? (?:as|essas|estas|suas) {TEXTS}|(?:chega|sem) mais {TEXTS}",
        r"(?:me deix|deix)(?:a|e|em|am)(?: me)? em paz",
        r"(?:me (?:tir|remov|retir)(?:a|e|em|am)|(?:tir|remov|retir)(?:a|e|em) me) {LIST}",
        r"(?:remov|apagu?|delet|exclu|tir|retir)(?:a|e|i|em|am)(?: o)? meu (?:número|telefone)(?: {LIST})?",
        r"me descadastr(?:a|e|em)|quero (?:me descadastrar|sair {LIST}|cancelar a inscrição)",
    ),
    tails=(r"por favor|pfv|pf|obrigad[oa]|mais|nunca mais|nunca|já|agora|para este número|neste número|ou .*",),
    alone=(r"sair|parar|descadastrar|cancelar inscrição",),
)

ITALIAN = Language(
    stems=" list|cancell|contat|disturb|inviar|inviat|iscri|lasci|mandar|mandate|messag|msg|numer|scriv|sms",
    parts={
        "TEXTS": r"(?:messaggi|messaggio|sms|msg)",
        "STOP": r"(?:smettila|smettetela|smetti|smettete|(?:la )?smetta|piantala|piantatela|finitela)(?: per favore)?",
        "SEND": r"(?:mandar|inviar|scriver)mi",
    },
    leads=(r"per favore|per piacere|ti prego|vi prego|ciao|salve|no|grazie|ma|e|ora|scusi|numero sbagliato|adesso",),
    wishes=(
        r"{STOP} di (?:scrivermi|contattarmi|disturbarmi|messaggiarmi|{SEND}(?: altri| questi| più| i)*(?: {TEXTS})?)",
        (
            r"non (?:mi (?:scrivere|scriva|scrivete|contattare|contatti|disturbare)|scrivermi|scrivetemi|contattarmi|"
            r"contattatemi|disturbarmi|disturbatemi)"
        ),
        r"non (?:mandarmi|mandatemi|inviarmi|inviatemi|mi mand(?:are|ate))(?: più)?(?: altri)? (?:{TEXTS}|niente)",
        r"(?:basta|niente più|stop|nessun)(?: con)?(?: i| gli| questi| quei)? {TEXTS}",
        r"non (?:voglio|desidero)(?: più)?(?: ricevere)?(?: più)?(?: altri| i vostri| i tuoi| questi)? {TEXTS}",
        r"non voglio(?: più)? essere(?: più)? (?:contattat|disturbat)[oa]",
        r"(?:voglio|vorrei) smettere di ricevere(?: questi| i vostri)? {TEXTS}",
        r"(?:lasciami|lasciatemi|mi lasci) (?:in pace|stare)",
        (
            r"(?:cancella|togli|rimuovi|elimina|cancellate|togliete|rimuovete|eliminate)(?:mi|temi)?(?: il mio numero)?"
            r" dal(?:la|le)?(?: vostra| tua| sua)? list[ae]"
        ),
        r"(?:cancell|elimin|rimuov|togl)(?:a|i|ate|ete|iete) il mio numero",
        r"disiscriv(?:imi|etemi)|(?:voglio|vorrei) (?:disiscrivermi|cancellarmi)",
    ),
    tails=(r"per favore|per piacere|grazie|mai|più|mai più|ora|adesso|subito|a questo numero|su questo numero|o .*",),
    alone=(r"disiscrivi(?:mi)?|annulla iscrizione|cancellami",),
)

DUTCH = Language(
    stems=(
        "afmeld|app me|app mij|appjes|bericht|contac|lijst|meld m|met rust|niets meer|niks meer|nummer"
        "|schrijf|sms|stop|uitschr"
    ),
    parts={
        "TEXTS": r"(?:berichten|berichtjes|sms|smsjes|appjes)",
        "PLEASE": r"(?: alsjeblieft| alstublieft| aub)?",
    },
    leads=(r"alsjeblieft|alstublieft|aub|graag|hallo|hoi|nee|bedankt|maar|en|verkeerd nummer|wil je|kunt u|sorry",),
    wishes=(
        r"stop{PLEASE} met(?: mij| me)?(?: te)? (?:sms'en|appen|berichten|contacteren|lastigvallen|schrijven|sturen)",
        r"stop{PLEASE} met(?: deze| die| al die| het)? {TEXTS}(?: naar (?:mij|me))?(?: te)?(?: sturen)?",
        r"geen {TEXTS} meer(?: sturen)?|ik wil(?: graag)? geen {TEXTS}(?: van \w+)?(?: meer)?(?: ontvangen| krijgen)?",
        r"stuur{PLEASE} (?:me|mij)(?: alsjeblieft)? (?:geen {TEXTS} meer|niets meer|niks meer)",
        r"(?:sms|app|contacteer|schrijf|bericht) (?:me|mij) (?:niet meer|nooit meer)",
        r"laat (?:me|mij)(?: alsjeblieft)? met rust",
        r"(?:haal|verwijder|schrap) (?:me|mij|mijn nummer) (?:van|uit) (?:de|deze|uw|je|jullie) lijst",
        r"(?:verwijder|wis|schrap) mijn nummer",
        r"ik wil (?:me|mij) (?:afmelden|uitschrijven)|schrijf (?:me|mij) uit|meld (?:me|mij) af",
    ),
    tails=(r"alsjeblieft|alstublieft|aub|bedankt|dank je|nu|nooit meer|meer|op dit nummer|of .*",),
    alone=(r"afmelden|uitschrijven|stoppen|afmelding",),
)

POLISH = Language(
    stems="numer|pisa|pisz|sms|spok|wiadomo|wysył",
    parts={"TEXTS": r"(?:wiadomości|sms ?ów|smsy|sms ?y)"},
    leads=(r"proszę|hej|już|dziękuję",),
    wishes=(
        r"przesta(?:ń|ńcie|ć)(?: już)? do mnie pisać",
        r"przesta(?:ń|ńcie|ć)(?: już)?(?: mi)? (?:pisać|wysyłać)(?: {TEXTS})?",
        r"nie (?:pisz|piszcie)(?: już| więcej)? do mnie|nie (?:wysyłaj|wysyłajcie) mi(?: już| więcej)?(?: {TEXTS})?",
        r"nie chcę(?: już)?(?: dostawać| otrzymywać)?(?: więcej)? {TEXTS}|koniec z {TEXTS}",
        r"(?:daj|dajcie) mi(?: święty)? spokój|(?:zostaw|zostawcie) mnie w spokoju",
        r"(?:usuń|usuńcie|skasuj) mój numer|(?:wypisz|wypiszcie) mnie",
    ),
    tails=(r"proszę|więcej|już|nigdy|dziękuję|nigdy więcej",),
)

TURKISH = Language(
    stems=" list|mesaj|numaram|rahat birak|sms|telefonum|yazma",
    parts={"TEXTS": r"(?:mesaj|sms)"},
    leads=(r"lütfen|artık|bir daha|hayır|merhaba|bana",),
    wishes=(
        r"(?:bana )?(?:bir daha |artık )?{TEXTS} (?:atma|atmayın|gönderme|göndermeyin|yollama|yollamayın)",
        r"{TEXTS} (?:atmayı|göndermeyi|yazmayı) (?:bırak|bırakın|kes|kesin)|bana yazmayı (?:bırak|bırakın|kes|kesin)",
        r"(?:artık )?{TEXTS} istemiyorum|beni rahat bırak(?:ın)?|bana (?:bir daha|artık) yazma(?:yın)?",
        r"(?:numaramı|telefonumu) sil(?:in)?|beni(?: bu)? listeden (?:çıkar|sil)(?:ın|in)?",
    ),
    tails=(r"lütfen|artık|bir daha|teşekkürler",),
)

RUSSIAN = Language(
    stems="в покое|номер|отвал|отпи|отста|писа|пиши|присыл|слать|смс|сообщ|стоп|шли",
    parts={"TEXTS": r"(?:сообщени[яй]|смс|смски)"},
    leads=(r"пожалуйста|нет|привет|здравствуйте|я|вы|прошу|и|но|больше|мне",),
    wishes=(
        (
            r"(?:хватит|перестань|перестаньте|прекрати|прекратите)(?: уже)?(?: мне)?"
            r" (?:писать|присылать|слать)(?: мне)?(?: {TEXTS})?"
        ),
        r"не (?:пиши|пишите|присылай|присылайте|шли|шлите)(?: больше)? мне(?: {TEXTS})?",
        r"больше не (?:пиши|пишите|присылай|присылайте|шли|шлите)(?: мне)?(?: {TEXTS})?",
        r"оставь(?:те)? меня в покое|отпиши(?:те)? меня|(?:удали|удалите|сотри|сотрите) мой номер",
        r"не хочу(?: больше)? получать(?: ваши| эти)? {TEXTS}",
    ),
    tails=(r"пожалуйста|больше|никогда|мне|уже|спасибо",),
    alone=(r"стоп|отписаться|отписка|отстань(?:те)?|отвали",),
)

CHINESE = Language(
    stems="传|傳|发|取消|我的号|我的电|我的號|我的電|扰我|擾我|收到|烦我|煩我|發|系我|絡我|繫我|络我|退",
    parts={
        "DONT": r"(?:别|別|不要|不用|请勿|請勿|停止)",
        "TEXTS": r"(?:短信|消息|信息|讯息|訊息|簡訊|短訊)",
        "ME": r"(?:给|給|向)我",
    },
    leads=(r"请|請|麻烦|麻煩|你们?|你們",),
    wishes=(
        r"{DONT}(?:再|继续|繼續)?{ME}(?:发|發|发送|發送|传|傳){TEXTS}?",
        r"{DONT}(?:再|继续|繼續)(?:发|發|发送|發送|传|傳){TEXTS}?(?:{ME})?|停止(?:发送|發送){TEXTS}?",
        r"{DONT}(?:再)?(?:烦|煩|打扰|打擾|骚扰|騷擾|联系|聯繫|联络|聯絡)我",
        r"(?:删除|刪除|删掉|刪掉)我的(?:号码|號碼|电话|電話)|我?不想再?收到(?:你的|你们的)?{TEXTS}",
    ),
    tails=(r"了|谢谢|謝謝|吧|啦",),
    alone=(r"退订|退訂|取消订阅|取消訂閱",),
    space="",
)

JAPANESE = Language(
    stems="sms|かまわ|ておいて|といて|よこさ|メッセージ|メール|番号|送|連絡|配信",
    parts={"TEXTS": r"(?:メッセージ|メール|ショートメール|sms|連絡)"},
    leads=(r"もう|これ以上|二度と|お願いだから|すみません|私に",),
    wishes=(
        r"(?:{TEXTS}(?:を|は)?)?(?:送ら|送信し|よこさ)ないで|(?:メール|連絡)(?:を)?しないで|{TEXTS}(?:は)?(?:いりません|要りません)",
        r"配信を?(?:停止|解除)|配信を(?:止|や)めて|(?:{TEXTS})を(?:止|や)めて",
        r"(?:放|ほ)っておいて|ほっといて|かまわないで",
        r"(?:私の)?(?:電話)?番号を(?:削除|消去)(?:して)?|(?:私の)?(?:電話)?番号を消して",
    ),
    tails=(r"ください|下さい|くれ|ほしい|希望|お願いします|よ|して",),
    space="",
)

HINDI = Language(
    stems="messag|msg|sms|एसएमएस|मुझे अकेला|मेरा नंबर|मेसेज|मैसेज|संदेश",
    parts={"TEXTS": r"(?:मैसेज|मेसेज|मेसेज़|संदेश|एसएमएस|message|msg|sms)"},
    leads=(r"कृपया|प्लीज|मुझे|अब|और|please|plz|mujhe|ab|aur",),
    wishes=(
        r"{TEXTS} (?:मत|ना|न) (?:करो|करें|करना|भेजो|भेजें|भेजना|कीजिए|भेजिए)",
        r"{TEXTS} (?:भेजना|करना) (?:बंद|बन्द) (?:करो|करें|कर दो|कीजिए)|{TEXTS} नहीं चाहिए",
        r"{TEXTS} (?:mat|na) (?:karo|karen|kare|karein|karna|bhejo|bhejna|bheje)",
        r"{TEXTS} (?:bhejna|karna) band (?:karo|kare|karein|kar do)|{TEXTS} nahi chahiye",
        r"मेरा नंबर (?:हटा|हटाओ|मिटा|डिलीट)(?: दो| दें| दीजिए| करो)?|मुझे अकेला छोड़ (?:दो|दें)",
    ),
    tails=(r"कृपया|प्लीज|अब|please|plz|ab",),
)

ARABIC = Language(
    stems="الاتصال بي|الاشتراك|تتصل|تزعج|تكتب لي|راسل|رسائل|رقمي|زعاجي|شأني|لوحدي",
    parts={"TEXTS": r"(?:ال)?رسائل(?:ك|كم)?"},
    leads=(r"من فضلك|رجاء|رجاءً|لو سمحت|أرجوك|أرجوكم",),
    wishes=(
        r"(?:توقف|توقفوا|كف|كفوا) عن (?:مراسلتي|إزعاجي|الاتصال بي|إرسال {TEXTS}(?: لي| إلي)?)",
        r"لا (?:تراسلني|تراسلوني|تكتب لي|تتصل بي|تزعجني|تزعجوني)",
        r"لا (?:ترسل|ترسلوا)(?: لي| إلي)?(?: أي| المزيد من)? {TEXTS}",
        r"(?:اتركني|اتركوني|دعني|دعوني) (?:وشأني|لوحدي)",
        r"لا أريد(?: المزيد من| أي| هذه)? {TEXTS}|(?:احذف|احذفوا|امسح) رقمي",
    ),
    tails=(r"من فضلك|رجاء|بعد الآن|مرة أخرى|أبدا|شكرا",),
    alone=(r"إلغاء الاشتراك|الغاء الاشتراك|إيقاف الرسائل",),
)

LANGUAGES = (
    ENGLISH,
    SPANISH,
    FRENCH,
    GERMAN,
    PORTUGUESE,
    ITALIAN,
    DUTCH,
    POLISH,
    TURKISH,
    RUSSIAN,
    CHINESE,
    JAPANESE,
    HINDI,
    ARABIC,
)
