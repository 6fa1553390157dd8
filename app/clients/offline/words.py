"""The vocabulary of the offline model: kinds of words, each named once. Everything is lower case."""


def _words(text: str) -> frozenset[str]:
    """Lines hold words parted by blanks; `_` stands for a blank inside a word."""
    return frozenset(word.replace("_", " ") for word in text.split())


PET_KINDS: dict[str, frozenset[str]] = {
    "dog": _words(
        "dog dogs puppy puppies pup doggo retriever labrador lab poodle beagle terrier husky corgi shepherd dachshund "
        "bulldog collie pug spaniel chihuahua rottweiler mutt greyhound boxer dalmatian labradoodle cockapoo"
    ),
    "cat": _words("cat cats kitten kittens kitty tomcat tabby siamese"),
    "bird": _words("bird birds parrot parrots budgie budgies canary canaries cockatiel parakeet"),
    "fish": _words("fish goldfish betta"),
    "horse": _words("horse horses pony ponies mare"),
    "rabbit": _words("rabbit rabbits bunny bunnies"),
    "rodent": _words("hamster hamsters gerbil gerbils mouse rat rats guinea_pig guinea_pigs chinchilla"),
    "reptile": _words("turtle turtles tortoise snake snakes lizard lizards gecko iguana"),
    "other": _words("ferret ferrets hedgehog chicken chickens goat goats pet pets"),
}
PETS = frozenset().union(*PET_KINDS.values())

RELATIONS = _words(
    "wife husband spouse partner girlfriend boyfriend fiance fiancee son sons daughter daughters kid "
    "kids child children baby toddler twins sister sisters brother brothers sibling siblings mother "
    "father mom mum dad mama papa parents grandmother grandfather grandma grandpa granny nana aunt "
    "uncle cousin cousins niece nephew grandson granddaughter grandchild grandchildren stepson "
    "stepdaughter stepmother stepfather stepmom stepdad stepsister stepbrother half-sister "
    "half-brother mother-in-law father-in-law sister-in-law brother-in-law friend friends "
    "best_friend roommate flatmate housemate neighbor neighbour boss manager colleague coworker "
    "co-worker teacher coach therapist doctor dentist landlord landlady tutor mentor assistant nanny "
    "babysitter ex ex-wife ex-husband godson goddaughter"
)
# A person has one of each at a time, so a new name replaces the old one.
ONE_AT_A_TIME = _words(
    "wife husband spouse partner girlfriend boyfriend fiance fiancee mother father mom mum dad boss manager"
)
FAMILY_KIN: tuple[frozenset[str], ...] = (
    _words("mother mom mum mama"),
    _words("father dad papa"),
    _words("grandmother grandma granny nana"),
    _words("grandfather grandpa"),
    _words("kid kids child children"),
    _words("sibling siblings"),
    _words("partner spouse"),
    _words("fiance fiancee"),
    _words("boss manager"),
    _words("colleague coworker co-worker"),
    _words("neighbor neighbour"),
)
# "My kids" means sons and daughters too; "my son" does not mean daughters.
KIN_OF_ALL_KINDS: dict[str, frozenset[str]] = {
    "kid": _words("son sons daughter daughters baby toddler twins kid kids child children"),
    "sibling": _words("sister sisters brother brothers twin"),
    "partner": _words("wife husband girlfriend boyfriend fiance fiancee"),
    "parent": _words("mother father mom mum dad mama papa"),
    "grandparent": _words("grandmother grandfather grandma grandpa granny nana"),
}

OCCUPATIONS = _words(
    "accountant actor actress administrator analyst architect artist astronomer attorney author "
    "baker banker barber barista bartender biologist bookkeeper bricklayer builder butcher carer "
    "caregiver carpenter cashier chef chemist chiropractor cleaner coach coder composer consultant "
    "contractor cook copywriter counselor counsellor courier curator dancer dentist designer "
    "developer dietitian director doctor driver economist editor electrician engineer entrepreneur "
    "estate_agent farmer filmmaker firefighter fisherman florist founder freelancer gardener "
    "geologist gp hairdresser handyman historian housekeeper illustrator instructor interpreter "
    "investor janitor journalist judge lawyer lecturer librarian lifeguard linguist machinist "
    "manager marketer masseuse mathematician mechanic midwife miner model musician nanny neurologist "
    "novelist nurse nutritionist optician paralegal paramedic pastor pediatrician pharmacist "
    "photographer physicist physiotherapist pianist pilot plumber podcaster poet policeman "
    "policewoman politician postman priest principal producer professor programmer psychiatrist "
    "psychologist publicist realtor receptionist recruiter reporter researcher roofer sailor "
    "salesman saleswoman salesperson scientist sculptor secretary singer sociologist soldier "
    "solicitor statistician stylist surgeon surveyor tailor teacher technician therapist tiler "
    "trader trainer translator tutor undertaker vet veterinarian videographer waiter waitress welder "
    "writer zookeeper officer broker clerk agent engineer's strategist planner operator specialist "
    "supervisor"
)
# What follows "I am a": true of somebody for longer than today.
IDENTITIES = _words(
    "vegetarian vegan pescatarian mother father parent dad mom mum student twin grandparent "
    "grandmother grandfather widow widower veteran feminist christian muslim jew buddhist hindu sikh "
    "atheist catholic protestant quaker night_owl early_bird introvert extrovert morning_person "
    "dog_person cat_person coffee_person tea_person people_person smoker non-smoker gamer runner "
    "cyclist swimmer climber hiker reader foodie beginner_cook sophomore freshman junior senior "
    "postgraduate undergraduate phd_student single_parent single_mother single_father homeowner "
    "immigrant lefty diabetic celiac coeliac capricorn aquarius pisces aries taurus gemini cancer "
    "leo virgo libra scorpio sagittarius"
)
DIETS = _words(
    "vegetarian vegan pescatarian flexitarian keto gluten-free gluten_free lactose_intolerant dairy-free dairy_free "
    "lactose-intolerant gluten_intolerant gluten-intolerant halal kosher plant-based sugar-free "
    "sugar_free nut-free nut_free teetotal omnivore teetotaler"
)
HEALTH_STATES = _words(
    "diabetic asthmatic celiac coeliac dyslexic autistic epileptic anemic anaemic deaf blind "
    "pregnant colorblind colourblind color-blind colour-blind color_blind colour_blind "
    "hard_of_hearing left-handed left_handed right-handed right_handed ambidextrous neurodivergent "
    "nearsighted farsighted short-sighted long-sighted hypertensive sober hypoglycemic bipolar "
    "claustrophobic type_1_diabetic type_2_diabetic"
)
CONDITIONS = _words(
    "diabetes asthma adhd add autism epilepsy arthritis migraines migraine anemia anaemia celiac "
    "coeliac hypertension depression anxiety insomnia psoriasis eczema endometriosis fibromyalgia "
    "glaucoma lupus scoliosis tinnitus ptsd ocd crohn's parkinson's ibs copd hay_fever sleep_apnea "
    "sleep_apnoea tourette's vertigo gout cancer dyslexia sciatica osteoporosis hypothyroidism "
    "hyperthyroidism alzheimer's ms"
)
MEDICINES = _words(
    "ibuprofen metformin insulin aspirin paracetamol acetaminophen omeprazole lisinopril "
    "atorvastatin levothyroxine sertraline fluoxetine warfarin statins statin antidepressants "
    "antihistamines vitamins creatine melatonin ritalin adderall prozac lexapro zoloft amlodipine "
    "losartan gabapentin prednisone iron magnesium blood_thinners birth_control"
)
LANGUAGES = _words(
    "english spanish french german italian portuguese dutch danish swedish norwegian finnish "
    "icelandic polish czech slovak hungarian romanian bulgarian greek turkish russian ukrainian "
    "serbian croatian arabic hebrew persian farsi hindi urdu bengali punjabi tamil telugu chinese "
    "mandarin cantonese japanese korean vietnamese thai indonesian malay tagalog swahili catalan "
    "basque welsh irish gaelic latin esperanto afrikaans zulu amharic nepali marathi gujarati "
    "sign_language asl bsl latvian lithuanian estonian slovenian albanian armenian georgian "
    "mongolian quechua"
)
NATIONALITIES = _words(
    "american british english scottish welsh irish french german italian spanish portuguese dutch "
    "belgian swiss austrian danish swedish norwegian finnish polish czech slovak hungarian romanian "
    "bulgarian greek turkish russian ukrainian serbian croatian israeli egyptian moroccan nigerian "
    "kenyan ghanaian ethiopian indian pakistani bangladeshi chinese japanese korean vietnamese thai "
    "indonesian malaysian filipino australian canadian mexican cuban colombian venezuelan peruvian "
    "chilean argentinian argentine brazilian uruguayan bolivian ecuadorian lebanese syrian iranian "
    "iraqi south_african new_zealander icelandic estonian latvian lithuanian singaporean taiwanese "
    "jamaican"
)
FAITHS = _words(
    "christian muslim jewish buddhist hindu sikh atheist agnostic catholic protestant mormon orthodox quaker"
)
MARITAL = _words("married single divorced engaged widowed separated")
STANDINGS = _words("retired unemployed self-employed self_employed between_jobs")
OWNED = _words(
    "car cars bike bikes bicycle motorcycle motorbike scooter boat house home cottage cabin garden "
    "allotment camper van truck piano guitar violin twin tattoo tattoos tesla greenhouse telescope "
    "farm ranch bakery shop restaurant company startup degree phd masters pacemaker allotment "
    "tractor drone nas server laptop"
)
SPORTS_AND_INSTRUMENTS = _words(
    "guitar piano violin cello drums bass flute saxophone trumpet ukulele banjo harp clarinet accordion keyboard viola "
    "trombone oboe harmonica football soccer tennis basketball baseball volleyball hockey golf rugby cricket chess go "
    "badminton squash poker bridge lacrosse softball frisbee pool darts table_tennis ping_pong padel pickleball "
    "video_games board_games minecraft dnd"
)
WEEKDAYS = _words("monday tuesday wednesday thursday friday saturday sunday")
MONTHS = _words("january february march april may june july august september october november december")

# "I'm X" and "call me X" where X is no name.
NEVER_NAMES = _words(
    "a an the and or but if not no yes it he she they we you me my your his her their our this that "
    "what who how when where nothing something anything none unknown secret private classified "
    "important called named later back"
)
NOT_NAMES = (
    NEVER_NAMES
    | _words(
        "a an the and or but if not no yes yeah ok okay so very too really just now then here there back "
        "home away out in on at up down off over done ready late early later soon today tomorrow tonight "
        "yesterday whenever when what who how why where anytime any again asap once after before maybe "
        "perhaps please sorry sure fine good great well bad better best worse worst happy sad mad angry "
        "glad tired hungry thirsty sleepy sick ill hurt bored busy free lost stuck broke drunk alone "
        "lonely scared afraid nervous anxious worried stressed confused curious excited proud surprised "
        "shocked exhausted cold hot warm wet dry freezing starving full serious kidding joking right "
        "wrong crazy old new young tall short big small rich poor hopeful grateful thankful aware able "
        "unable going coming leaving getting trying working looking feeling thinking having doing being "
        "making waiting hoping about all also almost always never still only mostly usually currently "
        "probably definitely actually literally this that these those it he she they we you me my your "
        "his her their our i from for with without of to into as by like love hate gay straight bisexual "
        "lesbian trans queer nonbinary male female man woman boy girl human someone nobody everybody "
        "everyone interested allergic based born concerned doing glad guessing sending using wondering "
        "running driving eating cooking reading writing moving living studying learning applying "
        "planning thinking jk lol haha hi hello hey thanks bye outside inside upstairs nearby online "
        "offline bro dude man mate sir names taxi cab monday vip ceo cto sweating crying dying fucked "
        "screwed dead amazing awesome terrible awful horrible miserable devastated heartbroken pissed "
        "annoyed fed sober clean blessed overwhelmed jealous upset unsure certain positive negative "
        "responsible safe healthy unwell okay-ish meh gone keepsake claude anything something nothing"
    )
    | WEEKDAYS
    | (MONTHS - _words("april may june august"))
    | NATIONALITIES
    | LANGUAGES
    | FAITHS
    | DIETS
    | MARITAL
    | STANDINGS
    | HEALTH_STATES
    | OCCUPATIONS
)
# Written in lower case, "im alex" is a name only when the name is a common one.
FIRST_NAMES = _words(
    "alex alexander alexandra alice amy ana andrea andrew andy angela anna anne anthony antonio ben "
    "benjamin beth bob brandon brian carlos carol caroline charles charlie chris christina christine "
    "claire daniel dave david diana diego ed edward elena elizabeth ella emily emma eric eva evan "
    "felix fiona frank gabriel george hannah harry heather helen henry ian isabel jack jacob jake "
    "james jane jason jen jenny jennifer jess jessica jim joe john jon jonathan jose joseph josh "
    "juan julia julie karen kate katherine kevin kim laura leo liam linda lisa lucas lucy luis luke "
    "maria mark martin mary matt matthew max megan melissa mia michael michelle mike mohammed nancy "
    "nick nina noah oliver olivia omar oscar pablo patricia patrick paul pedro peter phil priya "
    "rachel rebecca richard rob robert rosa ryan sam samantha sara sarah scott sean simon sofia "
    "sophia sophie stephanie stephen steve susan thomas tim tina tom tony victor victoria wei will "
    "william yuki zoe"
)
# "I <verb> …" is a habit when it says how often; these are the verbs that can become "Likes", "Goes" and back.
VERBS = _words(
    "attend avoid bake bike brush build buy call care check clean climb coach code collect commute "
    "cook cycle dance do draw drink drive eat enjoy exercise fast fish follow garden get give go "
    "grow hate have help hike host invest jog journal keep knit know lead learn leave lift like "
    "listen live love make manage meditate meet mentor need nap own paint park pay pick play "
    "practice practise pray prefer read rent ride run sail see sell sew shop shower sing skate ski "
    "sleep smoke speak spend start stay stop study support surf swim take talk teach train travel "
    "use vacation visit volunteer wake walk want wash watch water wear work write finish dislike "
    "struggle suffer root celebrate babysit row think feel hold carry believe belong sit stand bring "
    "drop share order skip hear come weigh freelance blog vlog foster knit crochet tutor major "
    "suffer commute graduate resemble deserve depend"
)
