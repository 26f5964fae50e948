"""Writes words.tfrecord with Google's protobuf and crc32c packages, without TensorFlow.

1 all of ASTER's features, 2 an image and its text alone, 3 no transcript, 4 integers as another writer packs them (one by
one), 5 nothing at all, 6 the text "last".

Usage: python3 make_tfrecord.py   (in a venv with protobuf 7, google-crc32c 1.9, tfrecord 1.14 for example_pb2, Pillow)
"""

import io
import pathlib
import struct

import google_crc32c
from PIL import Image
from tfrecord import example_pb2


def picture(value, kind):
    out = io.BytesIO()
    Image.new("RGB", (24, 10), (value, 100, 200)).save(out, kind)
    return out.getvalue()


def feature(value):
    if isinstance(value, bytes):
        return example_pb2.Feature(bytes_list=example_pb2.BytesList(value=[value]))
    if isinstance(value, list):
        return example_pb2.Feature(float_list=example_pb2.FloatList(value=value))
    return example_pb2.Feature(int64_list=example_pb2.Int64List(value=[value]))


def example(**features):
    names = {name: "image/" + name for name in features}
    message = example_pb2.Example()
    for name, value in features.items():
        message.features.feature[names[name]].CopyFrom(feature(value))
    return message.SerializeToString(deterministic=True)


def masked(data):
    crc = google_crc32c.value(data)
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def unpacked():
    """An Example whose one Int64List has its values as separate varints; protobuf's readers must take both."""

    def part(number, data):
        return bytes([number << 3 | 2]) + length(len(data)) + data

    def length(count):
        out = b""
        while count > 127:
            out += bytes([count & 127 | 128])
            count >>= 7
        return out + bytes([count])

    def entry(name, kind, items):
        return part(1, part(1, name) + part(2, part(kind, items)))

    image = picture(70, "PNG")
    return part(1, entry(b"image/encoded", 1, part(1, image)) + entry(b"image/transcript", 1, part(1, b"single"))
                + entry(b"image/height", 3, b"\x08\x0a") + entry(b"image/width", 3, b"\x08\x18\x08\x05")
                + entry(b"image/keypoints", 2, b"\x0d" + struct.pack("<f", 1.5) + b"\x0d" + struct.pack("<f", -2)))


records = [
    example(encoded=picture(10, "PNG"), format=b"png", filename="für dich.png".encode(), source_id=b"7", height=10, width=24,
            channels=3, colorspace=b"rgb", transcript="Für dich".encode(), keypoints=[0.0, 1.0, 24.0, 1.0, 24.0, 9.5, 0.0, 9.5],
            lexicon=b"one\ttwo words\tF"),
    example(encoded=picture(30, "JPEG"), transcript=b"plain"),
    example(encoded=picture(50, "PNG"), filename=b"silent.png"),
    unpacked(),
    example(),
    example(encoded=picture(90, "PNG"), transcript=b"last", source_id=b"z"),
]
target = pathlib.Path(__file__).with_name("words.tfrecord")
with target.open("wb") as out:
    for data in records:
        head = struct.pack("<Q", len(data))
        out.write(head + struct.pack("<I", masked(head)) + data + struct.pack("<I", masked(data)))
offset = 0
for data in records:
    print(offset, len(data))
    offset += 16 + len(data)
