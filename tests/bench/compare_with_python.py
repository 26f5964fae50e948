#!/usr/bin/python3
"""Training steps of the presets beside the same networks in Python PyTorch, on the same LibTorch.

    tests/bench/compare_with_python.py build/release/bin/trainyard-bench [--threads 2] [--rounds 3] [--steps 5]

Run with Debian's python3-torch and python3-torchvision. The two programs take turns, so that a machine whose speed
drifts slows both. A step is forward, backward and update (clipping the norm and Adam, or SGD with momentum), on a
batch in memory: retinanet-r18-fpn with 8 images of 320 x 320 (torchvision's RetinaNet), faster-rcnn-r50-fpn with 2 of
them (its fasterrcnn_resnet50_fpn, frozen batch norm and two frozen stages), crnn with 64 words of 32 x 100, aster-demo
with 32 words of 48 x 128 (nn.LSTM, grid_sample, an nn.LSTMCell a step of each decoder). PRESET after the program leaves
the others out.
"plain" is how people run it: contiguous memory and fp32. "best" is what Python can do here without code of one's own:
channels-last memory and, for the bf16 row, autocast.
"""
import argparse
import contextlib
import re
import statistics
import subprocess
import time

import torch
import torchvision
from torch import nn
from torchvision.models.detection.anchor_utils import AnchorGenerator
from torchvision.models.detection import FasterRCNN
from torchvision.models.detection.backbone_utils import BackboneWithFPN, _resnet_fpn_extractor
from torchvision.models.detection.image_list import ImageList
from torchvision.models.detection.retinanet import RetinaNet
from torchvision.ops.feature_pyramid_network import LastLevelP6P7
from torchvision.ops.misc import FrozenBatchNorm2d

CHANNELS = 128  # of the pyramid, as in the preset


class Detector(nn.Module):
    """torchvision's RetinaNet without its resizing: pictures come normalised, as ours do."""

    def __init__(self):
        super().__init__()
        backbone = BackboneWithFPN(
            torchvision.models.resnet18(), {"layer2": "0", "layer3": "1", "layer4": "2"}, [128, 256, 512], CHANNELS,
            extra_blocks=LastLevelP6P7(CHANNELS, CHANNELS))
        sizes = tuple(tuple(int(s * 2 ** (k / 3) + 1e-6) for k in range(3)) for s in (16, 32, 64, 128, 256))
        self.net = RetinaNet(backbone, 3, anchor_generator=AnchorGenerator(sizes, ((0.5, 1.0, 2.0),) * 5))

    def loss(self, images, targets, cast):
        with cast():
            features = list(self.net.backbone(images).values())
            output = self.net.head(features)
        output = {name: value.float() for name, value in output.items()}
        anchors = self.net.anchor_generator(ImageList(images, [images.shape[2:]] * len(images)), features)
        return sum(self.net.compute_loss(targets, output, anchors).values())


class RegionDetector(nn.Module):
    """torchvision's Faster R-CNN without its resizing. Only body and pyramid are cast: its RoIAlign knows no bfloat16."""

    def __init__(self):
        super().__init__()
        body = torchvision.models.resnet50(norm_layer=FrozenBatchNorm2d)
        self.net = FasterRCNN(_resnet_fpn_extractor(body, 3), 4)

    def loss(self, images, targets, cast):
        with cast():
            features = self.net.backbone(images)
        features = {name: value.float() for name, value in features.items()}
        sizes = [tuple(images.shape[2:])] * len(images)
        targets = [{"boxes": t["boxes"], "labels": t["labels"] + 1} for t in targets]
        proposals, losses = self.net.rpn(ImageList(images, sizes), features, targets)
        return sum(losses.values()) + sum(self.net.roi_heads(features, proposals, sizes, targets)[1].values())


class Recogniser(nn.Module):
    def __init__(self, stem=64, hidden=256, classes=37):
        super().__init__()
        blocks, before = [], 1
        pools = {0: (2, 2), 1: (2, 2), 3: (2, 1), 5: (2, 1)}
        for i, width in enumerate(stem * m for m in (1, 2, 4, 4, 8, 8, 8)):
            kernel, padding = ((2, 3), (0, 1)) if i == 6 else (3, 1)
            blocks += [nn.Conv2d(before, width, kernel, padding=padding, bias=False), nn.BatchNorm2d(width),
                       nn.ReLU(inplace=True)]
            if i in pools:
                blocks.append(nn.MaxPool2d(pools[i]))
            before = width
        self.cnn = nn.Sequential(*blocks)
        self.rnn = nn.LSTM(before, hidden, num_layers=2, bidirectional=True)
        self.head = nn.Linear(2 * hidden, classes)

    def loss(self, images, targets, cast):
        with cast():
            features = self.cnn(images)
        steps = features.squeeze(2).permute(2, 0, 1).float()
        scores = torch.log_softmax(self.head(self.rnn(steps)[0]), 2)
        count = images.shape[0]
        losses = nn.functional.ctc_loss(scores, targets, torch.full((count,), scores.shape[0]),
                                        torch.full((count,), 6), reduction="none", zero_infinity=True)
        return (losses / 6).mean()


class Normed(nn.Module):
    """A convolution with an offset behind it but no scale, as ASTER's."""

    def __init__(self, before, width, stride=(1, 1), relu=True):
        super().__init__()
        self.conv = nn.Conv2d(before, width, 3, stride, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(width, eps=0.001, momentum=0.01)
        self.norm.register_parameter("weight", None)
        self.relu = relu

    def forward(self, x):
        x = self.norm(self.conv(x))
        return torch.relu(x) if self.relu else x


class Unit(nn.Module):
    def __init__(self, before, width, stride):
        super().__init__()
        self.first, self.second = Normed(before, width, stride), Normed(width, width, relu=False)
        self.shortcut = Normed(before, width, stride)

    def forward(self, x):
        return torch.relu(self.second(self.first(x)) + self.shortcut(x))


class Rectifier(nn.Module):
    def __init__(self, points=20, size=(32, 100)):
        super().__init__()
        layers, before = [], 1
        for i, width in enumerate((8, 16, 32, 32, 64, 64)):
            layers += [Normed(before, width)] + ([nn.MaxPool2d(2)] if i < 5 else [])
            before = width
        self.cnn, self.size = nn.Sequential(*layers), size
        self.fc1, self.norm = nn.Linear(128, 512, bias=False), nn.BatchNorm1d(512, eps=0.001, momentum=0.01)
        self.norm.register_parameter("weight", None)
        self.fc2 = nn.Linear(512, 2 * points)
        along = torch.linspace(0, 1, points // 2)
        fixed = torch.cat([torch.stack([along, torch.full_like(along, y)], 1) for y in (0.0, 1.0)])
        nn.init.zeros_(self.fc2.weight)
        self.fc2.bias.data.copy_(fixed.flatten())
        bend = lambda r: torch.where(r > 0, r**2 * torch.log(r.clamp_min(1e-30)), torch.zeros(()))
        one = torch.ones(points, 1)
        system = torch.cat([torch.cat([one, fixed, bend(torch.cdist(fixed, fixed))], 1),
                            torch.cat([torch.zeros(3, 3), torch.cat([fixed, one], 1).T], 1)])
        y, x = torch.meshgrid((torch.arange(size[0]) + 0.5) / size[0], (torch.arange(size[1]) + 0.5) / size[1],
                              indexing="ij")
        places = torch.stack([x, y], 2).reshape(-1, 2)
        lifted = torch.cat([torch.ones(len(places), 1), places, bend(torch.cdist(places, fixed))], 1)
        self.register_buffer("basis", (lifted.double() @ torch.linalg.inv(system.double())[:, :points]).float())

    def forward(self, images, cast):
        with cast():
            small = nn.functional.interpolate(images, (32, 64), mode="bilinear", align_corners=False)
            features = self.cnn(small)
        hidden = torch.relu(self.norm(self.fc1(features.float().flatten(1))))
        points = self.fc2(0.1 * hidden).reshape(len(images), -1, 2)
        grid = (self.basis @ points).reshape(len(images), *self.size, 2) * 2 - 1
        return nn.functional.grid_sample(images, grid, align_corners=False)


class Decoder(nn.Module):
    def __init__(self, classes, units):
        super().__init__()
        self.keys, self.query = nn.Linear(units, units, bias=False), nn.Linear(units, units, bias=False)
        self.score, self.output = nn.Linear(units, 1, bias=False), nn.Linear(units, classes)
        self.cell, self.classes = nn.LSTMCell(classes + units, units), classes

    def forward(self, memory, inputs):
        keys, hidden = self.keys(memory), memory.new_zeros(len(memory), memory.shape[2])
        cell, logits = hidden, []
        for t in range(inputs.shape[1]):
            shares = torch.softmax(self.score(torch.tanh(keys + self.query(hidden).unsqueeze(1))), 1)
            seen = (shares * memory).sum(1)
            label = nn.functional.one_hot(inputs[:, t], self.classes).to(seen.dtype)
            hidden, cell = self.cell(torch.cat([label, seen], 1), (hidden, cell))
            logits.append(self.output(hidden))
        return torch.stack(logits, 1)


class Straightener(nn.Module):
    """aster-demo: rectifier, a small ResNet, a bidirectional LSTM and attention both ways."""

    def __init__(self, stem=16, units=96, classes=38):
        super().__init__()
        self.rectifier = Rectifier()
        layers, before = [Normed(1, stem)], stem
        for times, across in zip((1, 2, 4, 8, 16), (2, 2, 1, 1, 1)):
            layers.append(Unit(before, times * stem, (2, across)))
            before = times * stem
        self.cnn = nn.Sequential(*layers)
        self.rnn, self.projection = nn.LSTM(before, units, bidirectional=True), nn.Linear(2 * units, units)
        self.ahead, self.back = Decoder(classes, units), Decoder(classes, units)

    def loss(self, images, targets, cast):
        straight = self.rectifier(images, cast)
        with cast():
            features = self.cnn(straight)
        steps = self.rnn(features.float().squeeze(2).permute(2, 0, 1))[0]
        memory = torch.relu(self.projection(steps)).transpose(0, 1)
        words = targets.reshape(len(images), -1) + 1  # behind the start, 0, and the end, 1
        start, end = torch.zeros_like(words[:, :1]), torch.ones_like(words[:, :1])
        total = 0
        for decoder, told in ((self.ahead, words), (self.back, words.flip(1))):
            logits = decoder(memory, torch.cat([start, told], 1))
            wanted = torch.cat([told, end], 1)
            total = total + 0.5 * nn.functional.cross_entropy(logits.transpose(1, 2), wanted,
                                                              reduction="sum") / len(images)
        return total


def detection_batch(count=8, size=320, boxes=12):
    targets, number = [], 0
    for _ in range(count):
        corners, labels = [], []
        for _ in range(boxes):
            x, y, side = number * 71 % (size - 70), number * 37 % (size - 70), 24 + number * 13 % 40
            corners.append([x, y, x + side, y + side])
            labels.append(number % 3)
            number += 1
        targets.append({"boxes": torch.tensor(corners, dtype=torch.float), "labels": torch.tensor(labels)})
    return torch.randn(count, 3, size, size), targets


def recognition_batch(count=64, height=32, width=100):
    return torch.randn(count, 1, height, width), torch.arange(count * 6) % 36 + 1


class Training:
    def __init__(self, make, batch, clip, is_best, is_bf16):
        self.model = make().train()
        self.images, self.targets = batch()
        if is_best:
            self.model = self.model.to(memory_format=torch.channels_last)
            self.images = self.images.contiguous(memory_format=torch.channels_last)
        self.cast = (lambda: torch.autocast("cpu", torch.bfloat16)) if is_bf16 else contextlib.nullcontext
        self.clip = clip
        learnt = [p for p in self.model.parameters() if p.requires_grad]
        self.optimizer = torch.optim.Adam(learnt, lr=1e-5) if clip else torch.optim.SGD(learnt, lr=1e-5, momentum=0.9)

    def step(self):
        begin = time.perf_counter()
        self.optimizer.zero_grad(set_to_none=True)
        self.model.loss(self.images, self.targets, self.cast).backward()
        if self.clip:
            nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
        self.optimizer.step()
        return time.perf_counter() - begin


PRESETS = {"retinanet-r18-fpn": (Detector, detection_batch, 10.0),
           "faster-rcnn-r50-fpn": (RegionDetector, lambda: detection_batch(2), None),
           "crnn": (Recogniser, recognition_batch, 5.0),
           "aster-demo": (Straightener, lambda: recognition_batch(32, 48, 128), 5.0)}
WAYS = {"plain fp32": (False, False), "best fp32": (True, False), "best bf16": (True, True)}


def ours(program, preset, threads, steps):
    """Median milliseconds of each step, by "PRESET PRECISION"."""
    text = subprocess.run([program, "--threads", str(threads), "--repetitions", str(steps), f"steps-{preset}"],
                          check=True, capture_output=True, text=True).stdout
    return {name: float(ms) for name, ms in re.findall(r"^  (\S+ (?:fp32|bf16))\s+([\d.]+) ms", text, re.M)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="trainyard-bench")
    parser.add_argument("presets", nargs="*", metavar="PRESET", help=f"of {', '.join(PRESETS)}; all without one")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=5, help="of each kind in a round")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)

    presets = options.presets or list(PRESETS)
    theirs = {(preset, way): Training(*PRESETS[preset], *WAYS[way]) for preset in presets for way in WAYS}
    times = {}
    for _ in range(options.rounds):
        for key, training in theirs.items():
            training.step()
            times.setdefault(key, []).extend(training.step() * 1e3 for _ in range(options.steps))
        for preset in presets:
            for name, ms in ours(options.program, preset, options.threads, options.steps).items():
                times.setdefault(tuple(name.split()), []).append(ms)

    print(f"Medians in ms, {options.threads} threads, PyTorch {torch.__version__}")
    for preset in presets:
        for precision in ("fp32", "bf16"):
            own = statistics.median(times[preset, precision])
            print(f"{preset} {precision}: trainyard {own:.1f}")
            for way in WAYS:
                other = statistics.median(times[preset, way])
                print(f"  Python {way:<11} {other:8.1f}   {other / own:.2f} times ours")


if __name__ == "__main__":
    main()
