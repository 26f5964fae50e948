#!/usr/bin/env python3
"""Writes optimizer_reference.json beside itself: ten steps of torch.optim on six weights, with changing rates.

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


def run(rate, make):
    weight = torch.tensor(START, requires_grad=True)
    optimizer = make([weight])
    values = []
    for step in range(STEPS):
        for group in optimizer.param_groups:
            group["lr"] = rate / (1 + step % 3)
        weight.grad = torch.tensor(GRADIENTS[step])
        optimizer.step()
        values.append(weight.tolist())
    return values


reference = {"torch": torch.__version__, "start": START, "gradients": GRADIENTS, "cases": []}
for name, (options, rate, make) in CASES.items():
    rates = [rate / (1 + step % 3) for step in range(STEPS)]
    reference["cases"].append({"name": name, **options, "rates": rates, "weights": run(rate, make)})
path = pathlib.Path(__file__).with_name("optimizer_reference.json")
path.write_text(json.dumps(reference, indent=1) + "\n")
