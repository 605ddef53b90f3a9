"""The file format of an atlas: a JSON header and typed arrays, together in one gzip file.

Unpacked, a file consists of

    4 bytes     the length of the header, an unsigned little-endian integer
    header      a JSON object in UTF-8; `arrays` lists {"name", "type", "shape"} in the order of the data
    data        the arrays, one behind the other and without gaps

`type` is "uint8", "uint16", "uint32" or "float32"; the last axis of `shape` varies fastest. The bytes of an array's
numbers are shuffled: the lowest byte of every number comes first, then the second byte of every number, and so on.
Number i of an array of n numbers that starts at byte `start` is, for "uint16",

    data[start + i] | (data[start + n + i] << 8)

Higher bytes resemble each other, and so do lower ones: with a Huffman code of its own for each array and each place of
a byte, the file is a fifth smaller.
"""

import json
import math
import zlib
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Shaped

from model.errors import UserError
from model.files import read_bytes

MAX_FILE_BYTES = 4_000_000  # compressed
MAX_UNPACKED_BYTES = 64_000_000
TYPES = ("uint8", "uint16", "uint32", "float32")
LENGTH_BYTES = 4
MIN_BLOCK = 500  # bytes; a code of its own takes about a hundred
GZIP = 31  # what zlib calls the gzip format


class ArrayFile(NamedTuple):
    """The header of a file, without the list of its arrays, and the arrays by name."""

    header: dict[str, Any]
    arrays: dict[str, Shaped[np.ndarray, "..."]]


def smallest_type(largest: int) -> np.dtype:
    """The smallest type that holds the integers from 0 to `largest`, below 2 ** 32."""
    return next(np.dtype(name) for name in TYPES if largest <= np.iinfo(name).max)


def shuffle(array: Shaped[np.ndarray, "..."]) -> list[bytes]:
    """The lowest byte of every number of an array, then every second byte, and so on."""
    little = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
    return [place.tobytes() for place in little.reshape(-1).view(np.uint8).reshape(-1, array.itemsize).T]


def unshuffle(data: bytes, dtype: np.dtype, shape: tuple[int, ...]) -> Shaped[np.ndarray, "..."]:
    """The array that `shuffle` made bytes of."""
    planes = np.frombuffer(data, np.uint8).reshape(dtype.itemsize, -1)
    return np.ascontiguousarray(planes.T).view(dtype.newbyteorder("<")).reshape(shape).astype(dtype)


def pack(header: Mapping[str, Any], arrays: Mapping[str, Shaped[np.ndarray, "..."]]) -> bytes:
    """The bytes of a file; equal content gives equal bytes."""
    listed = [{"name": name, "type": array.dtype.name, "shape": list(array.shape)} for name, array in arrays.items()]
    assert all(entry["type"] in TYPES for entry in listed), listed
    text = json.dumps({**header, "arrays": listed}, ensure_ascii=False, separators=(",", ":")).encode()
    # Filtered, zlib spends little on finding repetitions, which numbers without order only have by chance; a flush
    # ends a block, and with it a Huffman code.
    zip_ = zlib.compressobj(9, wbits=GZIP, memLevel=9, strategy=zlib.Z_FILTERED)
    parts = [len(text).to_bytes(LENGTH_BYTES, "little") + text, *chain(*map(shuffle, arrays.values()))]
    packed = [zip_.compress(part) + (zip_.flush(zlib.Z_SYNC_FLUSH) if len(part) > MIN_BLOCK else b"") for part in parts]
    return b"".join(packed) + zip_.flush()


def unpack(name: str, packed: bytes) -> ArrayFile:
    """The content of a file's bytes. Raises UserError, with the file's name, if they are damaged or too many."""
    try:
        unzip = zlib.decompressobj(wbits=GZIP)
        data = unzip.decompress(packed, MAX_UNPACKED_BYTES)
        if not unzip.eof:
            raise ValueError("cut off or too large")
        start = LENGTH_BYTES + int.from_bytes(data[:LENGTH_BYTES], "little")
        header = json.loads(data[LENGTH_BYTES:start])
        arrays = {}
        for entry in header.pop("arrays"):
            dtype, shape = np.dtype(TYPES[TYPES.index(entry["type"])]), tuple(entry["shape"])
            end = start + math.prod(shape) * dtype.itemsize
            arrays[entry["name"]] = unshuffle(data[start:end], dtype, shape)
            start = end
        return ArrayFile(header, arrays)
    except (zlib.error, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(f"{name} is damaged, or no file of an atlas") from error


def read(path: Path) -> ArrayFile:
    """The content of a file. Raises OSError if there is none, UserError if it is a link, too large or damaged."""
    return unpack(path.name, read_bytes(path, MAX_FILE_BYTES))
