# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""NVRTC called directly: the least that a compilation can cost."""

from __future__ import annotations

import ctypes
import os


class DirectNvrtc:
    """libnvrtc of the toolkit below `root`."""

    def __init__(self, root: str) -> None:
        self._library = ctypes.CDLL(os.path.join(root, "lib", "libnvrtc.so.13"))
        self._include = os.path.join(root, "include")

    def _check(self, code: int) -> None:
        if code != 0:
            raise RuntimeError(f"NVRTC returned {code}")

    def compile(self, source: bytes, arch: str) -> tuple[bytes, bytes]:
        """CUBIN and PTX for `arch`, such as sm_90a."""
        nvrtc, program = self._library, ctypes.c_void_p()
        options = [
            f"-arch={arch}",
            "-std=c++17",
            "--ptxas-options=-v",
            f"-I{self._include}",
            "--no-cache",
        ]
        self._check(nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, b"k.cu", 0, None, None))
        try:
            texts = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
            self._check(nvrtc.nvrtcCompileProgram(program, len(options), texts))
            return self._get("CUBIN", program), self._get("PTX", program)
        finally:
            nvrtc.nvrtcDestroyProgram(ctypes.byref(program))

    def _get(self, form: str, program: ctypes.c_void_p) -> bytes:
        size = ctypes.c_size_t()
        self._check(getattr(self._library, f"nvrtcGet{form}Size")(program, ctypes.byref(size)))
        data = ctypes.create_string_buffer(size.value)
        self._check(getattr(self._library, f"nvrtcGet{form}")(program, data))
        return data.raw
