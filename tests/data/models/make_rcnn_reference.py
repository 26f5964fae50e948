#!/usr/bin/python3
"""Reference values of the detectors by regions: torchvision's fasterrcnn_resnet50_fpn, maskrcnn_resnet50_fpn and
keypointrcnn_resnet50_fpn with frozen batch norm, as published, on values drawn by name.

Run with Debian's python3-torchvision; writes rcnn.json beside itself. Sampling is left out: every anchor and every
proposal that has a label counts, so that losses do not depend on a generator.
"""
import json
import math
import pathlib

import numpy as np
import torch
import torchvision
from torchvision.models.detection import FasterRCNN, KeypointRCNN, MaskRCNN
from torchvision.models.detection.anchor_utils import AnchorGenerator
from torchvision.models.detection.backbone_utils import _resnet_fpn_extractor
from torchvision.models.detection.image_list import ImageList
from torchvision.models.detection.roi_heads import paste_masks_in_image
from torchvision.ops.misc import FrozenBatchNorm2d

from make_reference import IMAGES, SIZES, noise

HERE = pathlib.Path(__file__).parent
CLASSES, KEYPOINTS = 3, 5
EVERY = 1000000
KINDS = {"faster_rcnn": FasterRCNN, "mask_rcnn": MaskRCNN, "keypoint_rcnn": KeypointRCNN}

BOXES = [[[10.5, 20, 33, 48.25], [50, 60, 98, 120], [70, 5, 78.5, 12]], [[3.0, 3, 120, 88]]]
LABELS = [[1, 3, 2], [2]]


def values(name, tensor):
    """The rule of rcnnValues in tests/core/models/RcnnWorld.h, line by line."""
    drawn = noise(name, tensor.numel())
    if tensor.dim() >= 2:
        drawn = drawn * math.sqrt(6.0 / (tensor.numel() / tensor.shape[0]))
        if "bbox_pred" in name or "cls_logits" in name:
            drawn = drawn * 0.1
    elif name.endswith("running_var"):
        drawn = 1 + 0.3 * drawn
    elif name.endswith("weight"):
        drawn = 0.5 + 0.2 * drawn
    else:
        drawn = 0.1 * drawn
    return torch.from_numpy(drawn.astype(np.float32)).reshape(tensor.shape)


def ellipse(box, height, width):
    """1 where a pixel's middle lies in the ellipse that fills the box."""
    x1, y1, x2, y2 = box
    y, x = np.mgrid[:height, :width] + 0.5
    return ((x - (x1 + x2) / 2) / ((x2 - x1) / 2)) ** 2 + ((y - (y1 + y2) / 2) / ((y2 - y1) / 2)) ** 2 <= 1


def targets():
    result = []
    for i, boxes in enumerate(BOXES):
        places = (noise(f"keypoints {i}", len(boxes) * KEYPOINTS * 2).reshape(len(boxes), KEYPOINTS, 2) + 1) / 2
        keypoints = [[[b[0] + p[0] * (b[2] - b[0]), b[1] + p[1] * (b[3] - b[1]), (j + k) % 3]
                      for k, p in enumerate(places[j])] for j, b in enumerate(boxes)]
        result.append({
            "boxes": torch.tensor(boxes).double(),
            "labels": torch.tensor(LABELS[i]),
            "masks": torch.from_numpy(np.stack([ellipse(b, *SIZES[i]) for b in boxes]).astype(np.uint8)),
            "keypoints": torch.from_numpy(np.array(keypoints).astype(np.float32)),
        })
    return result


def make(kind):
    body = torchvision.models.resnet50(norm_layer=FrozenBatchNorm2d)
    extra = {"num_keypoints": KEYPOINTS} if kind == "keypoint_rcnn" else {}
    model = KINDS[kind](
        _resnet_fpn_extractor(body, 5), CLASSES + 1,
        rpn_anchor_generator=AnchorGenerator(tuple((s,) for s in (8, 16, 32, 64, 128)), ((0.5, 1.0, 2.0),) * 5),
        rpn_pre_nms_top_n_train=200, rpn_post_nms_top_n_train=80, rpn_pre_nms_top_n_test=100,
        rpn_post_nms_top_n_test=40, rpn_batch_size_per_image=EVERY, rpn_positive_fraction=1.0,
        box_batch_size_per_image=EVERY, box_positive_fraction=1.0, box_detections_per_img=8, **extra)
    with torch.no_grad():
        for name, tensor in model.state_dict().items():
            tensor.copy_(values(name, tensor))
    return model.double()


def losses(model):
    model.train()
    features = model.backbone(IMAGES)
    images = ImageList(IMAGES, SIZES)
    proposals, rpn = model.rpn(images, features, targets())
    _, heads = model.roi_heads(features, proposals, SIZES, targets())
    return {**rpn, **heads}


def detections(model):
    model.eval()
    with torch.no_grad():
        features = model.backbone(IMAGES)
        proposals, _ = model.rpn(ImageList(IMAGES, SIZES), features)
        found, _ = model.roi_heads(features, proposals, SIZES)
    return [[one_detection(image, i) for i in range(len(image["scores"]))] for image in found]


def one_detection(image, i):
    detection = {"label": int(image["labels"][i]) - 1, "score": round(float(image["scores"][i]), 7),
                 "box": [round(float(v), 4) for v in image["boxes"][i]]}
    if "masks" in image:
        pasted = paste_masks_in_image(image["masks"][i:i + 1], image["boxes"][i:i + 1], (128, 128))[0, 0]
        y, x = np.nonzero((pasted > 0.5).numpy())
        detection["mask"] = {"area": len(x), "x": int(x.sum()), "y": int(y.sum())}
    if "keypoints" in image:
        detection["keypoints"] = [[round(float(v), 4) for v in point[:2]] for point in image["keypoints"][i]]
    return detection


def case(kind):
    model = make(kind)
    found = losses(model)
    sum(found.values()).backward()
    state = [[n, list(t.shape)] for n, t in model.state_dict().items() if kind == "faster_rcnn" or "roi_heads" in n]
    gradients = {n: float(p.grad.norm()) for n, p in model.named_parameters()
                 if not n.startswith("backbone.body") or n.endswith("conv1.weight")}
    return {"kind": kind, "losses": {k: float(v) for k, v in found.items()}, "state": state,
            "gradient_norms": gradients, "detections": detections(make(kind))}


if __name__ == "__main__":
    torch.set_num_threads(1)
    cases = ",\n".join(json.dumps(case(kind)) for kind in KINDS)
    (HERE / "rcnn.json").write_text("[" + cases + "]\n")
