"""Writes edge_case_sizes.inc: every picture of image_edge_cases with its upright size as Pillow reads it, 0 by 0 where
Pillow refuses it.

Usage: python3 edge_case_sizes.py FOLDER_OF_IMAGE_EDGE_CASES
"""

import pathlib
import sys

from PIL import Image, ImageOps

folder = pathlib.Path(sys.argv[1])
target = pathlib.Path(__file__).with_name("edge_case_sizes.inc")
with target.open("w") as out:
    for path in sorted(folder.glob("*/*.*")):
        try:
            image = Image.open(path)
            image.load()
            width, height = ImageOps.exif_transpose(image).size
        except (OSError, SyntaxError):
            width, height = 0, 0
        name = path.relative_to(folder).as_posix()
        out.write(f'        QTest::newRow("{name}") << "{name}" << {width} << {height};\n')
