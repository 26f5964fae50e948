#!/usr/bin/env python3
"""Times COCO evaluation of 5,000 images with 36,000 boxes: trainyard beside faster-coco-eval and pycocotools.

    python3 -m venv venv && venv/bin/pip install numpy pycocotools faster-coco-eval
    venv/bin/python tests/bench/compare_evaluation.py build/release/bin/trainyard [--type bbox|segm] [--repetitions N]

Each way reads the same two files and evaluates them whole; they take turns, and the fastest of the repetitions counts,
by the clock and by the time of the CPU, which a busy machine changes less.
Fails when the twelve numbers differ by more than 1e-6.
"""

import argparse
import contextlib
import io
import json
import os
import pathlib
import resource
import subprocess
import tempfile
import time

import numpy as np

IMAGES, BOXES, CLASSES, FOUND = 5000, 36000, 80, 2  # FOUND: detections for each box
NAMES = ["AP", "AP50", "AP75", "APs", "APm", "APl", "AR1", "AR10", "AR100", "ARs", "ARm", "ARl"]


def polygon(box):
    x, y, w, h = box
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    return [[round(float(v), 2) for a in angles
             for v in (x + w / 2 + w / 2 * np.cos(a), y + h / 2 + h / 2 * np.sin(a))]]


def make_files(folder, kind):
    from pycocotools import mask as masks

    random = np.random.default_rng(1)
    images = [{"id": i + 1, "width": 640, "height": 480, "file_name": f"{i + 1}.jpg"} for i in range(IMAGES)]
    annotations, results = [], []
    for n in range(BOXES):
        w, h = np.exp(random.uniform(np.log(8), np.log(300), 2))
        box = [round(float(v), 2) for v in (random.uniform(0, 640 - w), random.uniform(0, 480 - h), w, h)]
        image, category = int(random.integers(IMAGES)) + 1, int(random.integers(CLASSES)) + 1
        entry = {"id": n + 1, "image_id": image, "category_id": category, "bbox": box, "area": box[2] * box[3],
                 "iscrowd": int(random.uniform() < 0.01), "segmentation": polygon(box)}
        annotations.append(entry)
        for _ in range(FOUND):
            spread = random.choice([0.03, 0.1, 0.4])
            guess = [round(float(v), 2) for v in (box[0] + random.normal(0, spread) * w,
                                                  box[1] + random.normal(0, spread) * h,
                                                  w * np.exp(random.normal(0, spread)),
                                                  h * np.exp(random.normal(0, spread)))]
            result = {"image_id": image, "category_id": category, "score": round(float(random.uniform()), 6)}
            if kind == "bbox":
                result["bbox"] = guess
            else:
                rle = masks.merge(masks.frPyObjects(polygon(guess), 480, 640))
                result["segmentation"] = {"size": rle["size"], "counts": rle["counts"].decode()}
            results.append(result)
    categories = [{"id": c + 1, "name": f"class {c + 1}"} for c in range(CLASSES)]
    truth = {"images": images, "annotations": annotations, "categories": categories}
    files = folder / "truth.json", folder / "results.json"
    for file, content in zip(files, (truth, results)):
        file.write_text(json.dumps(content))
    return files


def used_by_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def ours(program, truth, results, kind):
    begin, used = time.perf_counter(), used_by_children()
    ended = subprocess.run([program, "evaluate", "--results", results, "--data", f"coco:{truth}", "--type", kind,
                            "--json"], capture_output=True, text=True, check=True)
    wall, used = time.perf_counter() - begin, used_by_children() - used
    event = json.loads(ended.stdout)
    return (wall, used), [event["metrics"][f"{kind}/{name}"] for name in NAMES]


def theirs(module, truth, results, kind):
    if module == "pycocotools":
        from pycocotools.coco import COCO
        from pycocotools.cocoeval import COCOeval as Evaluation
    else:
        from faster_coco_eval import COCO
        from faster_coco_eval import COCOeval_faster as Evaluation
    begin, used = time.perf_counter(), time.process_time()
    with contextlib.redirect_stdout(io.StringIO()):
        coco = COCO(str(truth))
        evaluation = Evaluation(coco, coco.loadRes(str(results)), kind)
        evaluation.evaluate()
        evaluation.accumulate()
        evaluation.summarize()
    return (time.perf_counter() - begin, time.process_time() - used), [float(v) for v in evaluation.stats[:12]]


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("program")
    arguments.add_argument("--type", choices=["bbox", "segm"], default="bbox")
    arguments.add_argument("--repetitions", type=int, default=5)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as name:
        truth, results = make_files(pathlib.Path(name), given.type)
        ways = {"trainyard": lambda: ours(given.program, truth, results, given.type),
                "faster-coco-eval": lambda: theirs("faster", truth, results, given.type),
                "pycocotools": lambda: theirs("pycocotools", truth, results, given.type)}
        seconds, numbers = {way: [] for way in ways}, {}
        for repetition in range(given.repetitions):
            for way, run in ways.items():
                if way == "pycocotools" and repetition > 0:
                    continue  # for the numbers; it takes long
                taken, numbers[way] = run()
                seconds[way].append(taken)
    print(f"{given.type}: {IMAGES} images, {BOXES} boxes, {BOXES * FOUND} detections; load {os.getloadavg()[0]:.1f}")
    for way in ways:
        wall, used = (min(taken[i] for taken in seconds[way]) for i in range(2))
        ratio = used / min(taken[1] for taken in seconds["trainyard"])
        print(f"{way:17} {wall:7.2f} s, {used:7.2f} s of the CPU, {ratio:6.2f} x")
    worst = max(abs((-1.0 if a is None else a) - b) for a, b in zip(numbers["trainyard"], numbers["pycocotools"]))
    print(f"largest difference from pycocotools: {worst:.1e}")
    if worst > 1e-6:
        raise SystemExit("The numbers differ.")


if __name__ == "__main__":
    main()
