#!/usr/bin/python3
"""Writes the small pickles and safetensors files of this folder: run it here, with NumPy and PyPI's safetensors.

Every array holds 0, 1, 2, … in its own order and type, so that a test knows the values by itself.
"""
import pickle
import struct

import numpy
from safetensors.numpy import save_file


def counted(*shape, dtype="<f4"):
    return numpy.arange(int(numpy.prod(shape))).reshape(shape).astype(dtype)


class Python2(pickle._Pickler):
    """Writes texts and bytes as Python 2 did, where both were the same: Detectron's own files are of that kind."""

    dispatch = dict(pickle._Pickler.dispatch)

    def save_plain(self, text):
        raw = text.encode("latin1") if isinstance(text, str) else bytes(text)
        self.write(b"U" + bytes([len(raw)]) if len(raw) < 256 else b"T" + struct.pack("<i", len(raw)))
        self.write(raw)
        self.memoize(text)

    dispatch[str] = save_plain
    dispatch[bytes] = save_plain


CONFIG = """MODEL: !!python/object/new:utils.collections.AttrDict
  dictitems:
    BBOX_REG_WEIGHTS: !!python/tuple [10.0, 10.0, 5.0, 5.0]
    TYPE: retinanet
  state:
    __immutable__: false
RETINANET: !!python/object/new:utils.collections.AttrDict
  dictitems:
    ASPECT_RATIOS: !!python/tuple [1.0, 2.0, 0.5]
    SCALES_PER_OCTAVE: 2
  state:
    __immutable__: false
"""
BLOBS = {
    "conv1_w": counted(2, 3),
    "conv1_w_momentum": counted(2, 3),
    "res_conv1_bn_s": counted(300),  # longer than a short string
    "order": numpy.asfortranarray(counted(2, 3)),
    "nothing": None,
}

with open("detectron.pkl", "wb") as file:
    pickle.dump({"blobs": BLOBS, "cfg": CONFIG}, file, 2)
with open("detectron_python2.pkl", "wb") as file:
    Python2(file, 2).dump({"blobs": BLOBS, "cfg": CONFIG})
with open("detectron_bare.pkl", "wb") as file:
    pickle.dump(BLOBS, file, 2)

# for the toy model of tests/core/train: a weight is missing and one has no place
TOY = {"conv.weight": counted(4, 1, 3, 3) / 8, "conv.bias": counted(4), "head.weight": counted(3, 4), "pred_w": counted(5)}
with open("toy.pkl", "wb") as file:
    pickle.dump({"blobs": TOY, "cfg": "MODEL: {BBOX_REG_WEIGHTS: [10.0, 10.0, 5.0, 5.0]}\n"}, file, 2)
with open("toy_old.pkl", "wb") as file:
    pickle.dump({"blobs": TOY, "cfg": "MODEL: {TYPE: generalized_rcnn}\n"}, file, 2)
with open("toy_bare.pkl", "wb") as file:
    pickle.dump(TOY, file, 2)

kinds = {kind: counted(3, dtype="<" + kind) for kind in ("f2", "f4", "f8", "i2", "i4", "i8", "u2", "u4", "u8")}
kinds.update({kind: counted(3, dtype=kind) for kind in ("i1", "u1")})
kinds.update(
    {
        "big": counted(2, 3, dtype=">f4"),
        "bool": numpy.array([True, False, True]),
        "most": numpy.array([65535], dtype="u2"),
        "most4": numpy.array([4294967295], dtype="u4"),
        "none": numpy.zeros((0, 3), dtype="f4"),
        "zero_dim": numpy.array(7.0, dtype="f4"),
        "scalar": numpy.float32(0.5),
        "count": numpy.int64(-3),
        "flag": numpy.bool_(True),
        "order": numpy.asfortranarray(counted(2, 3)),
        "bytes": b"\x00\x80\xff",
        "far": 2**40,
    }
)
for protocol in (2, 4, 5):
    with open("arrays_%d.pkl" % protocol, "wb") as file:
        pickle.dump(kinds, file, protocol)


class Runs:
    """What a hostile file does: asks the reader to call something."""

    def __reduce__(self):
        import os

        return (os.system, ("touch /tmp/trainyard-was-here",))


with open("hostile.pkl", "wb") as file:
    pickle.dump({"blobs": {"conv1_w": counted(2, 3)}, "cfg": Runs()}, file, 2)
with open("objects.pkl", "wb") as file:
    pickle.dump({"words": numpy.array(["a", "b"])}, file, 2)

save_file(
    {
        "weight": counted(2, 3),
        "half": counted(4, dtype="f2"),
        "double": counted(2, dtype="f8"),
        "long": counted(3, dtype="i8"),
        "byte": counted(5, dtype="u1"),
        "flags": numpy.array([True, False]),
        "none": numpy.zeros((0, 3), dtype="f4"),
        "one": numpy.array(7.0, dtype="f4"),
    },
    "weights.safetensors",
    metadata={"format": "pt"},
)
