#!/usr/bin/python3
"""check_files.py WRITTEN.pth WRITTEN.safetensors: Python's readers on the same weights written by `trainyard weights
convert`. Run with PyTorch 1.13 and with 2.x; the second file only where PyPI's safetensors is installed."""
import sys

import torch

weights = torch.load(sys.argv[1], weights_only=True)
plain = torch.load(sys.argv[1])
assert list(weights) == list(plain) and len(weights) > 0
for name in weights:
    assert torch.equal(weights[name], plain[name]), name
try:
    from safetensors.torch import load_file
except ImportError:
    print("no safetensors here")
else:
    other = load_file(sys.argv[2])
    assert set(other) == set(weights)
    for name in weights:
        assert torch.equal(weights[name], other[name]) and weights[name].dtype == other[name].dtype, name
print("PyTorch", torch.__version__, "reads", len(weights), "tensors")
