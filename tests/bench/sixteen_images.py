#!/usr/bin/env python3
"""Cuts sixteen named images out of coco_small twice: FOLDER/things with boxes, FOLDER/people with keypoints.

Usage: sixteen_images.py COCO_SMALL FOLDER
"""

import json
import pathlib
import shutil
import sys

THINGS = [30, 72, 73, 86, 92, 165, 194, 208, 309, 370, 436, 450, 459, 491, 529, 629]
PEOPLE = [
    6818, 41888, 58636, 60623, 111076, 226111, 252219, 329323, 331352, 397133, 403385, 412151, 456496, 458054, 522418,
    579003,
]


def cut(source, target, kind, ids):
    """Images and annotations of `ids`, out of both parts."""
    (target / "images").mkdir(parents=True, exist_ok=True)
    whole = {"images": [], "annotations": []}
    for part in ("train", "val"):
        given = json.loads((source / "annotations" / f"{kind}_{part}.json").read_text())
        whole["categories"] = given["categories"]
        whole["annotations"] += [one for one in given["annotations"] if one["image_id"] in ids]
        for image in given["images"]:
            if image["id"] in ids:
                whole["images"].append(image)
                shutil.copy(source / part / image["file_name"], target / "images")
    assert len(whole["images"]) == len(ids), f"{kind}: {len(whole['images'])} of {len(ids)} images are there"
    (target / "annotations.json").write_text(json.dumps(whole))


source, target = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
cut(source, target / "things", "instances", set(THINGS))
cut(source, target / "people", "person_keypoints", set(PEOPLE))
