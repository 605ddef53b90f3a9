"""The probe: looking changes nothing, every documented tensor is met, and what is replaced takes effect."""

from itertools import product

import pytest
import torch
from cases import each_case, sweep
from reference import SRC, TGT_IN, assert_near, tiny_model
from torch import Tensor

from model.cache import Cache
from model.decoding import distribution
from model.probe import Probe, Site
from model.transformer import Transformer

ATTENTIONS = [("encoder", "self_attention"), ("decoder", "self_attention"), ("decoder", "cross_attention")]


def sublayer_shapes(sublayer: str, length: int) -> dict[str, tuple[int, ...]]:
    stream = (3, length, 16)
    around = {"output": stream, "sum": stream, "stream": stream}
    if sublayer == "feed_forward":
        return {"pre_activation": (3, length, 24), "hidden": (3, length, 24), **around}
    keys = 7 if sublayer == "cross_attention" else length
    shapes = {}
    for name, positions, width in (("q", length, 3), ("k", keys, 3), ("v", keys, 5)):
        shapes |= {f"{name}_projected": (3, positions, 4 * width), f"{name}_split": (3, positions, 4, width)}
        shapes |= {name: (3, 4, positions, width)}
    scores = dict.fromkeys(("dot_products", "scores", "masked_scores", "weights"), (3, 4, length, keys))
    heads = {"heads": (3, 4, length, 5), "heads_transposed": (3, length, 4, 5), "concatenated": (3, length, 20)}
    return {**shapes, "k_transposed": (3, 4, 3, keys), **scores, **heads, **around}


def sites_and_shapes() -> dict[Site, tuple[int, ...]]:
    """What the docstring of Site promises, for SRC, TGT_IN and heads with d_head 3 and d_value 5."""
    shapes = {Site("encoder", tensor="mask"): (3, 1, 1, 7), Site("decoder", tensor="mask"): (3, 1, 6, 6)}
    shapes |= {Site("decoder", tensor="memory"): (3, 7, 16), Site("decoder", tensor="memory_mask"): (3, 1, 1, 7)}
    shapes |= {Site("decoder", tensor="logits"): (3, 6, 30)}
    for stack, length in (("encoder", 7), ("decoder", 6)):
        stream, positions = (3, length, 16), (length, 16)
        whole = {"ids": (3, length), "token_embedding": stream, "embedding": stream}
        whole |= {"positions": positions, "stream": stream}
        shapes |= {Site(stack, tensor=name): shape for name, shape in whole.items()}
        sublayers = [sublayer for place, sublayer in ATTENTIONS if place == stack]
        for layer, sublayer in product(range(2), [*sublayers, "feed_forward"]):
            tensors = sublayer_shapes(sublayer, length)
            shapes |= {Site(stack, layer, sublayer, name): shape for name, shape in tensors.items()}
    return shapes


def replacing(wanted: Site, change) -> Probe:
    """A probe that puts `change(tensor)` in place of the tensor at one site."""
    return Probe(lambda site, tensor: change(tensor) if site == wanted else None)


def without_head_1(heads: Tensor) -> Tensor:
    return heads.index_fill(1, torch.tensor(1), 0)


def record(model: Transformer) -> dict[Site, Tensor]:
    seen: dict[Site, Tensor] = {}

    def visit(site: Site, tensor: Tensor) -> None:
        assert site not in seen
        seen[site] = tensor

    model(SRC, TGT_IN, Probe(visit))
    return seen


def test_a_probe_that_only_reads_changes_no_bit():
    model = tiny_model()
    unseen, seen = model(SRC, TGT_IN), model(SRC, TGT_IN, Probe(lambda site, tensor: None))
    assert torch.equal(seen.logits, unseen.logits)
    assert all(map(torch.equal, seen.self_attention, unseen.self_attention))
    assert all(map(torch.equal, seen.cross_attention, unseen.cross_attention))


def test_every_documented_tensor_is_met_once_in_its_shape_and_no_other():
    seen = record(tiny_model(d_head=3, d_value=5))
    assert {site: tuple(tensor.shape) for site, tensor in seen.items()} == sites_and_shapes()


def test_attention_tensors_are_what_their_names_say():
    model = tiny_model()
    seen = record(model)
    at = {site.tensor: tensor for site, tensor in seen.items() if site[:3] == ("decoder", 1, "cross_attention")}
    before, layer = seen[Site("decoder", 1, "self_attention", "stream")], model.decoder.layers[1]
    memory = seen[Site("encoder", 1, "feed_forward", "stream")]
    for name, projection, x in (("q", "w_q", before), ("k", "w_k", memory), ("v", "w_v", memory)):
        assert_near(at[f"{name}_projected"], layer.cross_attention.get_submodule(projection)(x))
        assert torch.equal(at[f"{name}_split"].flatten(2), at[f"{name}_projected"])
        assert torch.equal(at[name], at[f"{name}_split"].transpose(1, 2))
    assert_near(at["dot_products"], at["q"] @ at["k_transposed"])
    assert_near(at["scores"], at["q"] @ at["k"].transpose(2, 3) / 2)
    mask = seen[Site("decoder", tensor="memory_mask")]
    assert torch.equal(at["masked_scores"], at["scores"].masked_fill(~mask, -torch.inf))
    assert_near(at["weights"], at["masked_scores"].softmax(dim=-1))
    assert_near(at["heads"], at["weights"] @ at["v"])
    assert torch.equal(at["heads_transposed"], at["heads"].transpose(1, 2))
    assert torch.equal(at["concatenated"], torch.cat(at["heads"].unbind(dim=1), dim=-1))
    assert_near(at["output"], layer.cross_attention.w_o(at["concatenated"]))
    assert_near(at["sum"], before + at["output"])
    assert_near(at["stream"], layer.cross_attention_norm.norm(at["sum"]))


def test_feed_forward_tensors_are_what_their_names_say():
    model = tiny_model()
    seen = record(model)
    at = {site.tensor: tensor for site, tensor in seen.items() if site[:3] == ("encoder", 1, "feed_forward")}
    before, layer = seen[Site("encoder", 1, "self_attention", "stream")], model.encoder.layers[1]
    assert_near(at["pre_activation"], layer.feed_forward.w_1(before))
    assert_near(at["hidden"], at["pre_activation"].clamp(min=0))
    assert_near(at["output"], layer.feed_forward.w_2(at["hidden"]))
    assert_near(at["sum"], before + at["output"])
    assert_near(at["stream"], layer.feed_forward_norm.norm(at["sum"]))


def test_the_distribution_is_the_softmax_of_the_logits_and_can_be_replaced():
    logits, seen = torch.tensor([[0.1, 0.2, 0.7]]).log(), []
    assert_near(distribution(logits, Probe(lambda *visited: seen.append(visited))), torch.tensor([[0.1, 0.2, 0.7]]))
    assert [site for site, _ in seen] == [Site("decoder", tensor="probabilities")]
    assert (distribution(logits, replacing(seen[0][0], torch.ones_like)) == 1).all()


@pytest.mark.parametrize("site", sweep(sites_and_shapes(), *[*sites_and_shapes()][::20]), ids=str)
def test_a_replacement_at_any_site_reaches_the_logits(site):
    model = tiny_model(d_head=3, d_value=5)

    def disturb(x: Tensor) -> Tensor:
        if x.dtype == torch.bool:
            return x & (torch.arange(x.size(-1)) == 0)
        return x + torch.randn_like(x) if x.is_floating_point() else 29 - x

    disturbed, undisturbed = model(SRC, TGT_IN, replacing(site, disturb)), model(SRC, TGT_IN)
    assert not torch.allclose(disturbed.logits, undisturbed.logits, atol=1e-3)


def test_replaced_weights_are_used_and_returned():
    model, site = tiny_model(), Site("decoder", 0, "cross_attention", "weights")
    seen = {}

    def visit(here: Site, tensor: Tensor) -> Tensor | None:
        seen[here] = tensor
        return torch.full_like(tensor, 1 / 7) if here == site else None

    decoded = model(SRC, TGT_IN, Probe(visit))
    mean = seen[site._replace(tensor="v")].mean(dim=2, keepdim=True).expand(3, 4, 6, 4)
    assert_near(seen[site._replace(tensor="heads")], mean, within=1e-6)
    assert (decoded.cross_attention[0] == 1 / 7).all()


def test_replaced_scores_are_still_masked():
    model = tiny_model()
    encoded = model.encode(SRC, replacing(Site("encoder", 1, "self_attention", "scores"), torch.zeros_like))
    uniform = (SRC != 0).float() / (SRC != 0).sum(dim=1, keepdim=True)
    assert_near(encoded.attention[1], uniform[:, None, None].expand(3, 4, 7, 7), within=1e-6)


def hide_key_1(mask: Tensor) -> Tensor:
    return mask & (torch.arange(mask.size(-1)) != 1)


def test_a_key_hidden_by_a_mask_gets_no_weight_at_any_layer():
    model = tiny_model()
    encoded = model.encode(SRC, replacing(Site("encoder", tensor="mask"), hide_key_1))
    decoded = model(SRC, TGT_IN, replacing(Site("decoder", tensor="memory_mask"), hide_key_1))
    assert all((weights[..., 1] == 0).all() for weights in (*encoded.attention, *decoded.cross_attention))


def test_a_replacement_in_cached_decoding_acts_as_in_one_pass():
    model, cache = tiny_model(), Cache(2)
    encoded, probe = model.encode(SRC), replacing(Site("decoder", 0, "self_attention", "heads"), without_head_1)
    steps = [model.decode(TGT_IN[:, t : t + 1], encoded, cache, probe).logits for t in range(6)]
    assert_near(torch.cat(steps, dim=1), model.decode(TGT_IN, encoded, probe=probe).logits)


@each_case("change", [torch.sum, lambda x: x.transpose(1, 2)])
def test_a_replacement_of_another_shape_is_refused_by_place_and_shape(change):
    model, site = tiny_model(), Site("encoder", 1, "self_attention", "heads")
    with pytest.raises(ValueError, match=r"layer=1.*'heads'.* has shape \[3, 4, 7, 4\], its replacement \["):
        model.encode(SRC, replacing(site, change))
