# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Streams, events and graphs."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from warpyard import _warpyard
from warpyard.errors import FailedPreconditionError

if TYPE_CHECKING:
    from warpyard._device import Device


class Stream:
    """Work that a device does in order, beside the host and other streams.

    Made by `Device.stream`; `Device.default_stream` is there always. A kernel's fault comes out
    where its stream is waited for.
    """

    def __init__(self, device: Device, handle: _warpyard.DriverStream) -> None:
        self.device = device
        self._handle = handle
        # What a graph that is being captured will use.
        self._captured: list[object] | None = None

    @property
    def handle(self) -> int:
        """The driver's CUstream; 0 is the default stream."""
        return self._handle.handle

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self.handle

    def synchronize(self) -> None:
        """Waits until all work so far is done."""
        self._handle.synchronize()

    def done(self) -> bool:
        """Whether all work so far is done."""
        return self._handle.done()

    def record(self, event: Event | None = None) -> Event:
        """Marks the end of the work so far with `event`, or with a new one."""
        mark = event or self.device.event()
        mark._handle.record(self._handle)
        return mark

    def wait(self, event: Event) -> None:
        """What follows waits for the event, which may be another device's."""
        event._handle.block_stream(self._handle)

    @contextlib.contextmanager
    def capture(self) -> Iterator[Graph]:
        """Records, instead of doing, what is given to the stream; then the graph can be launched.

        with stream.capture() as graph:
            kernel.launch(grid, block, args, stream=stream)
        graph.launch(stream)
        """
        if self._captured is not None:
            raise FailedPreconditionError("the stream is being captured already")
        graph = Graph()
        self._handle.begin_capture()
        self._captured = []
        try:
            yield graph
        except BaseException:
            with contextlib.suppress(Exception):
                self._handle.end_capture()
            raise
        else:
            graph._handle = self._handle.end_capture()
            graph._uses = self._captured
        finally:
            self._captured = None

    def _keep(self, *used: object) -> None:
        if self._captured is not None:
            self._captured.extend(used)


class Event:
    """A mark in a stream. Made by `Stream.record` or `Device.event`."""

    def __init__(self, handle: _warpyard.DriverEvent) -> None:
        self._handle = handle

    def synchronize(self) -> None:
        """Waits for the mark."""
        self._handle.synchronize()

    def done(self) -> bool:
        """Whether the work before the mark is done."""
        return self._handle.done()

    def seconds_since(self, start: Event) -> float:
        """The time that the device took from one mark to this one; waits for this one."""
        self._handle.synchronize()
        return self._handle.seconds_since(start._handle)


class Graph:
    """Work of a stream, captured once by `Stream.capture`, to be launched many times."""

    def __init__(self) -> None:
        self._handle: _warpyard.DriverGraph | None = None
        self._uses: list[object] = []

    def _ready(self) -> _warpyard.DriverGraph:
        if self._handle is None:
            raise FailedPreconditionError("the graph is not captured yet")
        return self._handle

    @property
    def node_count(self) -> int:
        """How many launches, copies and fills it holds."""
        return self._ready().node_count

    def launch(self, stream: Stream) -> None:
        """Does it all again, on `stream`."""
        self._ready().launch(stream._handle)
