"""Sentences of 8 to 25 pieces, more of them than any run can ask for."""

from collections.abc import Sequence
from random import Random


def words(text: str) -> Sequence[str]:
    """What stands between bars."""
    return text.split("|")


DETERMINERS = ("the", "my", "his", "her", "our", "their", "this", "that")
KINDS = words(
    "young|old|small|tall|happy|tired|funny|quiet|little|strong|famous|clever|careful|busy|nice|poor|rich|"
    "brave|lonely|new|good|best|kind|serious"
)
PEOPLE = words(
    "man|woman|girl|boy|child|teacher|student|doctor|worker|dog|mother|father|brother|sister|friend|farmer|player|"
    "singer|driver|guest|cook|artist|lawyer|nurse|writer"
)
ACTIONS = words(
    "is reading|is taking|is looking at|is buying|is selling|is holding|is cleaning|is painting|wants to see|"
    "has found|has lost|has forgotten|does not like|is waiting for|is talking about|was looking for|will bring|"
    "would like to have|cannot find|has never seen"
)
LOOKS = words("red|blue|green|white|black|yellow|large|small|old|new|heavy|long|beautiful|broken|expensive|simple")
THINGS = words(
    "book|letter|chair|table|car|bicycle|ball|picture|window|house|door|guitar|camera|hat|shirt|box|bottle|newspaper|"
    "boat|train|flower|garden|bridge|glass|key|phone|computer|ladder|street|bag"
)
PLACES = words(
    "in the park|at the station|on the beach|in front of the house|next to the river|in the kitchen|at school|"
    "in the city|behind the church|near the lake|on the mountain|under the old tree|in the garden|at the market|"
    "in a small village|on the street"
)
TIMES = words(
    "in the morning|every day|after dinner|on Sunday|in winter|at night|before work|this year|in the evening|"
    "again and again|for a long time|since last week"
)


def sentence(random: Random) -> str:
    """Plain English: somebody, what he does, and now and then where, when, or what somebody else does meanwhile."""
    parts = [clause(random)]
    if random.random() < 0.3:
        parts.append(f"while {clause(random)}")
    else:
        parts += [random.choice(more) for more in (PLACES, TIMES) if random.random() < 0.6]
    text = " ".join(parts)
    return f"{text[0].upper()}{text[1:]}."


def clause(random: Random) -> str:
    somebody = f"{random.choice(DETERMINERS)} {described(random, KINDS, PEOPLE)}"
    return f"{somebody} {random.choice(ACTIONS)} the {described(random, LOOKS, THINGS)}"


def described(random: Random, adjectives: Sequence[str], nouns: Sequence[str]) -> str:
    noun = random.choice(nouns)
    return f"{random.choice(adjectives)} {noun}" if random.random() < 0.6 else noun
