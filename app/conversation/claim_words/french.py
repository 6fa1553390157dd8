"""Claims in French."""

from app.conversation.claim_words.language import european, truths

FRENCH = european(
    signs=r"[éèêàçœ]|\b(?:j|je|c|tu|ta|ton|tes|le|la|les|est|vous|votre|fait|bon|ça|mis|ce|cette|cela)\b|"
    r"\b(?:en ordre|retenu|"
    r"rappel)",
    parts={
        "LOOKED": r"regardé|cherché|vérifié|trouvé|consulté|vu|lu|parcouru",
        "TO_YOU": (
            r"je (?:te |vous |t')(?:l')?(?!recommande|conseille|suggère|souhaite|vois|verrai|retrouve|comprends|"
            r"propose|remercie|aide|crois)[^ ]+(?:rai|e|s)"
        ),
        "LATER": (
            r"(?<!\w)(?:demain|à \d|chaque|tous les|toutes les|ce soir|(?:lundi|mardi|mercredi|jeudi|vendredi|"
            r"samedi|dimanche)|dans \d+|plus tard)(?!\w)"
        ),
        "YOUR": r"(?:ton|ta|tes|votre|vos)",
        "STORED": r"(?:enregistr|not|sauvegard|mémoris|consign)ée?s?",
        "HAVE": (
            r"(?:\bj'|\bje (?:l'|les |te l'|vous l'|t'|m'|me (?:les|la) |vous )|\bje me (?:le |la )?l'?|on l'|"
            r"\bje viens de )(?:ai|a|suis)?(?: tout)?"
        ),
        "KEPT": (
            r"(?:(?:not|enregistr|sauvegard|mémoris|ajout|corrig|modifi|chang|consign|stock|conserv|gard|archiv|"
            r"rectifi|"
            r"actualis|ajust|rajout|intégr)ée?s?|retenue?s?|inscrite?s?|mise?s? à jour|"
            r"prise?s? (?:bonne )?(?:en )?note|"
            r"mis de côté|pris en compte|dans la boîte|mise?s? en mémoire)"
        ),
        "GONE": r"(?:(?:supprim|effac|oubli|retir|enlev)ée?s?)",
        "SET": (
            r"(?:(?:programm|régl|cré|planifi|configur|ajout|activ|pos|paramétr|déplac|report|décal|modifi|enregistr|"
            r"not|cal)ée?s?|"
            r"mise?s?(?: en place)?|en place|active?|définie?s?|prévue?s?|prête?s?|repris)"
        ),
        "OFF": (
            r"(?:(?:annul|désactiv|arrêt|coup|stopp|saut)ée?s?|suspendue?s?|mise?s? en (?:pause|veille)|"
            r"interrompue?s?|en pause)"
        ),
        "PLUGGED": r"(?:(?:dé)?connectée?|(?:dis)?associée?|reliée?|(?:dé)?liée?)",
        "IT_IS": (
            r"(?:(?:c'est|c'était|voilà qui est|tout est|ça y est|(?:cela|ça|ceci|il|elle) (?:est|a été)|c'|"
            r"est)(?: {SO})*)"
        ),
        "SO": r"(?:bien|maintenant|désormais|déjà|tout|bon)",
        "IS": r"(?:est|sont|a été|ont été|a bien été|sera)",
        "THE": r"(?:ton|votre|le|la|les|l'|tes|vos|ce|cette|un|une|tous les|mon|ma)",
        "FACT": (
            r"(?:infos?|informations?|notes?|mémoire|profil|préférences?|règle|adresse|prénom|nom|anniversaire|"
            r"souvenir|"
            r"changements?|modifications?|fiche)"
        ),
        "IN_MEMORY": r"(?:dans|de|en|à|sur) (?:(?:ma|mes|ton|ta|tes|votre|la) )?(?:mémoire|notes|profil|liste|"
        "listes)",
        "ROUTINE": r"(?:rappels?|alarmes?|réveil|routines?|alertes?|minuteur|notifications?|messages?|résumé)\b",
        "CALENDAR": r"(?:calendrier|agenda)\b",
        "THING": r"(?:ça|cela|tout|pour|dans|comme|au|à|ton|ta|de)\b.*",
        "THAT": r"ce|que|parce|quand|si",
        "WHEN": r"(?:pour|à|demain|tous|chaque|le)\b",
        "PLANNED": r"(?:(?:re)?programm|planifi)ée?s?",
        "UNTIL": r"(?:jusqu|pour|comme|de)",
        "ALL_DONE": (
            r"(?:c'est |voilà |tout est |voilà c'est )?(?:fait|chose faite|réglé|bon|terminé|prêt|en ordre|"
            r"dans la poche)|c'est tout bon|ça y est"
        ),
    },
    did={
        "saved": r"je viens d(?:e |')(?:le |la |l')?(?:noter|enregistrer|ajouter|mettre à jour|corriger|sauvegarder)",
        "forgotten": r"je viens d(?:e |')(?:le |la |l')?(?:effacer|supprimer|oublier|retirer)",
    },
    will={
        "saved": (
            r"je (?:le |la |les |l'|m'en )?(?:note|retiens|enregistre|sauvegarde|mémorise|garde (?:ça |cela |"
            r"ça bien )?en (?:tête|mémoire))|"
            r"je (?:m'en )?souviendrai|je (?:le |la |l')?(?:retiendrai|noterai|garderai|enregistrerai|mémoriserai)|"
            r"je (?:vais|veillerai à) (?:m'en |le |la |l')?(?:souvenir|retenir|noter|garder|enregistrer|rappeler|"
            r"mémoriser)|"
            r"je (?:le |la )?(?:prends|prendrai) (?:bonne )?(?:en )?(?:note|compte)|je m'en rappellerai|"
            r"j'(?:en prends note|enregistre|ajoute)|"
            r"(?:{HENCE}) (?:je|j').*|\bje [^ ]*rai\b.* (?:{HENCE})"
        ),
        "forgotten": (
            r"j'(?:oublie|efface|oublierai|effacerai) (?:ça|cela|tout)|je (?:le |l')?(?:supprime|efface|oublie|"
            r"oublierai|supprimerai)"
        ),
        "scheduled": (
            r"je (?:te |vous |t')(?:le )?(?:rappellerai|préviendrai|écrirai|enverrai|réveillerai|ferai signe|"
            r"relancerai|recontacterai)|"
            r"je (?:vais|viens) (?:te|vous) (?:le )?(?:rappeler|prévenir|écrire|envoyer|réveiller)|"
            r"je (?:te|vous) (?:le )?(?:rappelle|préviens|écris|réveille|envoie|fais signe)(?: ça| cela)? (?:à|"
            r"demain|ce|dans|chaque|tous|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)|"
            r"(?:tu recevras|vous recevrez|tu auras) (?:un|ton|votre|le) (?:rappel|message)|"
            r"je (?:mets|programme|crée|règle|programmerai|mettrai)(?: [^ ]+){0,3}? (?:rappel|alarme|réveil|alerte)"
        ),
        "cancelled": (
            r"j'(?:annule|annulerai)(?: [^ ]+){0,3}|je (?:suspends|désactive|l'annule)(?: [^ ]+){0,2}|"
            r"je (?:ne )?(?:te |vous |t')(?:le )?(?:rappellerai|enverrai|écrirai) plus"
        ),
    },
    wont=(
        r"je (?:ne )?(?:l'|m'en |le |vais pas l'|vais pas )?(?:oublierai pas|n'oublierai pas|oublier|"
        r"l'oublierai pas)|je n'oublierai pas|je n'oublie pas|"
        r"(?:{HENCE}) je ne .*"
    ),
    hence=r"(?:désormais|dorénavant|à partir de maintenant|à l'avenir|dès maintenant)",
    leads=(
        r"ok|d'accord|très bien|parfait|bien|super|entendu|compris|oui|voilà|c'est|et|merci|bien sûr|pardon|désolée?|"
        r"génial|ça marche|bon|hop|noté|tout|bien reçu|considère(?:z)? (?:ça|que c'est|cela) (?:comme )?|"
        r"excuse-moi|mes excuses"
    ),
    tails=(
        r"pour (?:toi|vous|plus tard|la prochaine fois|la suite|de bon)|{IN_MEMORY}|maintenant|désormais|"
        r"comme (?:demandé|convenu|tu .*)|"
        r"aussi|également|et .*|merci.*|déjà|avec succès|correctement|là|dans un coin de ma tête|à jamais|"
        r"pour toujours"
    ),
    denied=r"\b(?:pas|rien|jamais|aucune?|sans|ni|plus rien|elle (?!est|a été)|il (?!est|a été))\b|\bn'(?!oubli)",
    denied_after=r"[ ,]*(?:[^ ]+ )?(?:pas|rien)\b",
    offered=(
        r"\b(?:si|quand tu|quand vous|dès que|dis-moi|dites-moi|veux-tu|voulez-vous|peux|pourrais|pouvez|"
        r"souhaites)\b|\bs'il\b"
    ),
    wish=r"\b(?:si (?:tu|vous|besoin)|dès que (?:tu|vous)|quand (?:tu me|vous me)|dis-le-moi)\b",
    retold=r"\b(?:que|qu'|quand|comme|si|où|dont|quoi|parce que|lorsque)",
    past=(
        r"hier|avant|auparavant|(?:la semaine|le mois|l'année|la fois) (?:dernière?|passée?)|il y a [^ ]+|"
        r"en (?:janvier|février|mars|avril|"
        r"mai|juin|juillet|août|septembre|octobre|novembre|décembre)|l'autre jour|quand tu|(?:lundi|mardi|"
        r"mercredi|jeudi|vendredi|samedi|dimanche) dernier"
    ),
    aside=(
        r"\b(?:pas de (?:souci|problème|soucis)|aucun (?:souci|problème)|sans (?:souci|problème|faute)|"
        r"ne (?:t'inquiète|vous inquiétez|t'en fais) pas|t'inquiète(?: pas)?|n'hésite pas[^,.;!]*)"
    ),
    elsewhere=(
        r"\b(?:brouillon|paragraphe|phrase|texte|mail|lettre|virgule|recette|sel|poème|code|version|"
        r"le ton)\b"
    ),
    ambiguous=r"ajout|mis|corrig|modifi|chang|supprim|effac|retir|enlev|report",
    already=r"\bdéjà\b",
    own_name=r"\b(?:ton|votre) (?:pré)?nom\b",
    not_done=truths(
        "(Pour être clair : je n'ai rien enregistré à l'instant.)",
        "(Pour être clair : je n'ai rien effacé à l'instant.)",
        "(Pour être clair : je n'ai rien programmé à l'instant.)",
        "(Pour être clair : je n'ai rien annulé à l'instant.)",
        "(Pour être clair : je n'ai rien connecté ni déconnecté à l'instant.)",
        "(Pour être clair : je n'ai rien changé à l'instant.)",
    ),
)
