"""Writes proposals for the images of bbox_truth.json and what pycocotools says of them, and its precision curves of the
boxes of bbox_results.json.

    pip install numpy pycocotools && python make_proposals_reference.py

Proposals are scored with COCOeval's useCats = 0 and maxDets = [1, 100, 1000], as recall by size and limit; the curves
are its eval["precision"] and eval["scores"] at IoU 0.50 and 0.75 of each class.
"""

import contextlib
import io
import json

import numpy as np
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

random = np.random.default_rng(20261201)
W, H = 160, 120


def number(value):
    return round(float(value), 2)


def evaluation_of(truth, results, prepare=lambda evaluation: None):
    with contextlib.redirect_stdout(io.StringIO()):
        coco = COCO()
        coco.dataset = json.loads(json.dumps(truth))
        coco.createIndex()
        evaluation = COCOeval(coco, coco.loadRes(json.loads(json.dumps(results))), "bbox")
        prepare(evaluation)
        evaluation.evaluate()
        evaluation.accumulate()
    return evaluation


def mean(values):
    values = values[values > -1]
    return float(np.mean(values)) if len(values) else -1.0


with open("bbox_truth.json") as file:
    truth = json.load(file)

proposals = []
for image in truth["images"]:
    boxes = [a["bbox"] for a in truth["annotations"] if a["image_id"] == image["id"]]
    scores = np.sort(random.uniform(size=115))[::-1]
    for score in scores:
        x, y, w, h = boxes[random.integers(len(boxes))]
        s = random.choice([0.1, 0.3, 0.6])
        proposals.append({"image_id": image["id"], "score": round(float(score), 2),
                          "bbox": [number(x + random.normal(0, s) * w), number(y + random.normal(0, s) * h),
                                   number(w * np.exp(random.normal(0, s))), number(h * np.exp(random.normal(0, s)))]})
with open("proposals_results.json", "w") as file:
    json.dump(proposals, file, separators=(",", ":"))


def without_classes(evaluation):
    evaluation.params.useCats = 0
    evaluation.params.maxDets = [1, 100, 1000]


recall = evaluation_of(truth, [dict(p, category_id=2) for p in proposals], without_classes).eval["recall"]
with open("proposals_expected.json", "w") as file:  # [threshold, class, area, limit]
    json.dump([mean(recall[:, :, area, limit]) for limit in (1, 2) for area in range(4)], file)

with open("bbox_results.json") as file:
    evaluation = evaluation_of(truth, json.load(file))
curves = []
for k, category in enumerate(evaluation.params.catIds):
    for t in (0, 5):
        precision, score = (evaluation.eval[name][t, :, k, 0, 2] for name in ("precision", "scores"))
        curves.append({"category": int(category), "threshold": t, "ap": mean(precision),
                       "class_ap": mean(evaluation.eval["precision"][:, :, k, 0, 2]),
                       "precision": [round(float(v), 9) for v in precision], "score": [float(v) for v in score]})
with open("bbox_curves.json", "w") as file:
    json.dump(curves, file, separators=(",", ":"))
