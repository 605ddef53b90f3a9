"""What one replica does, without a cluster around it."""

import asyncio
import json
import threading
import warnings

import pytest

from explorer.recording.trace import record
from explorer.server.ask import AskRequest
from model.checkpoints import checkpoint
from model.errors import UserError

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # Ray uses what pydantic has deprecated
    pytest.importorskip("ray.serve", reason='no Ray here: pip install -e ".[serve]"')

from explorer.cluster import replica as module
from explorer.cluster.replica import Replica
from explorer.cluster.replicas import ReplicaLimits

pytestmark = pytest.mark.ray
SENTENCES = ["The cat sleeps.", "A dog runs home.", "Why?", "The cat and the dog.", "Nobody reads that book."]


@pytest.fixture(scope="module")
def replica(toy, tmp_path_factory):
    folder = tmp_path_factory.mktemp("toy") / "toy"
    checkpoint.save(toy, folder)
    return Replica(str(folder), "cpu", local=False)  # which would change Ray in this process


def asked(text: str) -> AskRequest:
    return AskRequest(question="translate", arguments=[text], language="en", visitor=text)


def test_what_waits_is_recorded_together_and_answered_as_alone(replica, toy, monkeypatch):
    batches, translate_batch = [], replica.app.recordings.translate_batch
    monkeypatch.setattr(
        replica.app.recordings, "translate_batch", lambda texts: (batches.append(texts), translate_batch(texts))
    )
    answers = replica.answers([asked(text) for text in SENTENCES])
    assert batches == [SENTENCES]
    for text, answer in zip(SENTENCES, answers, strict=True):
        assert json.loads(answer)["translation"] == record(toy, text).translation


def test_a_refusal_is_said_in_the_language_of_the_page_and_is_nobody_elses(replica):
    english, german = (
        AskRequest(question="translate", arguments=[" "], language=language) for language in ("en", "de")
    )
    *refused, answered = (json.loads(answer) for answer in replica.answers([english, german, asked("Why?")]))
    assert answered["sentence"] == "Why?"
    assert all(one["error"].endswith(".") for one in refused) and refused[0] != refused[1]


def test_a_replica_that_hangs_is_not_well(replica, monkeypatch):
    monkeypatch.setattr(module, "MAX_WORK_SECONDS", 0)
    replica.check_health()
    begun, ended = threading.Event(), threading.Event()

    async def hangs():
        work = asyncio.ensure_future(replica.run_on_worker(lambda: (begun.set(), ended.wait())))
        await asyncio.to_thread(begun.wait)
        with pytest.raises(RuntimeError, match="the same work"):
            replica.check_health()
        ended.set()
        await work

    asyncio.run(hangs())
    replica.check_health()


def test_a_fixed_number_or_as_many_as_the_queue_demands():
    assert ReplicaLimits(2, 2).ray_options == {"num_replicas": 2}
    scaling = ReplicaLimits(1, 4).ray_options["autoscaling_config"]
    assert (scaling["min_replicas"], scaling["max_replicas"]) == (1, 4)
    for minimum, maximum in ((0, 1), (3, 2)):
        with pytest.raises(UserError, match="--replicas"):
            ReplicaLimits(minimum, maximum)
