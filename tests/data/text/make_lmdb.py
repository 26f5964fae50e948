"""Writes words.lmdb with Python's lmdb: three words, the second without an image, and a label too long for a page.

Usage: python3 make_lmdb.py   (in a venv with lmdb 3.0.0 and Pillow 12)
"""

import io
import pathlib

import lmdb
from PIL import Image

target = pathlib.Path(__file__).with_name("words.lmdb")


def picture(value, kind):
    out = io.BytesIO()
    Image.new("RGB", (24, 10), (value, 100, 200)).save(out, kind)
    return out.getvalue()


target.unlink(missing_ok=True)
with lmdb.open(str(target), subdir=False, lock=False, map_size=1 << 20) as database, database.begin(write=True) as write:
    write.put(b"num-samples", b"5")
    for number, (text, value) in enumerate([("Ärger am Rand", 10), ("lost", None), ("x" * 3000, 30), ("end", 40)], 1):
        write.put(b"label-%09d" % number, text.encode())
        if value is not None:
            write.put(b"image-%09d" % number, picture(value, "JPEG" if number == 3 else "PNG"))
