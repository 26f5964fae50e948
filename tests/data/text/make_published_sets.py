#!/usr/bin/env python3
"""MATLAB files in the layouts of IIIT5K and SynthText, written by SciPy (PyPI): a few words each, none of theirs.

Writes iiit5k_train.mat, iiit5k_test.mat and synthtext.mat beside itself. The test makes the images.
"""
import pathlib

import numpy as np
from scipy.io import savemat

HERE = pathlib.Path(__file__).parent


def cells(values, shape=None):
    array = np.empty((1, len(values)), dtype=object)
    for i, value in enumerate(values):
        array[0, i] = value
    return array


def structures(rows, fields):
    array = np.empty((1, len(rows)), dtype=[(name, object) for name in fields])
    for i, row in enumerate(rows):
        array[0, i] = row
    return array


def iiit5k():
    train = structures([("train/1_1.png", "ROAD"), ("train/2_1.png", "7UP")], ["ImgName", "GroundTruth"])
    savemat(HERE / "iiit5k_train.mat", {"traindata": train})
    test = structures([("test/1_1.png", "SALON", cells(["SALON", "SALOON"]), cells(["SALON", "SALOON", "SALAD"])),
                       ("test/2_1.png", "CAFÉ", cells(["CAFÉ", "CAKE"]), cells(["CAKE", "CAFÉ", "CAVE"]))],
                      ["ImgName", "GroundTruth", "smallLexi", "mediumLexi"])
    savemat(HERE / "iiit5k_test.mat", {"testdata": test}, do_compression=True)


def upper(x):
    return 20 + 0.004 * (x - 60) ** 2


def quads(places):
    """Characters under the parabola, 10 high: 2 x 4 x N, corners clockwise from the upper left."""
    out = np.zeros((2, 4, len(places)))
    for n, (left, right) in enumerate(places):
        out[:, :, n] = [[left, right, right, left], [upper(left), upper(right), upper(right) + 10, upper(left) + 10]]
    return out


def synthtext():
    first = quads([(10, 20), (20, 30), (50, 60), (60, 70), (70, 80), (90, 100)])  # "to", "bee", "x"
    words = np.zeros((2, 4, 3))
    for n, (a, b) in enumerate([(0, 1), (2, 4), (5, 5)]):
        part = first[:, :, a:b + 1].reshape(2, -1)
        (x1, y1), (x2, y2) = part.min(axis=1), part.max(axis=1)
        words[:, :, n] = [[x1, x2, x2, x1], [y1, y1, y2, y2]]
    second = quads([(10, 20), (20, 30)])
    one = np.array([[10.0, 30.0, 30.0, 10.0], [15.0, 15.0, 45.0, 45.0]])  # a single word has no third axis
    savemat(HERE / "synthtext.mat", {
        "imnames": cells(["8/a.jpg", "8/b.jpg"]),
        "wordBB": cells([words.astype(np.float32), one]),
        "charBB": cells([first, second]),
        "txt": cells([np.array(["to bee", "x"]), np.array(["hi"])]),  # rows of one length, filled with blanks
    }, do_compression=True)


iiit5k()
synthtext()
