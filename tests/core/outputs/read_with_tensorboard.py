#!/usr/bin/env python3
"""Has TensorBoard's own reader open what we write: the event file of tst_EventOutput, which is compared with
tests/data/outputs/events.json, and that of a short training of aster-demo (seconds, a small one), which must hold the
losses, every trained parameter with its gradient, and the rectifier's pictures.

  python3 -m venv /tmp/tensorboard && /tmp/tensorboard/bin/pip install tensorboard
  /tmp/tensorboard/bin/python tests/core/outputs/read_with_tensorboard.py build/ci/tests/tst_EventOutput build/ci/bin/trainyard
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator


def histogram(event):
    value = event.histogram_value
    buckets = [[limit, count] for limit, count in zip(value.bucket_limit, value.bucket) if count > 0]
    return {"step": event.step, "min": value.min, "max": value.max, "num": value.num, "sum": value.sum,
            "sum_squares": value.sum_squares, "buckets": buckets}


def image(event):
    assert event.encoded_image_string[1:4] == b"PNG"
    return [event.step, event.width, event.height, 3]  # the accumulator forgets the channels


def accumulated(folder):
    read = EventAccumulator(str(folder), size_guidance={"scalars": 0, "histograms": 0, "images": 0})
    read.Reload()
    return read


def check_event_output(program):
    expected = json.loads((pathlib.Path(__file__).parents[2] / "data/outputs/events.json").read_text())
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "writesWhatTensorBoardReads"], check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, "TRAINYARD_KEEP_EVENTS": folder + "/events"})
        read = accumulated(folder + "/events")
    tags = read.Tags()
    found = {
        "version": "brain.Event:2",
        "scalars": {tag: [[e.step, e.value] for e in read.Scalars(tag)]
                    for tag in tags["scalars"] if tag != "global_step/sec"},
        "histograms": {tag: [histogram(e) for e in read.Histograms(tag)] for tag in tags["histograms"]},
        "images": {tag: [image(e) for e in read.Images(tag)] for tag in tags["images"]},
        "graph": [[node.name, node.op, list(node.input)] for node in read.Graph().node],
        "profiles": tags["run_metadata"],
    }
    read.RunMetadata("trace_3")  # parses
    for key, value in expected.items():
        assert found[key] == value, f"{key}: {found[key]} instead of {value}"
    print("TensorBoard reads", ", ".join(f"{len(found[key])} {key}" for key in expected if key != "version"))


SMALL = ["train.threads=1", "train.precision=fp32", "data.batch_size=4", "data.rendered.validation_count=6",
         "data.rendered.held_out_fonts=[]", "model.aster.stem_channels=4", "model.aster.hidden=8",
         "model.aster.sequence_units=8", "model.aster.decoder_units=8", "model.aster.attention_units=8",
         "solve.iterations=7", "train.summarise_every=3", "train.event_files=true", "train.profile_at=2",
         "solve.freeze=[rectifier.conv1]"]


def check_training(program):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "train", "aster-demo", *SMALL, "--project", folder], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        run = next(pathlib.Path(folder, "runs").iterdir())
        rows = [line.split("\t") for line in (run / "init.txt").read_text().splitlines() if not line.startswith("#")]
        read = accumulated(run / "events")
        tags, paced = read.Tags(), [1, 3, 6]
        for tag in ("losses/forward", "losses/backward", "TotalLoss", "clone_loss", "regularization_loss",
                    "LearningRate", "queue/fraction_full"):
            assert [e.step for e in read.Scalars(tag)] == paced, tag
        pictures = {f"{name}{number}/image/{place}" for name in ("InputImage", "RectifiedImage")
                    for number in (1, 2) for place in (0, 1)}
        assert set(tags["images"]) == pictures, tags["images"]
        for tag in pictures:
            size = (128, 48) if tag.startswith("Input") else (100, 32)
            assert [(e.step, e.width, e.height) for e in read.Images(tag)] == [(step, *size) for step in paced], tag
        trained = {row[0] for row in rows if row[-1] == "trained"}
        assert set(tags["histograms"]) == trained | {"grad/" + name for name in trained} | {"fc1", "fc2"}
        for tag in tags["histograms"]:
            assert [e.step for e in read.Histograms(tag)] == paced, tag
        assert tags["run_metadata"] == ["trace_2"]
        assert len(read.RunMetadata("trace_2").step_stats.dev_stats) > 0
        assert any(node.op == "conv2d" or "conv2d" in node.name for node in read.Graph().node)
    print(f"TensorBoard reads a training: {len(pictures)} pictures and {len(trained)} parameters at {paced}")


check_event_output(sys.argv[1])
if len(sys.argv) > 2:
    check_training(sys.argv[2])
