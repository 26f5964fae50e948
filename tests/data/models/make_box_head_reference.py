#!/usr/bin/python3
"""What torchvision's box head gives: values, losses and detections, box_head.json. Run with Debian's torchvision."""
import json
import pathlib

import torch
from torchvision.models.detection.faster_rcnn import FastRCNNPredictor, TwoMLPHead
from torchvision.models.detection.roi_heads import RoIHeads, fastrcnn_loss

from make_reference import fill
from make_rpn_reference import boxes, rounded, values

HERE = pathlib.Path(__file__).parent


def filled(module):
    for name, tensor in module.named_parameters():
        fill(name, tensor)
    return module


def main():
    regions = boxes("regions", 30)
    features = filled(TwoMLPHead(4 * 3 * 3, 16))(values("pooled", 30, 4, 3, 3))
    logits, offsets = filled(FastRCNNPredictor(16, 4))(features)
    labels = torch.tensor([0, 1, 0, 2, 3, 0, 0, 1, 0, 0] * 3)
    targets = values("offset targets", 30, 4)
    losses = fastrcnn_loss(logits, offsets, [labels[:12], labels[12:]], [targets[:12], targets[12:]])
    heads = RoIHeads(None, None, None, 0.5, 0.5, 512, 0.25, None, 0.05, 0.3, 20).eval()
    found = heads.postprocess_detections(logits * 2, offsets, [regions], [(90, 120)])
    result = {"logits": rounded(logits), "loss_classifier": float(losses[0]), "loss_box_reg": float(losses[1]),
              "boxes": rounded(found[0][0]), "scores": rounded(found[1][0]), "labels": found[2][0].tolist()}
    (HERE / "box_head.json").write_text(json.dumps(result, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    torch.set_num_threads(1)
    with torch.no_grad():
        main()
