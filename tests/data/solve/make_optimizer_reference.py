#!/usr/bin/env python3
"""Writes optimizer_reference.json beside itself: ten steps on six weights, with changing rates, of torch.optim and, where
that has no such optimiser, of the formulas in TensorFlow 1's and Caffe2's documentation, written out below in float64.

Made with Debian 12's python3-torch 1.13.1: /usr/bin/python3 make_optimizer_reference.py
"""
import json
import math
import pathlib

import torch

STEPS = 10
START = [0.5, -1.25, 2.0, 0.001, -0.3, 10.0]
GRADIENTS = [[math.sin(1.7 * step + 0.9 * i) * 10.0 ** (i - 3) for i in range(len(START))] for step in range(STEPS)]

CASES = {
    "sgd": ({"optimizer": "sgd", "momentum": 0.0, "weight_decay": 0.0}, 0.1,
            lambda p: torch.optim.SGD(p, lr=1.0)),
    "sgd with momentum and decay": ({"optimizer": "sgd", "momentum": 0.9, "weight_decay": 0.01}, 0.1,
                                    lambda p: torch.optim.SGD(p, lr=1.0, momentum=0.9, weight_decay=0.01)),
    "sgd with Nesterov momentum": ({"optimizer": "sgd", "momentum": 0.8, "nesterov": True, "weight_decay": 0.02}, 0.05,
                                   lambda p: torch.optim.SGD(p, lr=1.0, momentum=0.8, nesterov=True, weight_decay=0.02)),
    "adam": ({"optimizer": "adam", "beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8, "weight_decay": 0.0}, 0.01,
             lambda p: torch.optim.Adam(p, lr=1.0)),
    "adam with decay": ({"optimizer": "adam", "beta1": 0.8, "beta2": 0.99, "epsilon": 1e-6, "weight_decay": 0.1}, 0.02,
                        lambda p: torch.optim.Adam(p, lr=1.0, betas=(0.8, 0.99), eps=1e-6, weight_decay=0.1)),
    "adadelta": ({"optimizer": "adadelta", "rho": 0.9, "epsilon": 1e-6, "weight_decay": 0.0}, 1.0,
                 lambda p: torch.optim.Adadelta(p, lr=1.0)),
    "adadelta with decay": ({"optimizer": "adadelta", "rho": 0.95, "epsilon": 1e-8, "weight_decay": 0.05}, 0.5,
                            lambda p: torch.optim.Adadelta(p, lr=1.0, rho=0.95, eps=1e-8, weight_decay=0.05)),
}


class RmsProp:
    """tf.train.RMSPropOptimizer: the mean square begins with one, epsilon stands under the root."""

    def __init__(self, params, rho, momentum, epsilon):
        self.param_groups = [{"lr": 1.0}]
        (self.weight,) = params
        self.rho, self.momentum, self.epsilon = rho, momentum, epsilon
        self.square = [1.0] * len(START)
        self.velocity = [0.0] * len(START)

    def step(self):
        rate = self.param_groups[0]["lr"]
        for i, g in enumerate(self.weight.grad.tolist()):
            self.square[i] = self.rho * self.square[i] + (1 - self.rho) * g * g
            self.velocity[i] = self.momentum * self.velocity[i] + rate * g / math.sqrt(self.square[i] + self.epsilon)
            self.weight.data[i] -= self.velocity[i]


class Nadam:
    """tf.contrib.opt.NadamOptimizer: Adam whose mean looks one step ahead."""

    def __init__(self, params, beta1, beta2, epsilon):
        self.param_groups = [{"lr": 1.0}]
        (self.weight,) = params
        self.beta1, self.beta2, self.epsilon = beta1, beta2, epsilon
        self.mean = [0.0] * len(START)
        self.square = [0.0] * len(START)
        self.count = 0

    def step(self):
        self.count += 1
        rate = self.param_groups[0]["lr"] * math.sqrt(1 - self.beta2**self.count) / (1 - self.beta1**self.count)
        for i, g in enumerate(self.weight.grad.tolist()):
            self.mean[i] = self.beta1 * self.mean[i] + (1 - self.beta1) * g
            self.square[i] = self.beta2 * self.square[i] + (1 - self.beta2) * g * g
            ahead = self.beta1 * self.mean[i] + (1 - self.beta1) * g
            self.weight.data[i] -= rate * ahead / (math.sqrt(self.square[i]) + self.epsilon)


class SgdOfSteps:
    """Caffe2's momentum: V = M V + rate (g + decay w), w -= V; Detectron scales V where the rate changes by more than 1.1."""

    def __init__(self, params, momentum, decay, rescales):
        self.param_groups = [{"lr": 1.0}]
        (self.weight,) = params
        self.momentum, self.decay, self.rescales = momentum, decay, rescales
        self.velocity = [0.0] * len(START)
        self.last = 0.0

    def step(self):
        rate = self.param_groups[0]["lr"]
        if self.rescales and self.last > 0 and max(rate / self.last, self.last / rate) > 1.1:
            self.velocity = [v * rate / self.last for v in self.velocity]
        self.last = rate
        for i, g in enumerate(self.weight.grad.tolist()):
            self.velocity[i] = self.momentum * self.velocity[i] + rate * (g + self.decay * self.weight.data[i].item())
            self.weight.data[i] -= self.velocity[i]


CASES |= {
    "rmsprop": ({"optimizer": "rmsprop", "rho": 0.9, "momentum": 0.9, "epsilon": 1.0, "weight_decay": 0.0}, 0.01,
                lambda p: RmsProp(p, 0.9, 0.9, 1.0)),
    "rmsprop without momentum": ({"optimizer": "rmsprop", "rho": 0.8, "momentum": 0.0, "epsilon": 1e-6,
                                  "weight_decay": 0.0}, 0.02, lambda p: RmsProp(p, 0.8, 0.0, 1e-6)),
    "nadam": ({"optimizer": "nadam", "beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8, "weight_decay": 0.0}, 0.01,
              lambda p: Nadam(p, 0.9, 0.999, 1e-8)),
    "sgd of steps": ({"optimizer": "sgd", "momentum": 0.9, "rate_in_momentum": True, "momentum_rescale": 0.0,
                      "weight_decay": 0.01}, 0.1, lambda p: SgdOfSteps(p, 0.9, 0.01, False)),
    "sgd of steps, scaled with the rate": ({"optimizer": "sgd", "momentum": 0.9, "rate_in_momentum": True,
                                            "momentum_rescale": 1.1, "weight_decay": 0.01}, 0.1,
                                           lambda p: SgdOfSteps(p, 0.9, 0.01, True)),
}


def run(rate, make):
    weight = torch.tensor(START, requires_grad=True)
    optimizer = make([weight])
    if not isinstance(optimizer, torch.optim.Optimizer):
        weight.data = weight.data.double()
    values = []
    for step in range(STEPS):
        for group in optimizer.param_groups:
            group["lr"] = rate / (1 + step % 3)
        weight.grad = torch.tensor(GRADIENTS[step], dtype=weight.dtype)
        optimizer.step()
        values.append(weight.tolist())
    return values


reference = {"torch": torch.__version__, "start": START, "gradients": GRADIENTS, "cases": []}
for name, (options, rate, make) in CASES.items():
    rates = [rate / (1 + step % 3) for step in range(STEPS)]
    reference["cases"].append({"name": name, **options, "rates": rates, "weights": run(rate, make)})
path = pathlib.Path(__file__).with_name("optimizer_reference.json")
path.write_text(json.dumps(reference, indent=1) + "\n")
