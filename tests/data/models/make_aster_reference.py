#!/usr/bin/python3
"""Reference values of the ASTER recogniser: the whole network again, step by step, with Debian's python3-torch.

Nothing of it is shared with the C++ side but parameter names and the drawn numbers (make_reference.py): the spline is
solved for each picture, the LSTM cells and the attention are loops over time, the beam is a list of hypotheses.
Writes aster.json beside itself.
"""
import json
import math
import pathlib
import sys

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

HERE = pathlib.Path(__file__).parent
sys.path += [str(HERE), str(HERE.parent / "nn")]
from make_reference import fill, noise  # noqa: E402
from make_spline_reference import canonical, pattern  # noqa: E402

SMALL = dict(classes=7, channels=3, height=40, width=72, localisation=(32, 64), rectified=(32, 40), points=6, margin=0.1,
             tiny=True, stem=4, units=(1, 2, 1, 1, 1), extractor="resnet", branches=1, layers=2, hidden=6, sequence=8,
             decoder=7, attention=5, steps=6)
DEMO = dict(SMALL, classes=96, localisation=(32, 64), rectified=(32, 100), points=20, margin=0.0, tiny=False, stem=32,
            units=(3, 4, 6, 6, 3), hidden=256, sequence=256, decoder=256, attention=256, steps=30)


def offset_norm(channels):
    norm = nn.BatchNorm2d(channels, eps=0.001, momentum=0.01)
    norm.register_parameter("weight", None)  # an offset but no scale
    return norm


class Normed(nn.Module):
    def __init__(self, i, o, kernel=3, stride=(1, 1), relu=True, padded=True):
        super().__init__()
        self.kernel, self.stride, self.relu, self.padded = kernel, stride, relu, padded
        self.conv = nn.Conv2d(i, o, kernel, stride, bias=False)
        self.norm = offset_norm(o)

    def forward(self, x):
        if self.padded:  # TensorFlow's SAME
            pads = []
            for size, stride in ((x.shape[3], self.stride[1]), (x.shape[2], self.stride[0])):
                total = max(0, (math.ceil(size / stride) - 1) * stride + self.kernel - size)
                pads += [total // 2, total - total // 2]
            x = F.pad(x, pads)
        x = self.norm(self.conv(x))
        return F.relu(x) if self.relu else x


class Rectifier(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        last = c["channels"]
        for n, o in enumerate((8, 16, 32, 32, 64, 64) if c["tiny"] else (32, 64, 128, 256, 256, 256)):
            setattr(self, f"conv{n + 1}", Normed(last, o))
            last = o
        h, w = c["localisation"]
        self.fc1 = nn.Linear(last * (h // 32) * (w // 32), 512, bias=False)
        self.fc1_norm = offset_norm(512)
        self.fc2 = nn.Linear(512, 2 * c["points"])

    def control_points(self, x):
        x = F.interpolate(x, self.c["localisation"], mode="bilinear", align_corners=False)
        for n in range(1, 7):
            x = getattr(self, f"conv{n}")(x)
            if n < 6:
                x = F.max_pool2d(x, 2)
        x = F.relu(self.fc1_norm(self.fc1(x.flatten(1))[:, :, None, None])).flatten(1)
        return self.fc2(0.1 * x).reshape(len(x), -1, 2)

    def forward(self, x):
        h, w = self.c["rectified"]
        fixed = torch.from_numpy(canonical(self.c["points"], self.c["margin"], self.c["margin"]))
        points = self.control_points(x)
        count = len(fixed)
        distance = (fixed[:, None] - fixed[None]).norm(dim=2)
        bend = torch.where(distance > 0, distance**2 * torch.log(distance.clamp_min(1e-30)), torch.zeros(()).double())
        one = torch.ones(count, 1).double()
        system = torch.cat([torch.cat([one, fixed, bend], 1),
                            torch.cat([torch.zeros(3, 3).double(), torch.cat([fixed, one], 1).T], 1)])
        out = []
        for image, target in zip(x, points):
            t = torch.linalg.solve(system, torch.cat([target, torch.zeros(3, 2).double()]))
            rows = []
            for i in range(h):
                for j in range(w):
                    p = torch.tensor([(j + 0.5) / w, (i + 0.5) / h], dtype=torch.float64)
                    r = (p - fixed).norm(dim=1)
                    rows.append(torch.cat([torch.ones(1).double(), p, r**2 * torch.log(r + 1e-6)]))
            grid = torch.stack(rows) @ t
            gx = (image.shape[2] * grid[:, 0]).clamp(0, image.shape[2] - 2)
            gy = (image.shape[1] * grid[:, 1]).clamp(0, image.shape[1] - 2)
            x0, y0 = gx.detach().floor().long(), gy.detach().floor().long()
            u, v = gx - x0, gy - y0
            out.append(((1 - u) * (1 - v) * image[:, y0, x0] + u * (1 - v) * image[:, y0, x0 + 1]
                        + (1 - u) * v * image[:, y0 + 1, x0] + u * v * image[:, y0 + 1, x0 + 1]).reshape(-1, h, w))
        return torch.stack(out), points


class Unit(nn.Module):
    def __init__(self, i, o, stride, first):
        super().__init__()
        self.conv1 = Normed(i, o, 3 if first else 1, stride)
        self.conv2 = Normed(o, o, relu=False)
        if first:
            self.shortcut = Normed(i, o, 3, stride)

    def forward(self, x):
        return F.relu(self.conv2(self.conv1(x)) + (self.shortcut(x) if hasattr(self, "shortcut") else x))


class ResNet(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.stem = Normed(c["channels"], c["stem"])
        last = c["stem"]
        for b, (times, across) in enumerate(zip((1, 2, 4, 8, 16), (2, 2, 1, 1, 1))):
            block = nn.Module()
            for u in range(c["units"][b]):
                first = u == 0
                setattr(block, f"unit{u + 1}", Unit(last, times * c["stem"], (2, across) if first else (1, 1), first))
                last = times * c["stem"]
            setattr(self, f"block{b + 1}", block)
        self.outputs = last

    def forward(self, x):
        x = self.stem(x)
        for b in range(1, 6):
            for unit in getattr(self, f"block{b}").children():
                x = unit(x)
        return [x]


class Cnn(nn.Module):
    def __init__(self, c):
        super().__init__()
        widths = [c["channels"]] + ([8, 16, 32, 64, 128, 128, 128] if c["tiny"] else [64, 128, 256, 256, 512, 512, 512])
        self.outputs, self.branches = widths[-1], c["branches"]

        def layers(numbers):
            m = nn.Module()
            for i in numbers:
                last = i == 7
                conv = Normed(widths[i - 1], widths[i], 1 if last else 3, padded=not last)
                if last:
                    conv.conv = nn.Conv2d(widths[6], widths[7], (2, 1), bias=False)
                setattr(m, f"layer{i}", conv)
            return m

        self.trunk = layers((1, 2, 3, 4))
        for b in range(self.branches):
            setattr(self, f"branch{b}", layers((5, 6, 7)))

    def forward(self, x):
        t = self.trunk
        x = F.max_pool2d(t.layer1(x), 2)
        x = F.max_pool2d(t.layer2(x), 2)
        x = t.layer4(t.layer3(x))
        maps = []
        for b, (first, second) in enumerate(((1, 1), (2, 1), (2, 2))[: self.branches]):
            m = getattr(self, f"branch{b}")
            y = m.layer6(m.layer5(F.max_pool2d(x, 2, (2, first))))
            maps.append(m.layer7(F.max_pool2d(y, 2, (2, second))))
        return maps


def cell(gates, c):
    i, f, g, o = gates.chunk(4, 1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


class Both(nn.Module):
    def __init__(self, i, h):
        super().__init__()
        for suffix in ("", "_reverse"):
            self.register_parameter("weight_ih" + suffix, nn.Parameter(torch.zeros(4 * h, i)))
            self.register_parameter("weight_hh" + suffix, nn.Parameter(torch.zeros(4 * h, h)))
            self.register_parameter("bias" + suffix, nn.Parameter(torch.zeros(4 * h)))
        self.h = h

    def forward(self, x):  # [N, T, I]
        halves = []
        for suffix in ("", "_reverse"):
            h = c = x.new_zeros(len(x), self.h)
            times = range(x.shape[1]) if not suffix else range(x.shape[1] - 1, -1, -1)
            states = {}
            for t in times:
                gates = (x[:, t] @ getattr(self, "weight_ih" + suffix).T + h @ getattr(self, "weight_hh" + suffix).T
                         + getattr(self, "bias" + suffix))
                h, c = cell(gates, c)
                states[t] = h
            halves.append(torch.stack([states[t] for t in range(x.shape[1])], 1))
        return torch.cat(halves, 2)


class Encoder(nn.Module):
    def __init__(self, c, i):
        super().__init__()
        self.layers = c["layers"]
        for n in range(self.layers):
            setattr(self, f"rnn{n}", Both(i, c["hidden"]))
            setattr(self, f"projection{n}", nn.Linear(2 * c["hidden"], c["sequence"]))
            i = c["sequence"]

    def forward(self, feature_map):
        x = feature_map[:, :, 0].transpose(1, 2)
        for n in range(self.layers):
            x = F.relu(getattr(self, f"projection{n}")(getattr(self, f"rnn{n}")(x)))
        return x


class Decoder(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        self.memory_layer = nn.Linear(c["sequence"], c["attention"], bias=False)
        self.query_layer = nn.Linear(c["decoder"], c["attention"], bias=False)
        self.output = nn.Linear(c["decoder"], c["classes"])
        self.register_parameter("attention", nn.Parameter(torch.zeros(c["attention"])))
        self.register_parameter("label_weight", nn.Parameter(torch.zeros(c["classes"], 4 * c["decoder"])))
        self.register_parameter("context_weight", nn.Parameter(torch.zeros(4 * c["decoder"], c["sequence"])))
        self.register_parameter("hidden_weight", nn.Parameter(torch.zeros(4 * c["decoder"], c["decoder"])))
        self.register_parameter("bias", nn.Parameter(torch.zeros(4 * c["decoder"])))

    def step(self, memory, label, h, c):
        """memory [L, M]; label an int; one sample: logits and the next state."""
        scores = [self.attention @ torch.tanh(self.memory_layer.weight @ m + self.query_layer.weight @ h)
                  for m in memory]
        weights = torch.softmax(torch.stack(scores), 0)
        context = sum(w * m for w, m in zip(weights, memory))
        onehot = torch.zeros(self.c["classes"]).double()
        onehot[label] = 1
        kernel = torch.cat([self.label_weight.T, self.context_weight, self.hidden_weight], 1)
        h, c = cell((kernel @ torch.cat([onehot, context, h]) + self.bias)[None], c[None])
        return self.output.weight @ h[0] + self.output.bias, h[0], c[0]

    def zeros(self):
        return torch.zeros(self.c["decoder"]).double(), torch.zeros(self.c["decoder"]).double()

    def loss(self, memories, words):
        total = 0
        for memory, word in zip(memories, words):
            h, c = self.zeros()
            for before, now in list(zip([0] + word, word + [1]))[: self.c["steps"]]:
                logits, h, c = self.step(memory, before, h, c)
                total = total - torch.log_softmax(logits, 0)[now]
        return total / len(words)

    def beam(self, memory, width):
        hypotheses = [(0.0, [], self.zeros())]
        for _ in range(self.c["steps"]):
            longer = []
            for score, labels, state in hypotheses:
                if labels and labels[-1] == 1:
                    longer.append((score, labels, state))
                    continue
                logits, h, c = self.step(memory, labels[-1] if labels else 0, *state)
                for label, value in enumerate(torch.log_softmax(logits, 0).tolist()):
                    longer.append((score + value, labels + [label], (h, c)))
            hypotheses = sorted(longer, key=lambda x: -x[0])[:width]
        return hypotheses[0][:2]


class Aster(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        self.rectifier = Rectifier(c)
        self.extractor = (ResNet if c["extractor"] == "resnet" else Cnn)(c)
        for b in range(c["branches"]):
            setattr(self, f"encoder{b}", Encoder(c, self.extractor.outputs))
        self.forward_decoder = Decoder(c)
        self.backward_decoder = Decoder(c)

    def fill(self):
        for name, tensor in self.state_dict().items():
            fill(name, tensor)
        with torch.no_grad():
            start = torch.from_numpy(pattern("sine", self.c["points"], self.c["margin"], self.c["margin"]))
            self.rectifier.fc2.bias.copy_(start.flatten())
            self.rectifier.fc2.weight.mul_(0.1)
            for name, p in self.named_parameters():  # else every memory and every reading would be the same
                if ("_decoder." in name or name.startswith("encoder")) and p.dim() == 2:
                    p.mul_(5)
                if name.endswith("label_weight") or name.endswith("output.weight"):
                    p.mul_(2)
                if name.endswith("_decoder.output.bias"):
                    p[1] -= 2
        return self.double()

    def memory(self, x):
        images, points = self.rectifier(x)
        maps = self.extractor(images)
        return torch.cat([getattr(self, f"encoder{b}")(m) for b, m in enumerate(maps)], 1), points


WORDS = [[2, 5, 5], [6, 3, 4, 2, 2, 3, 6], []]  # the second is longer than the steps


def case(c):
    model = Aster(c).fill().train()
    images = noise("aster images", 3 * c["channels"] * c["height"] * c["width"]).astype(np.float32)
    images = torch.from_numpy(images).reshape(3, c["channels"], c["height"], c["width"]).double()
    memory, points = model.memory(images)
    forward = 0.5 * model.forward_decoder.loss(memory, WORDS)
    backward = 0.5 * model.backward_decoder.loss(memory, [w[::-1] for w in WORDS])
    (forward + backward).backward()
    gradients = {n: float(p.grad.norm()) for n, p in model.named_parameters()}
    model = Aster(c).fill().eval()
    with torch.no_grad():
        read, _ = model.memory(images)
        beams = {d: [getattr(model, d + "_decoder").beam(m, 5) for m in read] for d in ("forward", "backward")}
        texts = []
        for ahead, back in zip(beams["forward"], beams["backward"]):
            labels = ahead[1] if ahead[0] >= back[0] else back[1][::-1]
            texts.append("".join("abcde"[i - 2] for i in labels if i >= 2))
    return {
        "parameters": [[n, list(p.shape)] for n, p in model.named_parameters()],
        "points": points.tolist(), "memory": memory.tolist(), "losses": [float(forward), float(backward)],
        "gradient_norms": gradients,
        "beams": {d: [{"score": s, "labels": l} for s, l in b] for d, b in beams.items()}, "texts": texts,
    }


def counts(c):
    model = Aster(c)
    count = {n: sum(p.numel() for p in m.parameters()) for n, m in model.named_children()}
    count["all"] = sum(p.numel() for p in model.parameters())
    return count


if __name__ == "__main__":
    torch.set_num_threads(2)
    value = {
        "resnet": case(SMALL),
        "crnn": case(dict(SMALL, extractor="crnn", branches=3, rectified=(32, 48))),
        "counts": {"demo": counts(DEMO), "crnn": counts(dict(DEMO, extractor="crnn", branches=3)),
                   "tiny": counts(dict(DEMO, extractor="crnn", branches=1, tiny=True))},
    }
    rounded = json.loads(json.dumps(value), parse_float=lambda t: float(f"{float(t):.8g}"))
    (HERE / "aster.json").write_text(json.dumps(rounded, separators=(",", ":")).replace('],["', '],\n["') + "\n")
