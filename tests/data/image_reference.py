"""Writes image_reference.inc: channel means of image_edge_cases as Pillow decodes them, alpha over white, upright.

Usage: python3 image_reference.py FOLDER_OF_IMAGE_EDGE_CASES
"""

import pathlib
import sys

import numpy
from PIL import Image, ImageOps

NAMES = [
    "hopper_gray.jpg", "pil_sample_cmyk.jpg", "invalid-exif.jpg", "hopper_bw_500.png", "pil123p.png", "pil123rgba.png",
    "p_16.png", "rgb_trns.png", "l_trns.png", "uncompressed_la.png", "app13-multiple.jpg",
]

folder = pathlib.Path(sys.argv[1]) / "pillow"
target = pathlib.Path(__file__).with_name("image_reference.inc")
with target.open("w") as out:
    for name in NAMES:
        image = ImageOps.exif_transpose(Image.open(folder / name))
        if image.mode in ("P", "LA", "RGBA", "PA") or "transparency" in image.info:
            image = image.convert("RGBA")
            white = Image.new("RGBA", image.size, (255, 255, 255, 255))
            image = Image.alpha_composite(white, image)
        means = numpy.asarray(image.convert("RGB"), dtype=float).mean(axis=(0, 1))
        values = ", ".join(f"{value:.3f}" for value in means)
        out.write(f'        QTest::newRow("{name}") << "{name}" << QVector<double>{{{values}}};\n')
