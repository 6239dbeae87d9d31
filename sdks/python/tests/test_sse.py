"""Tests of the decoder of server-sent events."""

from __future__ import annotations

import pytest

from svcforms._sse import Frame, FrameDecoder


def frames(*chunks: bytes) -> list[Frame]:
    decoder = FrameDecoder()
    return [frame for chunk in chunks for frame in decoder.feed(chunk)]


STREAM = (
    "\ufeffretry: 3000\n: connected\nid: a-1\n\n"
    'id: a-2\nevent: x.y\ndata: {"t":"Zoë\u2028\x85\x0b"}\n\n'
    ": keepalive\n\n"
    "data:two\r\ndata: lines\r\n\r\n"
    "id: a-3\rdata\rdata:\r\r"
    "event: without data\n\n"
    "id: a\0b\nid\ndata: last\n\n"
    "data: not ended"
).encode()
EXPECTED = [
    Frame("a-2", "x.y", '{"t":"Zoë\u2028\x85\x0b"}'),
    Frame("a-2", "message", "two\nlines"),
    Frame("a-3", "message", "\n"),
    Frame("", "message", "last"),
]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 64, len(STREAM)])
def test_chunks_of_any_size_decode_the_same(size: int) -> None:
    assert frames(*(STREAM[at : at + size] for at in range(0, len(STREAM), size))) == EXPECTED


def test_ids_without_data_and_the_retry_delay_are_stored() -> None:
    decoder = FrameDecoder()
    assert decoder.feed(b"retry: 1500\nretry: soon\nid: a-1\n\n") == []
    assert (decoder.last_id, decoder.retry_seconds) == ("a-1", 1.5)


def test_positions_in_comments_are_ids_to_continue_after() -> None:
    decoder = FrameDecoder()
    assert decoder.feed(b"retry: 3000\n: connected\n: position a-1\n") == []
    assert decoder.last_id == "a-1"
    assert decoder.feed(b"id: a-2\ndata: x\n\n: keepalive\n") == [Frame("a-2", "message", "x")]
    assert decoder.last_id == "a-2"
    assert decoder.feed(b": position a-9\n") == []
    assert decoder.last_id == "a-9"


def test_an_incomplete_frame_does_not_change_the_last_id() -> None:
    """Otherwise, a stream would continue after an event that it never received."""
    decoder = FrameDecoder()
    decoder.feed(b"id: a-1\ndata: x\n\nid: a-2\ndata: y\n")
    assert decoder.last_id == "a-1"
