#!/usr/bin/python3
"""Mask and keypoint targets and losses from torchvision: roi_targets.json. Run with Debian's python3-torchvision."""
import json
import pathlib

import torch
from torchvision.models.detection import roi_heads

from make_reference import noise

HERE = pathlib.Path(__file__).parent


def values(name, *sizes):
    count = 1
    for size in sizes:
        count *= size
    return torch.tensor(noise(name, count)).float().reshape(sizes)


def boxes(name, count):
    u = values(name, count, 4)
    corner = 12 + 10 * u[:, :2]
    return torch.cat([corner, corner + 9 + 7 * u[:, 2:]], 1)


def main():
    masks = (values("masks", 3, 40, 36) > 0.2).to(torch.uint8)
    regions, owners = boxes("regions", 6), torch.tensor([0, 2, 1, 1, 0, 2])
    labels = torch.tensor([2, 1, 0, 2, 1, 1])
    logits = values("mask logits", 6, 3, 7, 7) * 3
    targets = roi_heads.project_masks_on_boxes(masks, regions, owners, 7)
    # each region's own label: an "object" a region, so that labels need no owners
    mask_loss = roi_heads.maskrcnn_loss(logits, [regions], [masks[owners]], [labels], [torch.arange(6)])

    people = boxes("people", 5)
    points = torch.cat([17 + 9 * values("points", 5, 4, 2), (values("seen", 5, 4, 1) > -0.5).float() * 2], 2)
    points[0, 0, 0], points[0, 0, 1] = people[0, 2], people[0, 3]  # on the right and lower border
    points[1, 1, 0], points[1, 1, 1] = people[1, 0], people[1, 1]  # on the left and upper one
    heat, valid = roi_heads.keypoints_to_heatmap(points, people, 8)
    heat_logits = values("heat logits", 5, 4, 8, 8) * 2
    loss = roi_heads.keypointrcnn_loss(heat_logits, [people], [points], [torch.arange(5)])
    result = {
        "mask_targets": [float(f"{x:.6g}") for x in targets.flatten().tolist()],
        "mask_loss": float(mask_loss),
        "keypoint_cells": heat.tolist(),
        "keypoint_counted": valid.tolist(),
        "keypoint_loss": float(loss),
    }
    (HERE / "roi_targets.json").write_text(json.dumps(result, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
