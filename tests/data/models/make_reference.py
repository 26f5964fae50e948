#!/usr/bin/python3
"""Reference values of the models and operators, from torchvision and PyTorch.

Run with Debian's python3-torch and python3-torchvision; writes retinanet.json, crnn.json and operators.json beside
itself. Weights and inputs are not stored: both sides draw them from SplitMix64 by name (tests/core/models/Reference.h).
"""
import json
import math
import pathlib

import numpy as np
import torch
import torchvision
from torch import nn
from torchvision.models.detection.anchor_utils import AnchorGenerator
from torchvision.models.detection.backbone_utils import BackboneWithFPN
from torchvision.models.detection.image_list import ImageList
from torchvision.models.detection.retinanet import RetinaNet
from torchvision.ops import misc
from torchvision.ops.feature_pyramid_network import LastLevelP6P7

HERE = pathlib.Path(__file__).parent


def fnv(name):
    value = 0xCBF29CE484222325
    for byte in name.encode():
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


def noise(name, count):
    """Uniform in [-1, 1), a function of name and index: SplitMix64 seeded by the name's FNV-1a hash."""
    with np.errstate(over="ignore"):
        z = np.uint64(fnv(name)) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
    return (z >> np.uint64(11)).astype(np.float64) * 2.0**-53 * 2 - 1


def fill(name, tensor):
    if not tensor.dtype.is_floating_point:
        return
    values = noise(name, tensor.numel())
    if tensor.dim() == 4:
        values = values * math.sqrt(6.0 / (tensor.numel() / tensor.shape[0]))
    elif tensor.dim() == 2:
        values = values * 0.3
    elif name.endswith("running_var"):
        values = 1 + 0.3 * values
    elif name.endswith("weight"):
        values = 0.5 + 0.2 * values
    elif name.endswith("cls_logits.bias"):
        values = -2 + 0.5 * values
    else:
        values = 0.1 * values
    if ".cls_logits.weight" in name or ".bbox_reg.weight" in name:
        values = values * 0.1
    # rounded to float32, so that both sides start from the same numbers
    tensor.data.copy_(torch.from_numpy(values.astype(np.float32)).reshape(tensor.shape))


def make_retinanet(depth, norm):
    layers = {
        "batch": nn.BatchNorm2d,
        "group": lambda channels: nn.GroupNorm(32, channels),
        "frozen": misc.FrozenBatchNorm2d,
    }
    body = getattr(torchvision.models, f"resnet{depth}")(norm_layer=layers[norm])
    widths = [512, 1024, 2048] if depth == 50 else [128, 256, 512]
    backbone = BackboneWithFPN(
        body, {"layer2": "0", "layer3": "1", "layer4": "2"}, widths, 32, extra_blocks=LastLevelP6P7(32, 32))
    sizes = tuple(tuple(int(s * f) for f in (1, 2 ** (1 / 3), 2 ** (2 / 3))) for s in (10, 20, 40, 80, 120))
    model = RetinaNet(
        backbone, 3, anchor_generator=AnchorGenerator(sizes, ((0.5, 1.0, 2.0),) * 5),
        score_thresh=0.2, nms_thresh=0.5, detections_per_img=20, topk_candidates=60)
    for name, tensor in model.state_dict().items():
        fill(name, tensor)
    return model.double()


IMAGES = torch.from_numpy(noise("images", 2 * 3 * 128 * 128).astype(np.float32)).reshape(2, 3, 128, 128).double()
SIZES = [(128, 100), (90, 128)]
TARGETS = [
    {"boxes": torch.tensor([[10.5, 20, 33, 48.25], [50, 60, 98, 120], [70, 5, 78.5, 12]]), "labels": torch.tensor([0, 2, 1])},
    {"boxes": torch.tensor([[3.0, 3, 120, 88]]), "labels": torch.tensor([1])},
]


def retinanet_case(depth, norm):
    model = make_retinanet(depth, norm).train()
    images = ImageList(IMAGES, SIZES)
    targets = [{"boxes": t["boxes"].double(), "labels": t["labels"]} for t in TARGETS]
    features = list(model.backbone(IMAGES).values())
    output = model.head(features)
    anchors = model.anchor_generator(images, features)
    losses = model.compute_loss(targets, output, anchors)
    sum(losses.values()).backward()

    model.load_state_dict({n: t for n, t in make_retinanet(depth, norm).state_dict().items()})
    model.eval()
    with torch.no_grad():
        features = list(model.backbone(IMAGES).values())
        output = model.head(features)
        per_level = [f.shape[2] * f.shape[3] * 9 for f in features]
        found = model.postprocess_detections(
            {k: list(v.split(per_level, dim=1)) for k, v in output.items()},
            [list(a.split(per_level)) for a in anchors], SIZES)
    return {
        "depth": depth,
        "norm": norm,
        "losses": {k: float(v) for k, v in losses.items()},
        "parameters": [[n, list(p.shape)] for n, p in model.named_parameters()],
        "buffers": [[n, list(b.shape)] for n, b in model.named_buffers()],
        "gradient_norms": {n: float(p.grad.norm()) for n, p in model.named_parameters()},
        "anchors": {"count": anchors[0].shape[0], "every_501st": anchors[0][::501].tolist()},
        "detections": [
            [{"label": int(l), "score": round(float(s), 7), "box": [round(float(v), 4) for v in b]}
             for b, s, l in zip(f["boxes"], f["scores"], f["labels"])] for f in found],
    }


class Crnn(nn.Module):
    def __init__(self, stem, hidden, layers, classes):
        super().__init__()
        self.cnn = nn.Module()
        before = 1
        self.widths = [stem * m for m in (1, 2, 4, 4, 8, 8, 8)]
        for i, width in enumerate(self.widths):
            kernel, padding = ((2, 3), (0, 1)) if i == 6 else (3, 1)
            self.cnn.add_module(f"conv{i}", nn.Conv2d(before, width, kernel, padding=padding, bias=False))
            self.cnn.add_module(f"norm{i}", nn.BatchNorm2d(width))
            before = width
        self.rnn = nn.Module()
        for i in range(layers):
            self.rnn.add_module(str(i), nn.LSTM(before, hidden, bidirectional=True))
            before = 2 * hidden
        self.head = nn.Linear(before, classes)

    def forward(self, x):
        pools = {0: (2, 2), 1: (2, 2), 3: (2, 1), 5: (2, 1)}
        for i in range(7):
            x = torch.relu(self.cnn.get_submodule(f"norm{i}")(self.cnn.get_submodule(f"conv{i}")(x)))
            if i in pools:
                x = nn.functional.max_pool2d(x, pools[i])
        x = x.squeeze(2).permute(2, 0, 1)
        for layer in self.rnn.children():
            x = layer(x)[0]
        return self.head(x)


def crnn_case():
    model = Crnn(stem=4, hidden=6, layers=2, classes=6)
    for name, tensor in model.state_dict().items():
        fill(name, tensor)
    model = model.double().train()
    images = torch.from_numpy(noise("words", 3 * 32 * 40).astype(np.float32)).reshape(3, 1, 32, 40).double()
    logits = model(images)
    labels, lengths = torch.tensor([1, 2, 3, 5, 5, 4]), torch.tensor([3, 2, 1])
    loss = nn.functional.ctc_loss(logits.log_softmax(2), labels, torch.full((3,), logits.shape[0]), lengths)
    loss.backward()
    return {
        "loss": float(loss),
        "logits": [[[round(v, 7) for v in row] for row in step] for step in logits.tolist()],
        "parameters": [[n, list(p.shape)] for n, p in model.named_parameters()],
        "gradient_norms": {n: float(p.grad.norm()) for n, p in model.named_parameters()},
    }


def random_boxes(name, count):
    u = torch.from_numpy(noise(name, 4 * count).astype(np.float32)).reshape(count, 4)
    corner = 50 + 40 * u[:, :2]
    return torch.cat([corner, corner + 15 + 10 * u[:, 2:]], 1)


def operators():
    boxes = random_boxes("boxes", 200)
    scores = torch.from_numpy(noise("scores", 200).astype(np.float32))
    labels = torch.from_numpy((noise("labels", 200) > 0).astype(np.int64))
    references = random_boxes("references", 200)
    coder = torchvision.models.detection._utils.BoxCoder((10.0, 10.0, 5.0, 5.0))
    offsets = torch.from_numpy(noise("offsets", 40).astype(np.float32)).reshape(10, 4) * 30
    logits = torch.from_numpy(noise("logits", 60).astype(np.float32)).reshape(20, 3) * 12
    right = torch.zeros(20, 3)
    for row in range(0, 20, 2):
        right[row, row % 3] = 1
    focal = torchvision.ops.sigmoid_focal_loss(logits.double(), right.double(), alpha=0.3, gamma=1.5, reduction="none")
    return {
        "nms_0.4": torchvision.ops.nms(boxes, scores, 0.4).tolist(),
        "batched_nms_0.4": torchvision.ops.batched_nms(boxes, scores, labels, 0.4).tolist(),
        "iou": torchvision.ops.box_iou(boxes[:6], references[:5]).tolist(),
        "encoded": coder.encode_single(boxes[:10], references[:10]).tolist(),
        "decoded": coder.decode_single(offsets, references[:10]).tolist(),
        "focal_rows_0.3_1.5": focal.sum(1).tolist(),
    }


def write(name, value):
    (HERE / name).write_text(json.dumps(value, indent=None, separators=(",", ":")).replace('],["', '],\n["') + "\n")


if __name__ == "__main__":
    torch.set_num_threads(2)
    write("retinanet.json", [retinanet_case(18, "batch"), retinanet_case(18, "group"), retinanet_case(18, "frozen"),
                             retinanet_case(34, "batch"), retinanet_case(50, "frozen")])
    write("crnn.json", crnn_case())
    write("operators.json", operators())
