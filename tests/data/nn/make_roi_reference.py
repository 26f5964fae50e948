#!/usr/bin/python3
"""Reference values of the operators on regions of interest, from torchvision: writes roi.json beside itself.

Run with Debian's python3-torch and python3-torchvision. Feature maps and the weights of the gradients are not stored:
both sides draw them from SplitMix64 by name (tests/core/models/Reference.h).
"""
import json
import pathlib
import sys

import torch
from torchvision import ops

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "models"))
from make_reference import noise  # noqa: E402

# image, x1, y1, x2, y2 at stride 4 of a 7 x 9 map (28 x 36 pixels)
ROIS = [
    [0, 0, 0, 35, 27],        # the whole image
    [1, 3.3, 5.7, 20.1, 19.9],
    [1, -9, -7, 12, 10],      # over the left and upper border
    [0, 25, 18, 60, 50],      # over the right and lower one
    [1, 40, 30, 70, 60],      # wholly outside
    [0, 10.2, 10.4, 10.6, 10.9],  # less than a cell
    [1, 8, 8, 8, 8],          # nothing
    [0, 34, 2, 36, 26],       # the last column
    [0, -3.9, 26, 6, 31.9],   # within a cell of the border
]


def values(name, *sizes):
    count = 1
    for size in sizes:
        count *= size
    return torch.tensor(noise(name, count)).reshape(sizes)


def numbers(tensor):
    return [float(f"{x:.7g}") for x in tensor.detach().flatten().tolist()]


def differences(loss, at):
    """Central differences of `loss` by every element."""
    gradient = torch.empty_like(at)
    for i in range(at.numel()):
        step = torch.zeros(at.numel(), dtype=at.dtype)
        step[i] = 1e-4
        gradient.view(-1)[i] = (loss(at + step.view_as(at)) - loss(at - step.view_as(at))) / 2e-4
    return gradient


def case(operator, channels, trusts_backward=True):
    features = values("roi features", 2, channels, 7, 9).requires_grad_()
    rois = torch.tensor(ROIS, dtype=torch.float64)
    out = operator(features, rois)
    weights = values("roi weights", *out.shape)
    if trusts_backward:
        (out * weights).sum().backward()
        gradient = features.grad
    else:
        with torch.no_grad():
            gradient = differences(lambda f: (operator(f, rois) * weights).sum(), features.detach())
    return {"sizes": list(out.shape), "values": numbers(out), "gradient": numbers(gradient)}


def main():
    cases = {"rois": ROIS}
    for samples in (0, 1, 2, 3):
        for aligned in (False, True):
            cases[f"align_{samples}_{int(aligned)}"] = case(
                lambda f, r: ops.roi_align(f, r, (3, 2), 0.25, samples or -1, aligned), 2)
    cases["pool"] = case(lambda f, r: ops.roi_pool(f, r, (3, 2), 0.25), 2)
    # Its values leave the last row and column of the map out, its gradient does not: so differences of its values.
    cases["position_sensitive"] = case(lambda f, r: ops.ps_roi_pool(f, r, 2, 0.25), 8, trusts_backward=False)
    (HERE / "roi.json").write_text(json.dumps(cases, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
