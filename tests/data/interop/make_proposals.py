"""Writes proposals.pkl and its kin, as Detectron writes rpn_proposals.pkl: a pickle of protocol 2.

Usage: python3 make_proposals.py (needs NumPy)
"""

import pathlib
import pickle

import numpy

folder = pathlib.Path(__file__).parent
boxes = [
    numpy.array([[0, 0, 9, 4], [3, 2, 12, 6], [3.2, 2.1, 12.1, 6.4]], dtype=numpy.float32),
    numpy.zeros((0, 4), dtype=numpy.float32),
]
scores = [numpy.array([0.25, 0.75, 0.5], dtype=numpy.float32), numpy.zeros(0, dtype=numpy.float32)]


def write(name, value):
    (folder / name).write_bytes(pickle.dumps(value, protocol=2))


write("proposals.pkl", dict(boxes=boxes, scores=scores, ids=[1, 7], cfg="MODEL: {}\n"))
write("proposals_old.pkl", dict(boxes=boxes, scores=scores, indexes=numpy.array([1, 7])))
write("proposals_short.pkl", dict(boxes=boxes, scores=scores, ids=[1]))
write("proposals_unlike.pkl", dict(boxes=boxes[::-1], scores=scores, ids=[1, 7]))
write("proposals_twice.pkl", dict(boxes=boxes, scores=scores, ids=[7, 7]))
