#!/usr/bin/python3
"""What torchvision's mask and keypoint heads give: mask_heads.json. Run with Debian's python3-torchvision."""
import json
import pathlib

import torch
from torchvision.models.detection.keypoint_rcnn import KeypointRCNNHeads, KeypointRCNNPredictor
from torchvision.models.detection.mask_rcnn import MaskRCNNHeads, MaskRCNNPredictor
from torchvision.models.detection.roi_heads import heatmaps_to_keypoints, paste_masks_in_image

from make_reference import fill
from make_rpn_reference import boxes, rounded, values

HERE = pathlib.Path(__file__).parent
BOXES = [[3.2, 4.9, 21.7, 18.1], [-6.5, -3.0, 9.4, 12.0], [25.0, 20.0, 50.0, 44.0], [10.0, 10.0, 10.4, 10.2]]


def filled(module):
    for name, tensor in module.named_parameters():
        fill(name, tensor)
    return module


def main():
    pooled = values("mask pooled", 2, 4, 5, 5)
    dilated = filled(MaskRCNNHeads(4, (8, 8, 8), 2))(pooled)
    masks = filled(MaskRCNNPredictor(8, 6, 3))(filled(MaskRCNNHeads(4, (8, 8), 1))(pooled))
    pasted = paste_masks_in_image(values("small masks", 4, 1, 6, 6) * 0.5 + 0.5, torch.tensor(BOXES), (30, 40))
    heat = filled(KeypointRCNNPredictor(8, 3))(filled(KeypointRCNNHeads(4, (8, 8)))(pooled))
    points, scores = heatmaps_to_keypoints(values("heat", 5, 3, 8, 8) * 4, boxes("people", 5))
    result = {
        "dilated": rounded(dilated), "masks": rounded(masks), "boxes": BOXES,
        "pasted": [rounded(p, 5) for p in pasted], "heat": rounded(heat), "points": rounded(points),
        "scores": rounded(scores),
    }
    (HERE / "mask_heads.json").write_text(json.dumps(result, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    torch.set_num_threads(1)
    with torch.no_grad():
        main()
