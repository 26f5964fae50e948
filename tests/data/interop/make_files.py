#!/usr/bin/python3
"""Writes the small torch.save files of this folder: run it here, once with Debian 12's PyTorch 1.13.1, once with 2.x
(which writes checkpoint_2.pth alone).

Every tensor holds 0, 1, 2, … in its own order and type, so that a test knows the values by itself.
"""
import collections

import torch


def counted(*shape, dtype=torch.float32):
    count = 1
    for size in shape:
        count *= size
    return torch.arange(count).reshape(shape).to(dtype)


# a state_dict as modules make it: OrderedDict with _metadata, parameters and buffers
module = torch.nn.Sequential(torch.nn.Conv2d(2, 3, 3), torch.nn.BatchNorm2d(3))
with torch.no_grad():
    for tensor in module.state_dict().values():
        tensor.copy_(counted(*tensor.shape))
if torch.__version__.startswith("2"):
    torch.save({"model": module.state_dict(), "step": 3, "bf16": counted(3, dtype=torch.bfloat16)}, "checkpoint_2.pth")
    raise SystemExit
torch.save(module.state_dict(), "state_dict.pth")

# a checkpoint as training scripts make it: nested, with numbers and an optimiser's integer keys; parameters, a
# DataParallel prefix, a transposed view and one that shares its storage
base = counted(4, 5)
torch.save(
    {
        "epoch": 7,
        "lr": 0.125,
        "done": False,
        "note": "größer ≥ 1",
        "big": 2**40,
        "negative": -3,
        "nothing": None,
        "state_dict": collections.OrderedDict(
            [
                ("module.weight", torch.nn.Parameter(counted(2, 3))),
                ("module.transposed", base.t()),
                ("module.row", base[2]),
            ]
        ),
        "optimizer": {"state": {0: {"step": 3, "momentum_buffer": counted(2, 3)}}, "param_groups": [{"params": [0, 1]}]},
        "shape": torch.Size([4, 5]),
        "betas": (0.9, 0.999),
    },
    "checkpoint.pth",
)

torch.save(
    {
        "float64": counted(3, dtype=torch.float64),
        "float16": counted(3, dtype=torch.float16),
        "bfloat16": counted(3, dtype=torch.bfloat16),
        "int64": counted(3, dtype=torch.int64),
        "int32": counted(3, dtype=torch.int32),
        "int16": counted(3, dtype=torch.int16),
        "int8": counted(3, dtype=torch.int8),
        "uint8": counted(3, dtype=torch.uint8),
        "bool": torch.tensor([True, False, True]),
        "scalar": torch.tensor(42.0),
        "empty": torch.zeros(0, 3),
    },
    "types.pth",
)

torch.save(module.state_dict(), "old_layout.pth", _use_new_zipfile_serialization=False)

# the old layout with storages that are shared, and of several types
torch.save(
    {
        "epoch": 7,
        "state_dict": collections.OrderedDict(
            [
                ("weight", torch.nn.Parameter(counted(2, 3))),
                ("transposed", base.t()),
                ("row", base[2]),
                ("flags", torch.tensor([True, False, True])),
                ("steps", counted(3, dtype=torch.int64)),
                ("halves", counted(3, dtype=torch.float16)),
            ]
        ),
    },
    "old_checkpoint.pth",
    _use_new_zipfile_serialization=False,
)


class Runs:
    """What a hostile file does: asks the reader to call something."""

    def __reduce__(self):
        import os

        return (os.system, ("touch /tmp/trainyard-was-here",))


torch.save({"weight": counted(2), "payload": Runs()}, "hostile.pth")
torch.save({"weight": counted(2), "payload": Runs()}, "old_hostile.pth", _use_new_zipfile_serialization=False)
torch.save(module, "whole_module.pth")
