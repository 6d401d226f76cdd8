# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Kernels written in Triton: what its users write, compiled by Triton itself."""

import triton
import triton.language as tl


@triton.jit
def vector_add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


@triton.jit
def softmax(x, out, columns, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    values = tl.load(x + row * stride + at, mask=at < columns, other=-float("inf"))
    powers = tl.exp(values - tl.max(values, 0))
    tl.store(out + row * stride + at, powers / tl.sum(powers, 0), mask=at < columns)


@triton.jit
def layer_norm(x, scale, bias, out, columns, stride, epsilon, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    values = tl.load(x + row * stride + at, mask=inside, other=0.0).to(tl.float32)
    mean = tl.sum(values, 0) / columns
    centred = tl.where(inside, values - mean, 0.0)
    deviation = 1 / tl.sqrt(tl.sum(centred * centred, 0) / columns + epsilon)
    result = centred * deviation * tl.load(scale + at, mask=inside) + tl.load(
        bias + at, mask=inside
    )
    tl.store(out + row * stride + at, result, mask=inside)


@triton.jit
def matmul(
    a, b, c, m, n, k, stride_am, stride_ak, stride_bk, stride_bn, stride_cm,
    M: tl.constexpr, N: tl.constexpr, K: tl.constexpr,
):  # fmt: skip
    rows = tl.program_id(0) * M + tl.arange(0, M)
    columns = tl.program_id(1) * N + tl.arange(0, N)
    steps = tl.arange(0, K)
    total = tl.zeros((M, N), tl.float32)
    for step in range(0, k, K):
        left = tl.load(
            a + rows[:, None] * stride_am + (step + steps)[None, :] * stride_ak,
            mask=(rows[:, None] < m) & ((step + steps)[None, :] < k), other=0.0,
        )  # fmt: skip
        right = tl.load(
            b + (step + steps)[:, None] * stride_bk + columns[None, :] * stride_bn,
            mask=((step + steps)[:, None] < k) & (columns[None, :] < n), other=0.0,
        )  # fmt: skip
        total = tl.dot(left, right, total)
    tl.store(
        c + rows[:, None] * stride_cm + columns[None, :],
        total.to(c.dtype.element_ty),
        mask=(rows[:, None] < m) & (columns[None, :] < n),
    )


@triton.jit
def attention(
    q, k, v, out, scale, length, stride,
    ROWS: tl.constexpr, COLUMNS: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """Causal attention of one head, one pass over the keys."""
    head = tl.program_id(1) * stride
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    width = tl.arange(0, WIDTH)
    query = tl.load(q + head + rows[:, None] * WIDTH + width[None, :])
    highest = tl.full((ROWS,), -float("inf"), tl.float32)
    norm = tl.zeros((ROWS,), tl.float32)
    total = tl.zeros((ROWS, WIDTH), tl.float32)
    for begin in range(0, (tl.program_id(0) + 1) * ROWS, COLUMNS):
        columns = begin + tl.arange(0, COLUMNS)
        key = tl.load(k + head + columns[None, :] * WIDTH + width[:, None])
        scores = tl.dot(query, key) * scale
        scores = tl.where(rows[:, None] >= columns[None, :], scores, -float("inf"))
        higher = tl.maximum(highest, tl.max(scores, 1))
        powers = tl.exp(scores - higher[:, None])
        shrink = tl.exp(highest - higher)
        norm = norm * shrink + tl.sum(powers, 1)
        value = tl.load(v + head + columns[:, None] * WIDTH + width[None, :])
        total = tl.dot(powers.to(value.dtype), value, total * shrink[:, None])
        highest = higher
    result = total / norm[:, None]
    tl.store(out + head + rows[:, None] * WIDTH + width[None, :], result.to(out.dtype.element_ty))
