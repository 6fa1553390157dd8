"""Claims in Turkish, whose verbs say by themselves who did it and whether it was not done."""

from app.conversation.claim_words.language import Language, truths

TURKISH = Language(
    signs=r"[ğışçöü]|(?:[dt][iu]m?|cağım|eceğim|yorum|mam|rim)\b|\b(?:tamam|bitti|alarm|iptal)",
    parts={
        "ROUTINE": r"(?:hatırlatıcı|hatırlatma|alarm|anımsatıcı|zamanlayıcı|bildirim|rutin|mesaj)[^ ]*",
        "KEPT": (
            r"(?:kaydedildi|kaydoldu|not edildi|not alındı|eklendi|güncellendi|kayıtlı|kayıt edildi|değiştirildi|"
            r"düzeltildi|kayda geçti|aklımda|hafızamda|not düşüldü|kayıtlara geçti)"
        ),
        "GONE": r"(?:silindi|kaldırıldı|unutuldu|temizlendi|çıkarıldı)",
        "SET": r"(?:kuruldu|ayarlandı|oluşturuldu|eklendi|planlandı|hazır|aktif|ayarlı|kurulu|güncellendi|ertelendi)",
        "OFF": r"(?:iptal edildi|durduruldu|kapatıldı|duraklatıldı|silindi|kaldırıldı|iptal)",
        "ANY": r"(?:[^ ]+ ){0,4}?",
    },
    hence=r"(?:bundan sonra|bundan böyle|artık)",
    leads=(
        r"tamam|tamamdır|peki|harika|anladım|evet|tabii|tabii ki|elbette|teşekkürler|ve|oldu|bu|bunu|hepsi|"
        r"her şey|bilgi|bilgin|bilgiler|süper|hemen|pardon|özür dilerim|üzgünüm|başarıyla|artık|şimdi|"
        r"hafızama|hafızamdan|hafızamda|listenden|listene|notlarıma|notlarımdan|profiline|senin için|"
        r"sizin için|adresin|adresiniz|tercihin|notun"
    ),
    tails=(
        r"(?:hafızama|hafızamdan|hafızamda|notlarıma|listene|profiline)|artık|bile|ve .*|teşekkürler|"
        r"senin için|istediğin gibi|o zaman|bilgin olsun"
    ),
    done={
        "saved": (
            (
                r"(?<!\w)(?:kaydettim|not ettim|not aldım|not düştüm|güncelledim|düzelttim|hafızama (?:aldım|kazıdım|"
                r"attım)|aklıma (?:yazdım|not ettim)|kaydediyorum|not ediyorum|not alıyorum|"
                r"ezberledim|sakladım|kayda aldım|bir kenara (?:yazdım|not ettim)|(?:hafıza|liste|not|profil|defter|"
                r"kayıt)[^ ]* (?:[^ ]+ )?(?:ekledim|yazdım|aldım|koydum|geçirdim)|ekledim|değiştirdim|"
                r"kaydetmiş oldum)(?!\w)"
            ),
        ),
        "forgotten": (
            (
                r"(?<!\w)(?:sildim|kaldırdım|unuttum|temizledim|siliyorum|(?:hafızamdan|listenden|"
                r"notlarımdan) (?:çıkardım|attım))(?!\w)"
            ),
        ),
        "scheduled": (
            (
                r"(?<!\w){ROUTINE} {ANY}(?:kurdum|ayarladım|oluşturdum|ekledim|planladım|koydum|kuruyorum|"
                r"erteledim)(?!\w)|(?<!\w)(?:planladım)(?!\w)"
            ),
        ),
        "cancelled": (
            (
                r"(?<!\w)(?:iptal ettim|durdurdum|duraklattım|{ROUTINE} {ANY}(?:kapattım|sildim|"
                r"kaldırdım))(?!\w)"
            ),
        ),
        "connected": (r"(?<!\w)takvim[^ ]* (?:[^ ]+ )?(?:bağladım|bağlandı|kaldırdım)(?!\w)",),
        "done": (r"{START}hallettim(?!\w)",),
    },
    alone={
        "saved": (r"{KEPT}",),
        "forgotten": (r"{GONE}",),
        "scheduled": (r"{ANY}{ROUTINE} {ANY}{SET}(?:dır|dir)?",),
        "cancelled": (r"{ANY}{ROUTINE} {ANY}{OFF}|(?:iptal edildi|duraklatıldı)",),
        "done": (r"tamamlandı|halloldu|oldu bil|bitti|hallettim",),
    },
    state={},
    will={
        "saved": (
            (
                r"(?<!\w)(?:hatırlayacağım|(?:aklımda|hafızamda|kenarda) tut(?:acağım|arım|uyorum)|kaydedeceğim|"
                r"not (?:edeceğim|alacağım|ederim|alırım)|göz önünde bulunduracağım|"
                r"dikkate alacağım|aklımda olacak|hatırımda tutacağım|(?:{HENCE}) (?:[^ ]+ )*?[^ ]+(?:acağım|eceğim|"
                r"arım|erim|ırım|irim))(?!\w)"
            ),
        ),
        "forgotten": (r"(?<!\w)(?:sileceğim|unutacağım|silerim)(?!\w)",),
        "scheduled": (
            (
                r"(?<!\w)(?:hatırlat(?:acağım|ırım)|haber (?:vereceğim|veririm)|uyandır(?:acağım|ırım)|(?:mesaj|"
                r"bildirim) (?:atacağım|atarım|göndereceğim|gönderirim)|(?:sana|size) (?:[^ ]+ )*?(?:yazacağım|"
                r"yazarım))(?!\w)"
            ),
        ),
        "cancelled": (r"(?<!\w)(?:iptal ede(?:ceğim|rim)|durduracağım)(?!\w)",),
    },
    wont={
        "saved": (r"(?<!\w)unutmayacağım(?!\w)|(?<!\w)unutmam(?!\w)",),
        "cancelled": ((r"(?<!\w)(?:artık|bir daha) {ANY}hatırlatmayacağım(?!\w)"),),
    },
    denied=r"(?<!\w)(?:hiçbir|hiç|değil|yok|henüz)(?!\w)",
    offered=(
        r"(?<!\w)(?:istersen|isterseniz|eğer|dilersen|[^ ]+(?:rsan|rsen|rsanız|rseniz|ınca|ince|dığında|"
        r"diğinde))(?!\w)"
    ),
    wish=r"(?<!\w)(?:istersen|isterseniz|dilersen|eğer)(?!\w)",
    past=(
        r"geçen [^ ]+|dün|daha önce|önceden|önce|(?:mayısta|nisanda|martta|haziranda|temmuzda|ocakta|eylülde)|"
        r"o zaman(?=ki)"
    ),
    aside=(
        r"(?<!\w)(?:sorun (?:değil|yok)|merak etme(?:yin)?|problem (?:değil|yok)|önemli değil|hiç sorun değil|"
        r"rica ederim)(?!\w)"
    ),
    elsewhere=r"(?<!\w)(?:taslak|paragraf|cümle|metin|metni|mektup|virgül|tarif|tuz|şiir|kod)[^ ]*",
    ambiguous=r"ekledim|değiştirdim|düzelttim|güncelledim|sildim|kaldırdım|temizledim",
    already=r"(?<!\w)(?:zaten|hâlâ|hala)(?!\w)",
    own_name=r"(?<!\w)(?:adını|ismini|adınızı|isminizi)(?!\w)",
    not_done=truths(
        "(Açık olmak gerekirse: şu anda hiçbir şey kaydedilmedi.)",
        "(Açık olmak gerekirse: şu anda hiçbir şey silinmedi.)",
        "(Açık olmak gerekirse: şu anda hiçbir şey planlanmadı.)",
        "(Açık olmak gerekirse: şu anda hiçbir şey iptal edilmedi.)",
        "(Açık olmak gerekirse: şu anda hiçbir şey bağlanmadı ya da ayrılmadı.)",
        "(Açık olmak gerekirse: şu anda hiçbir şey değiştirilmedi.)",
    ),
)
