#!/usr/bin/python3
"""Polygons drawn into boxes on 28 x 28 cells by the COCO API, as Detectron makes its mask targets: polygon_masks.json.

Run with any Python that has pycocotools. A mask is written as its cells, row by row, as bits from the highest on.
"""
import json
import pathlib

import numpy as np
from pycocotools import mask as coco

SIZE = 28
TRIANGLE = [10.3, 4.2, 33.8, 20.1, 5.5, 38.7]
CONCAVE = [2, 2, 30, 4, 16.5, 12.25, 28, 36, 6, 30, 12, 14]
PARTS = [[4, 4, 14, 4, 14, 14, 4, 14], [20.5, 8.5, 30, 12, 24, 33.3, 12, 26]]
CASES = [
    ([[10, 10, 24, 10, 24, 24, 10, 24]], [3, 3, 31, 31]),  # a square of 14 in a box of 28
    ([TRIANGLE], [5.5, 4.2, 33.8, 38.7]),
    ([TRIANGLE], [12, 10, 60.5, 29]),                      # cut by the box
    ([CONCAVE], [0, 0, 35, 35]),
    (PARTS, [2.5, 3.5, 31, 34]),
    ([TRIANGLE], [15, 15, 15.2, 15.1]),                    # a box of less than a pixel
    ([TRIANGLE], [100, 100, 140, 150]),                    # that it does not touch
]


def drawn(polygons, box):
    box = np.array(box, dtype=np.float32).astype(np.float64)
    width, height = max(box[2] - box[0], 1), max(box[3] - box[1], 1)
    scaled = []
    for polygon in polygons:
        points = np.array(polygon, dtype=np.float32).astype(np.float64)
        points[0::2] = (points[0::2] - box[0]) * (SIZE / width)
        points[1::2] = (points[1::2] - box[1]) * (SIZE / height)
        scaled.append(points.tolist())
    mask = coco.decode(coco.frPyObjects(scaled, SIZE, SIZE)).sum(axis=2) > 0
    return "".join("1" if cell else "0" for cell in mask.flatten())


cases = [{"polygons": polygons, "box": box, "cells": f"{int(drawn(polygons, box), 2):0196x}"} for polygons, box in CASES]
path = pathlib.Path(__file__).parent / "polygon_masks.json"
path.write_text(json.dumps(cases, separators=(",", ":")).replace("},{", "},\n{") + "\n")
