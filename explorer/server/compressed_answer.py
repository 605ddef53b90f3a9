"""Compressed answers, for the cache and for responses: compressed once and read in chunks, to limit memory."""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from explorer.ui.questions import is_error

GZIP_LEVEL = 4  # of 9; more takes longer than it saves
GZIP_WBITS = 31  # zlib's name for the format of RFC 1952
CHUNK_BYTES = 65_536  # as many as uvicorn buffers for a connection before it waits


@dataclass(frozen=True)
class CompressedAnswer:
    """The last line of a response, its newline included."""

    data: bytes  # gzip
    is_error: bool

    def __len__(self) -> int:
        return len(self.data)

    def __str__(self) -> str:
        """The answer without the newline."""
        return b"".join(self.plain()).decode().removesuffix("\n")

    def chunks(self) -> Iterator[bytes]:
        """The gzip bytes."""
        return (self.data[start : start + CHUNK_BYTES] for start in range(0, len(self.data), CHUNK_BYTES))

    def plain(self) -> Iterator[bytes]:
        """The line itself, in chunks."""
        decompressor = zlib.decompressobj(GZIP_WBITS)
        for chunk in self.chunks():
            while chunk:
                yield decompressor.decompress(chunk, CHUNK_BYTES)
                chunk = decompressor.unconsumed_tail
        yield decompressor.flush()


def compress(answer: str) -> CompressedAnswer:
    """Takes 3 ms for 60 kB, 9 ms for 300 kB."""
    compressor = zlib.compressobj(GZIP_LEVEL, wbits=GZIP_WBITS)
    return CompressedAnswer(compressor.compress(answer.encode() + b"\n") + compressor.flush(), is_error(answer))
