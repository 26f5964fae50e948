#!/usr/bin/python3
"""Thin-plate splines and sampling, in numpy, by the closed formula: solved for each picture, pixel by pixel.

Writes spline.json beside itself. Debian's python3-numpy is all it needs.
"""
import json
import math
import pathlib

import numpy as np

K, HEIGHT, WIDTH = 6, 4, 7
TARGETS = np.array([
    [[0.05, 0.1], [0.5, 0.22], [0.9, 0.15], [0.1, 0.85], [0.45, 0.95], [0.97, 0.8]],
    [[0.0, 0.3], [0.4, -0.1], [1.1, 0.3], [0.0, 0.7], [0.5, 0.6], [1.0, 1.2]],
])


def canonical(count, mx, my):
    x = [mx + (1 - 2 * mx) * i / (count // 2 - 1) for i in range(count // 2)]
    return np.array([[v, my] for v in x] + [[v, 1 - my] for v in x])


def pattern(name, count, mx, my):
    points = canonical(count, mx, my)
    half = count // 2
    for i in range(half):
        share = i / (half - 1)
        if name == "slope":
            points[i, 1] = my + share * (0.3 - my)
            points[half + i, 1] = 0.7 + share * (1 - my - 0.7)
        elif name == "sine":
            points[i, 1] = 0.25 + 0.2 * math.sin(2 * math.pi * points[i, 0])
            points[half + i, 1] = 0.75 + 0.2 * math.sin(2 * math.pi * points[half + i, 0])
    return points


def spline(fixed, target):
    """The coefficients [K + 3, 2] of the spline through fixed -> target: affine part first, side conditions met."""
    count = len(fixed)
    system, right = np.zeros((count + 3, count + 3)), np.zeros((count + 3, 2))
    for i in range(count):
        system[i, 0:3] = [1, *fixed[i]]
        for j in range(count):
            r = math.dist(fixed[i], fixed[j])
            system[i, 3 + j] = r * r * math.log(r) if i != j else 0
        right[i] = target[i]
        system[count:count + 2, 3 + i] = fixed[i]
        system[count + 2, 3 + i] = 1
    return np.linalg.solve(system, right)


def grid(fixed, target, height, width):
    t = spline(fixed, target)
    points = np.zeros((height, width, 2))
    for i in range(height):
        for j in range(width):
            x, y = (j + 0.5) / width, (i + 0.5) / height
            row = [1, x, y]
            for cx, cy in fixed:
                r = math.hypot(x - cx, y - cy)
                row.append(r * r * math.log(r + 1e-6))
            points[i, j] = np.array(row) @ t
    return points


def sample(image, points):
    """image [C, H, W]; four gathers a point."""
    channels, height, width = image.shape
    out = np.zeros((channels, *points.shape[:2]))
    for i, j in np.ndindex(*points.shape[:2]):
        gx = min(max(width * points[i, j, 0], 0), width - 2)
        gy = min(max(height * points[i, j, 1], 0), height - 2)
        x, y = int(math.floor(gx)), int(math.floor(gy))
        u, v = gx - x, gy - y
        out[:, i, j] = ((1 - u) * (1 - v) * image[:, y, x] + u * (1 - v) * image[:, y, x + 1]
                        + (1 - u) * v * image[:, y + 1, x] + u * v * image[:, y + 1, x + 1])
    return out


def picture(height, width):
    y, x = np.mgrid[0:height, 0:width]
    return np.stack([np.sin(0.7 * x + 0.3 * y), np.cos(0.2 * x * y)])


if __name__ == "__main__":
    fixed = canonical(K, 0.1, 0.05)
    image = picture(9, 13)
    grids = [grid(fixed, target, HEIGHT, WIDTH) for target in TARGETS]
    value = {
        "patterns": {n: pattern(n, 8, 0.1, 0.05).tolist() for n in ("identity", "slope", "sine")},
        "targets": TARGETS.tolist(),
        "grids": [g.tolist() for g in grids],
        "samples": [sample(image, g).tolist() for g in grids],
    }
    text = json.dumps(value, separators=(",", ":"), default=float)
    (pathlib.Path(__file__).parent / "spline.json").write_text(text.replace('"grids"', '\n"grids"') + "\n")
