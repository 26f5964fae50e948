"""Writes the small made-up images of this folder and what pycocotools says of them.

    pip install numpy pycocotools && python make_reference.py

Everything follows from the seed; expected values are pycocotools' own (COCOeval.stats, mask.decode, mask.iou).
"""

import contextlib
import io
import json

import numpy as np
from pycocotools import mask as masks
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

random = np.random.default_rng(20261130)
W, H = 160, 120


def number(value):
    return round(float(value), 2)


def box():
    w, h = random.uniform(4, 130), random.uniform(4, 100)
    return [number(random.uniform(0, W - w)), number(random.uniform(0, H - h)), number(w), number(h)]


def near(b):
    """A box that overlaps `b` more or less."""
    x, y, w, h = b
    s = random.choice([0.02, 0.08, 0.2])
    return [number(x + random.normal(0, s) * w), number(y + random.normal(0, s) * h),
            number(w * np.exp(random.normal(0, s))), number(h * np.exp(random.normal(0, s)))]


def polygon(b):
    x, y, w, h = b
    angles = np.sort(random.uniform(0, 2 * np.pi, random.integers(3, 9)))
    corners = [(x + w / 2 + w / 2 * np.cos(a), y + h / 2 + h / 2 * np.sin(a)) for a in angles]
    return [number(v) for corner in corners for v in corner]


def keypoints(b, is_result, visible=0.7):
    x, y, w, h = b
    values = []
    for _ in range(17):
        v = 1 if is_result else int(random.choice([1, 2])) if random.uniform() < visible else 0
        values += [number(x + random.uniform() * w), number(y + random.uniform() * h), v] if v else [0, 0, 0]
    return values


def evaluated(truth, results, kind):
    with contextlib.redirect_stdout(io.StringIO()):
        coco = COCO()
        coco.dataset = json.loads(json.dumps(truth))
        coco.createIndex()
        found = coco.loadRes(json.loads(json.dumps(results)))
        evaluation = COCOeval(coco, found, kind)
        evaluation.evaluate()
        evaluation.accumulate()
        evaluation.summarize()
    return [float(value) for value in evaluation.stats]


def world(kind):
    truth = {"images": [], "annotations": [],
             "categories": [{"id": i, "name": f"class {i}"} for i in ([1] if kind == "keypoints" else [2, 5, 9])]}
    results = []
    for image in [12, 3, 7, 30, 21]:
        truth["images"].append({"id": image, "width": W, "height": H, "file_name": f"{image}.png"})
        for _ in range(random.integers(2, 9)):
            b = box()
            category = int(random.choice([c["id"] for c in truth["categories"]][:2]))
            crowd = int(random.uniform() < 0.15)
            entry = {"id": len(truth["annotations"]) + 1, "image_id": image, "category_id": category, "bbox": b,
                     "iscrowd": crowd, "area": number(b[2] * b[3] * 0.6)}
            shape = [polygon(b)] + ([polygon(box())] if random.uniform() < 0.3 else [])
            if kind == "segm":
                entry["segmentation"] = shape
                if crowd:
                    whole = masks.decode(masks.merge(masks.frPyObjects(shape, H, W)))
                    runs, last = [], 0
                    for value in whole.flatten(order="F"):
                        if value != last or not runs:
                            runs += [0] if not runs and value == 0 else [0, 0] if not runs else [0]
                            last = value
                        runs[-1] += 1
                    entry["segmentation"] = {"size": [H, W], "counts": runs}
            if kind == "keypoints":
                entry["keypoints"] = keypoints(b, False, random.choice([0.0, 0.7, 0.9]))
                entry["num_keypoints"] = sum(v > 0 for v in entry["keypoints"][2::3])
            truth["annotations"].append(entry)
            for _ in range(random.integers(0, 4)):
                guess = near(b)
                result = {"image_id": image, "category_id": int(random.choice([category, category, 5, 9]))
                          if kind != "keypoints" else 1, "score": round(float(random.uniform()), 1)}
                if kind == "bbox":
                    result["bbox"] = guess
                if kind == "segm":
                    jittered = [[number(v + random.normal(0, 1.5)) for v in part] for part in shape]
                    rle = masks.merge(masks.frPyObjects(jittered, H, W))
                    result["segmentation"] = {"size": rle["size"], "counts": rle["counts"].decode()}
                if kind == "keypoints":
                    spread = random.choice([0.5, 2, 6])
                    result["keypoints"] = [number(v + random.normal(0, spread)) if i % 3 < 2 else 1
                                           for i, v in enumerate(entry["keypoints"])]
                results.append(result)
    return truth, results


for kind in ["bbox", "segm", "keypoints"]:
    truth, results = world(kind)
    with open(f"{kind}_truth.json", "w") as file:
        json.dump(truth, file, separators=(",", ":"))
    with open(f"{kind}_results.json", "w") as file:
        json.dump(results, file, separators=(",", ":"))
    with open(f"{kind}_expected.json", "w") as file:
        json.dump(evaluated(truth, results, kind), file)

shapes = []
for i in range(40):
    corners = polygon(box()) if i % 2 else [number(random.uniform(-20, max(W, H) + 20)) for _ in range(2 * random.integers(3, 7))]
    rle = masks.frPyObjects([corners], H, W)[0]
    shapes.append({"polygon": corners, "counts": rle["counts"].decode(), "area": int(masks.area(rle)),
                   "bbox": [int(v) for v in masks.toBbox(rle)]})
for shape, other in zip(shapes, shapes[1:] + shapes[:1]):
    a, b = ({"size": [H, W], "counts": s["counts"].encode()} for s in (shape, other))
    shape["iou_with_next"] = float(masks.iou([a], [b], [0])[0, 0])
    shape["crowd_iou_with_next"] = float(masks.iou([a], [b], [1])[0, 0])
    shape["union_with_next"] = masks.merge([a, b])["counts"].decode()
with open("polygons.json", "w") as file:
    json.dump({"width": W, "height": H, "shapes": shapes}, file, separators=(",", ":"))
