#!/usr/bin/python3
"""What torchvision's proposal network, region sampling and pooling over levels give: rpn.json.

Run with Debian's python3-torchvision. Weights, features and boxes are drawn by name, as in make_reference.py. So many
rows are drawn that all are: then its random numbers do not matter.
"""
import json
import pathlib
from collections import OrderedDict

import torch
from torchvision.models.detection.anchor_utils import AnchorGenerator
from torchvision.models.detection.image_list import ImageList
from torchvision.models.detection.roi_heads import RoIHeads
from torchvision.models.detection.rpn import RegionProposalNetwork, RPNHead
from torchvision.ops import MultiScaleRoIAlign

from make_reference import fill, noise

HERE = pathlib.Path(__file__).parent
ALL = 1000000
SIZES = [(90, 120), (96, 128)]  # of the pictures inside 96 x 128


def values(name, *sizes):
    count = 1
    for size in sizes:
        count *= size
    return torch.from_numpy(noise(name, count)).float().reshape(sizes)


def boxes(name, count):
    u = values(name, count, 4)
    corner = torch.tensor([45.0, 35.0]) + torch.tensor([40.0, 30.0]) * u[:, :2]
    return torch.cat([corner, corner + 17 + 12 * u[:, 2:]], 1)


def rounded(tensor, digits=7):
    return [float(f"{x:.{digits}g}") for x in tensor.detach().flatten().tolist()]


def network():
    head = RPNHead(8, 3)
    for name, tensor in head.named_parameters():
        fill(name, tensor)
    return RegionProposalNetwork(
        AnchorGenerator(((8,), (16,), (32,)), ((0.5, 1.0, 2.0),) * 3), head, 0.7, 0.3, ALL, 1.0,
        {"training": 200, "testing": 60}, {"training": 90, "testing": 25}, 0.6)


def rpn_case():
    rpn = network()
    features = OrderedDict((str(i), values(f"rpn level {i}", 2, 8, 24 >> i, 32 >> i)) for i in range(3))
    images = ImageList(torch.zeros(2, 3, 96, 128), SIZES)
    targets = [{"boxes": boxes("rpn objects 0", 3)}, {"boxes": boxes("rpn objects 1", 2)}]
    rpn.train()
    trained, losses = rpn(images, features, targets)
    _, alone = rpn(images, features, [targets[0], {"boxes": torch.zeros(0, 4)}])
    rpn.eval()
    tested, _ = rpn(images, features)
    return {
        "losses": {name: float(loss) for name, loss in losses.items()},
        "losses_without_objects": {name: float(loss) for name, loss in alone.items()},
        "training": [rounded(b) for b in trained],
        "testing": [rounded(b) for b in tested],
    }


def sampling_case():
    heads = RoIHeads(None, None, None, 0.5, 0.5, ALL, 1.0, None, 0.05, 0.5, 100).train()
    near = boxes("objects 0", 6).repeat(5, 1) + 2 * values("jitter", 30, 4)
    proposals = [torch.cat([boxes("proposals 0", 30), near]), boxes("proposals 1", 40)]
    targets = [{"boxes": boxes("objects 0", 6), "labels": torch.tensor([1, 3, 2, 1, 2, 3])},
               {"boxes": torch.zeros(0, 4), "labels": torch.zeros(0, dtype=torch.long)}]
    rows, matched, labels, offsets = heads.select_training_samples(proposals, targets)
    return [{"boxes": rounded(rows[i]), "owners": matched[i].tolist(), "labels": labels[i].tolist(),
             "offsets": rounded(offsets[i]) if len(targets[i]["boxes"]) else []} for i in range(2)]


def pooling_case():
    features = OrderedDict((str(i), values(f"pool level {i}", 2, 3, 64 >> i, 80 >> i)) for i in range(4))
    corner = 60 * (values("pool corners", 2, 12, 2) + 1)
    size = 2 ** (7 + 2.2 * values("pool sizes", 2, 12, 2))
    regions = list(torch.cat([corner, corner + size], 2))
    regions[0][0] = torch.tensor([0.0, 0.0, 224.0, 224.0])
    regions[0][1] = torch.tensor([0.0, 0.0, 111.9, 112.0])
    pool = MultiScaleRoIAlign(["0", "1", "2", "3"], 3, 2)
    out = pool(features, regions, [(256, 320), (256, 320)])
    levels = pool.map_levels(regions)
    return {"levels": levels.tolist(), "values": rounded(out)}


if __name__ == "__main__":
    torch.set_num_threads(1)
    with torch.no_grad():
        result = {"rpn": rpn_case(), "sampling": sampling_case(), "pooling": pooling_case()}
    (HERE / "rpn.json").write_text(json.dumps(result, separators=(",", ":")) + "\n")
