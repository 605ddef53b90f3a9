"""Whatever stands in the page's address leads to a view inside its trace, and to an experiment that there can be."""

from by_node import in_node, needs_node
from fuzzing import addresses, examples
from hypothesis import given
from hypothesis import strategies as st

from explorer.experiments.experiment import experiment_of
from model.probe import KINDS

READ_ALL = """
    import { readAll } from "./tests/fuzz/read_links.js";
    console.log(JSON.stringify(readAll(JSON.parse(readFileSync(0)))));
"""


@needs_node
@examples(5)
@given(drawn=st.lists(addresses, min_size=30, max_size=120))
def test_every_link_leads_into_the_trace(drawn):
    for query, found in zip(drawn, in_node(READ_ALL, drawn), strict=True):
        view = found["view"]
        assert view["kind"] in KINDS and 0 <= view["step"] < 6, query
        for heads in filter(None, (view, view["second"])):
            assert heads["layer"] in ("mean", "max", "rollout", *range(4)), query
            assert heads["head"] in ("mean", "max", *range(8)), query
        assert found["again"] is None or (len(found["again"]) <= 2000 and found["stays"]), (query, found)
        experiment_of(found["experiment"])
