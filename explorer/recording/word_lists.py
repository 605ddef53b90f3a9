"""The most common words of some languages, which tell languages apart and function words from content words.

A word that is frequent in English as well ("in", "an", "was", "so") is in no other list. The lists were written for
this project; none is copied from a corpus.
"""


def word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Words that carry grammar more than meaning: a translation may leave them out.
ENGLISH_FUNCTION_WORDS = word_set(
    """a an the this that these those i you he she it we they me him her us them my your his its our their mine yours
    am is are was were be been being do does did done has have had having will would shall should can could may might
    must of in on at to from by for with about into onto over under up down out off as than and or but nor so if then
    there here not no n't who whom whose which what when where why how all any some each every both just very too also
    only s t d ll re ve m o'clock going go get got let lets please while because although though during upon own such
    well still yet ever even again back now"""
)
ENGLISH_WORDS = ENGLISH_FUNCTION_WORDS | word_set(
    """met hello hi yes thanks thank good bad new old big small little long great many much more most few other another
    one two three four five six seven eight nine ten first last next same man men woman women boy boys girl girls child
    children people person friend friends mother father brother sister son daughter family mr mrs ms dr sir tom mary
    day days night today tomorrow yesterday morning evening week month year years time times home house room door
    school work car bus train street city town country world water food dog dogs cat cats book books name life way
    thing things something nothing anything everything someone nobody everybody money question problem word language
    say says said tell told ask asked know knew think thought want wanted like liked love need see saw seen look looks
    looking come came comes go goes went gone make made take took taken give gave find found use used try tried call
    called leave left put keep feel become live lives lived walk walking walks run runs running sit sits sitting stand
    stands standing play plays playing wear wears wearing hold holds holding read reading write help stop don't didn't
    doesn't isn't can't won't i'm i've i'll it's that's what's let's you're he's she's we're they're white black red
    blue green young right wrong sure happy never always often sometimes soon before after through around between
    behind near against without don didn doesn isn wasn weren couldn wouldn shouldn haven hasn hadn dont"""
)
# English words and interjections that exist in other languages, too, and names: they do not identify a language.
AMBIGUOUS_WORDS = word_set(
    """a an in on so am was man me no do son will hat die war met as at tom mary al ai ale au aux ben bent bin com con
    da dank den di din dove ed gut ha hay heel ho hoe ma mam med min mon non par per plus sin ska soy ta tack tag till
    ton ty um van yo"""
)
# Words of other languages in English names ("Los Angeles") and phrases ("en route").
WORDS_IN_NAMES = word_set("el la los las le les lo de del des du dos un en et os")

# Words that a translation often expresses without a word of its own: "in front of", "a lot of", "would like to".
ENGLISH_LIGHT_WORDS = ENGLISH_FUNCTION_WORDS | word_set(
    """don't didn't doesn't isn't can't won't couldn't wouldn't shouldn't i'm i've i'll i'd it's that's what's let's
    there's you're you've you'll he's she's we're we've they're who's like likes want wants wanted one ones front next
    time times lot lots kind sort much many more most few couple able other another each together before after around
    through toward towards away along outside inside near behind between wear wearing wears dressed looks look looking
    seem seems make makes making made take takes taking took have having come comes coming came keep care thing things
    something anything someone anyone everyone good well right same first last way help think thought sure used already
    ago else piece group number order past doing rather quite really start starts started try trying
    end side middle top back part"""
)
# Words that want another one behind them: a text that ends with one is cut off.
ENGLISH_OPEN_WORDS = word_set("a an the and or but because if than my your our their whose every of")
NON_ENGLISH_WORDS = {  # by their codes
    "de": """der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine ich du er sie
    wir ihr mich dich mir dir ihm ihn uns euch sich mein meine dein deine sein seine ist bin bist sind seid war waren
    wird werden wurde hat habe haben hatte kann können muss müssen will wollen soll sollte mit von zu zum zur im am auf
    aus bei nach vor für über unter um durch dass daß wenn weil als wie wo wer wann warum auch noch schon sehr nur
    immer hier heute gestern guten gute gut morgen tag abend danke bitte hallo ja nein tschüss es gibt""",
    "fr": """le la les un une des du de et ou mais ne pas je tu il elle nous vous ils elles mon ma mes ton ta tes
    sa ses ce cette ces est suis sont était avec pour dans sur sous par qui que quoi où quand comment pourquoi très
    plus aussi bien bonjour merci oui au aux ai avez avons ont être avoir fait c'est j'ai n'est d'un d'une qu'il""",
    "es": """el la los las un una unos unas y o pero no de del al en con por para que qué quien quién cómo cuando
    cuándo dónde donde está estoy están es son soy yo tú él ella nosotros ellos mi tu su sus se le lo muy más también
    hola gracias buenos buenas días sí tengo tiene hay fue ha porque""",
    "it": """il lo la gli le un una uno e ed ma non di del della dei delle che chi con per da dal in nel nella sul
    sono è sei siamo io tu lui lei noi voi loro mio mia tuo suo sua questo questa molto più anche come dove quando
    perché ciao grazie buongiorno ho hai ha hanno mi ti si ci""",
    "pt": """o os um uma uns umas e ou mas não de do da dos das em no na nos nas com por para que quem como
    quando onde está estou são é eu tu ele ela nós eles meu minha seu sua muito mais também olá obrigado obrigada bom
    sim tenho tem há foi ao à""",
    "nl": """de het een en of maar niet geen ik jij je hij zij ze wij we jullie hun mijn jouw zijn is ben bent
    heeft heb hebben was waren wordt worden met van voor naar bij op aan uit te dat die dit deze wat wie waar wanneer
    waarom hoe ook nog al zeer heel goed dank hallo ja nee er om als""",
    "sv": """och att det som en ett är jag du han hon vi ni de den inte på med för till av från om men eller har
    hade kan ska vill ha var vad när hur varför också mycket tack hej ja nej min din sin""",
    "pl": """i w na z do nie jest się to że co jak ja ty on ona my wy oni mam masz ma są był była dla po od ale czy
    gdzie kiedy dlaczego tak dzień dobry dziękuję proszę mój moja""",
}
# Common words by language code; and for each source language, the words that identify each other language.
COMMON_WORDS = {"en": ENGLISH_WORDS, **{code: word_set(words) for code, words in NON_ENGLISH_WORDS.items()}}
DISTINCTIVE_WORDS = {
    source: {
        code: words - COMMON_WORDS[source] - AMBIGUOUS_WORDS for code, words in COMMON_WORDS.items() if code != source
    }
    for source in COMMON_WORDS
}

# Words that a good translation may contain more often than its source does.
FUNCTION_WORDS = dict(COMMON_WORDS)
FUNCTION_WORDS["de"] |= word_set(
    """einige andere anderen anderer anderes eine einem einen ihre ihren ihrem ihrer seine seinen seinem seiner meine
    meinen unsere unser diese dieser diesen diesem dieses jede jeder jeden jedes welche welcher dessen deren denen
    neben hinter zwischen während gegen ohne wieder nicht nichts etwas alles alle allen viele mehr sondern damit dann
    dort worden wären würde würden könnte könnten sollte sollten möchte haben hatte hatten hätte werden wurden wollte
    konnte konnten musste lassen beide beiden zwei drei vier"""
)
