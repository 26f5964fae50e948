#!/usr/bin/env python3
"""Has TensorBoard's own reader open the event file that tst_EventOutput writes, and compares with tests/data/outputs/events.json.

  python3 -m venv /tmp/tensorboard && /tmp/tensorboard/bin/pip install tensorboard
  /tmp/tensorboard/bin/python tests/core/outputs/read_with_tensorboard.py build/ci/tests/tst_EventOutput
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


def main(program):
    expected = json.loads((pathlib.Path(__file__).parents[2] / "data/outputs/events.json").read_text())
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "writesWhatTensorBoardReads"], check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, "TRAINYARD_KEEP_EVENTS": folder + "/events"})
        read = EventAccumulator(folder + "/events", size_guidance={"scalars": 0, "histograms": 0, "images": 0})
        read.Reload()
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


main(sys.argv[1])
