#!/usr/bin/python3
"""What torchvision's bodies and pyramids give: bodies.json. Run with Debian's python3-torch and python3-torchvision.

Weights and inputs are drawn by name, as in make_reference.py. Of each feature map its size, the mean of its absolute
values and its first eight values are stored.
"""
import json
import pathlib
from collections import OrderedDict

import torch
import torchvision
from torch import nn
from torchvision.ops import FeaturePyramidNetwork, misc
from torchvision.ops.feature_pyramid_network import LastLevelMaxPool, LastLevelP6P7

from make_reference import fill, noise

HERE = pathlib.Path(__file__).parent
FROZEN = misc.FrozenBatchNorm2d


def group_norm(channels):
    return nn.GroupNorm(32, channels)


def values(name, *sizes):
    count = 1
    for size in sizes:
        count *= size
    return torch.from_numpy(noise(name, count)).float().reshape(sizes)


def filled(module):
    with torch.no_grad():
        for name, tensor in list(module.named_parameters()) + list(module.named_buffers()):
            fill(name, tensor)
    return module.eval()


def summary(maps):
    return [{"sizes": list(m.shape), "mean": float(m.double().abs().mean()), "first": m.flatten()[:8].tolist()}
            for m in maps]


def without_classifier(model):
    for name in ("fc", "classifier", "avgpool"):
        if hasattr(model, name):
            delattr(model, name)
    return model


def stride_on_1x1(model):
    for block in model.modules():
        if isinstance(block, torchvision.models.resnet.Bottleneck):
            block.conv1.stride, block.conv2.stride = block.conv2.stride, (1, 1)
    return model


def dilated(model):
    """As Detectron has it: layer4 without stride, all its 3x3 dilated by two."""
    for name, module in model.layer4.named_modules():
        if isinstance(module, nn.Conv2d):
            module.stride = (1, 1)
            if module.kernel_size == (3, 3):
                module.dilation, module.padding = (2, 2), (2, 2)
    return model


def resnet_case(model):
    model = filled(without_classifier(model))
    x = model.maxpool(model.relu(model.bn1(model.conv1(values("body images", 1, 3, 64, 96)))))
    maps = []
    for layer in (model.layer1, model.layer2, model.layer3, model.layer4):
        x = layer(x)
        maps.append(x)
    return {"parameters": parameters(model), "maps": summary(maps)}


def parameters(model):
    return sum(p.numel() for p in without_classifier(model).parameters())


def vgg_case(model):
    model = filled(without_classifier(model))
    return {"parameters": parameters(model), "maps": summary([model.features[:-1](values("body images", 1, 3, 64, 96))])}


def vgg_m():
    """VGG_CNN_M_1024 as Detectron's specification words it, from PyTorch's layers."""
    def norm():
        return nn.LocalResponseNorm(5, alpha=5e-4, beta=0.75, k=2.0)
    model = nn.Module()
    model.features = nn.Sequential(
        nn.Conv2d(3, 96, 7, 2), nn.ReLU(), norm(), nn.MaxPool2d(3, 2),
        nn.Conv2d(96, 256, 5, 2), nn.ReLU(), norm(), nn.MaxPool2d(3, 2),
        nn.Conv2d(256, 512, 3, padding=1), nn.ReLU(), nn.Conv2d(512, 512, 3, padding=1), nn.ReLU(),
        nn.Conv2d(512, 512, 3, padding=1), nn.ReLU(), nn.Identity())
    return model


def pyramid_case(widths, extra, norm=None):
    model = filled(FeaturePyramidNetwork(widths, 32, extra, norm))
    finest = 32
    features = OrderedDict((str(i), values(f"feature {i}", 1, w, finest >> i, (finest >> i) + (8 >> i)))
                           for i, w in enumerate(widths))
    return {"parameters": parameters(model), "maps": summary(model(features).values())}


def main():
    models = torchvision.models
    counts = {name: parameters(getattr(models, name)())
              for name in ("resnet18", "resnet34", "resnet50", "resnet101", "resnet152", "resnext50_32x4d",
                           "resnext101_32x8d", "vgg16", "vgg19")}
    counts["resnext101_64x4d"] = parameters(models.ResNet(
        models.resnet.Bottleneck, [3, 4, 23, 3], groups=64, width_per_group=4))
    with torch.no_grad():
        result = {
            "counts": counts,
            "resnet101": resnet_case(models.resnet101(norm_layer=FROZEN)),
            "resnext50_32x4d": resnet_case(models.resnext50_32x4d()),
            "resnet50_gn": resnet_case(models.resnet50(norm_layer=group_norm)),
            "resnet50_1x1": resnet_case(stride_on_1x1(models.resnet50(norm_layer=FROZEN))),
            "resnet50_dilated": resnet_case(dilated(models.resnet50(norm_layer=FROZEN))),
            "vgg16": vgg_case(models.vgg16()),
            "vgg19": vgg_case(models.vgg19()),
            "vgg_m": vgg_case(vgg_m()),
            "pyramid_pool": pyramid_case([8, 16, 24, 40], LastLevelMaxPool()),
            "pyramid_from_pyramid": pyramid_case([16, 24, 40], LastLevelP6P7(32, 32)),
            "pyramid_from_body": pyramid_case([16, 24, 40], LastLevelP6P7(40, 32)),
            "pyramid_gn": pyramid_case([8, 16], None, group_norm),
        }
    (HERE / "bodies.json").write_text(json.dumps(result, separators=(",", ":")).replace("},\"", "},\n\"") + "\n")


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
