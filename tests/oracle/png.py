#!/usr/bin/env python3
"""Decode a PNG picture with a palette to binary PPM, with nothing but the standard library.

    png.py PICTURE.png PICTURE.ppm
"""
import struct
import sys
import zlib
from pathlib import Path


def chunks(data):
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        sys.exit("no PNG file")
    at = 8
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        (check_sum,) = struct.unpack(">I", data[at + 8 + length : at + 12 + length])
        if check_sum != zlib.crc32(kind + body):
            sys.exit(f"chunk {kind!r} has a wrong check sum")
        yield kind, body
        at += 12 + length


def paeth(left, above, corner):
    guess = left + above - corner
    distances = [(abs(guess - x), k, x) for k, x in enumerate((left, above, corner))]
    return min(distances)[2]


def rows(pixels, width, height):
    """Undo the filters of 8-bit, one-channel rows."""
    above = bytes(width)
    for y in range(height):
        kind, raw = pixels[y * (width + 1)], pixels[y * (width + 1) + 1 : (y + 1) * (width + 1)]
        row = bytearray(raw)
        for x in range(width) if kind else ():
            left, corner = (row[x - 1], above[x - 1]) if x else (0, 0)
            guess = (0, left, above[x], (left + above[x]) // 2, paeth(left, above[x], corner))[kind]
            row[x] = (raw[x] + guess) & 0xFF
        yield bytes(row)
        above = row


def main(source, target):
    parts = list(chunks(Path(source).read_bytes()))
    if [parts[0][0], parts[-1][0]] != [b"IHDR", b"IEND"]:
        sys.exit("chunks are missing")
    width, height, depth, color, compression, filters, interlace = struct.unpack(
        ">IIBBBBB", parts[0][1])
    if (depth, color, compression, filters, interlace) != (8, 3, 0, 0, 0):
        sys.exit("not a plain picture with a palette of 8 bits")
    (palette,) = [body for kind, body in parts if kind == b"PLTE"]
    pixels = zlib.decompress(b"".join(body for kind, body in parts if kind == b"IDAT"))
    if len(pixels) != height * (width + 1):
        sys.exit("wrong number of pixels")
    with open(target, "wb") as file:
        file.write(b"P6\n%d %d\n255\n" % (width, height))
        for row in rows(pixels, width, height):
            file.write(b"".join(palette[3 * c : 3 * c + 3] for c in row))


if __name__ == "__main__":
    main(*sys.argv[1:])
