"""Queries of the page's address, most of them such as it writes, some of them damaged."""

from urllib.parse import quote, urlencode

from fuzzing import ODD_TEXTS, now_and_then
from hypothesis import strategies as st

from explorer.lessons.parts import FIELDS, PATCH, VIEW
from model.probe import KINDS

NAMES = [*VIEW, *VIEW, *(f"lab.{name}" for name in (*FIELDS, *PATCH)), "sentence", "tab", "lab.station", "hide", "lang"]

numbers = st.sampled_from(["1", "2", "3", "4", "7", "0", "-1", "1e3", "01", "999999", "1000000", " 1", "١", "1.5"])
choices = st.sampled_from(
    [
        *[*KINDS, "picture", "heads", "mean", "max", "rollout", "weight", "length", "key", "query", "fixed", "row"],
        *["auto", "table", "heatmap", "ribbon", "beside", "difference", "off", "zero", "shuffled", "shifted", "60"],
    ]
)
parts = numbers | choices
texts = st.one_of(
    parts,
    st.lists(parts, min_size=2, max_size=4).map(".".join),
    st.lists(st.lists(parts, min_size=3, max_size=3).map(".".join), min_size=1, max_size=3).map(",".join),
    st.sampled_from([text for text in ODD_TEXTS if text.isprintable()]),
    st.sampled_from(["constructor", "__proto__", "toString", "[object Object]", "undefined"]),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
)
names = now_and_then(st.sampled_from(NAMES), st.sampled_from(["", ".", "lab.", "__proto__", "constructor", "x.y.z"]))
queries = st.lists(st.tuples(names, texts), max_size=5).map(lambda found: f"?{urlencode(found, quote_via=quote)}")
raw = st.text(st.sampled_from("?&=%+.,;#/abkind1é"), max_size=30).map(lambda text: f"?{text}")
addresses = now_and_then(queries, raw | st.builds(lambda query: query + "&%zz=%ff", queries))
