#!/usr/bin/env python3
# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Writes the programs of this folder: HLO as JAX hands it to XLA, and as XLA compiles it.

    pip install jax
    python3 tests/programs/export.py

For each program NAME it writes into hlo/: NAME.hlo, NAME.optimized.hlo and, for programs that one
device runs, NAME.npz with the arguments (arg0, arg1, ...) and the results (out0, ...) of a run.
Nothing but this script needs JAX. The versions that wrote the files are in hlo/VERSIONS.
"""

from __future__ import annotations

import os
import pathlib
import sys
from collections.abc import Callable
from typing import Any

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import jaxlib
import numpy as np
from jax import lax
from jax.sharding import AxisType, PartitionSpec
from jaxlib._hlo import HloPrintOptions

# Paths say where a program was exported, not what it does.
jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")

_OPTIONS = HloPrintOptions()
_OPTIONS.print_large_constants = True
_RANDOM = np.random.default_rng(0)
_PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...], bool]] = {}


def _f32(*shape: int) -> np.ndarray:
    return _RANDOM.standard_normal(shape).astype(np.float32)


def program(*args: Any, runs: bool = True) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers a function as a program, called with `args`."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        _PROGRAMS[function.__name__] = (function, args, runs)
        return function

    return register


@program(_f32(4, 8), _f32(4, 8))
def elementwise_chain(x, y):
    return jnp.tanh(x * y + 1.0) - jnp.exp(-jnp.abs(x)) / (1.0 + y * y), jnp.maximum(x, 0.5) ** 2


@program(np.arange(-8, 8, dtype=np.int32).reshape(4, 4), np.full((4, 4), 3, np.int32))
def integer_chain(x, y):
    bits = (x << 2) ^ ((x >> 1) & ~y) | lax.shift_right_logical(x, y)
    return bits, x // y, x % y, lax.population_count(x), lax.clz(x), jnp.sign(x) * jnp.minimum(x, y)


@program(_f32(3, 5))
def transcendental(x):
    return (
        jnp.sin(x),
        jnp.cos(x),
        jnp.tan(x),
        jnp.log1p(jnp.abs(x)),
        jnp.expm1(x),
        jnp.cbrt(x),
        jax.nn.sigmoid(x),
        lax.erf(x),
        jnp.arctan2(x, x + 1),
        lax.rsqrt(jnp.abs(x) + 1),
        jnp.floor(x),
        jnp.ceil(x),
        jnp.round(x),
        jnp.sinh(x),
        jnp.arctanh(jnp.tanh(x)),
    )


@program(_f32(4, 8))
def softmax(x):
    return jax.nn.softmax(x)


@program(_f32(4, 16), _f32(16), _f32(16))
def layer_norm(x, scale, bias):
    centred = x - x.mean(-1, keepdims=True)
    return centred * lax.rsqrt((centred**2).mean(-1, keepdims=True) + 1e-5) * scale + bias


@program(_f32(4, 16), _f32(16))
def rms_norm(x, scale):
    return x * lax.rsqrt((x**2).mean(-1, keepdims=True) + 1e-6) * scale


def _attention(q, k, v):
    scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / np.sqrt(q.shape[-1])
    causal = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    return jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(jnp.where(causal, scores, -1e9)), v)


@program(_f32(2, 2, 8, 4), _f32(2, 2, 8, 4), _f32(2, 2, 8, 4))
def attention(q, k, v):
    return _attention(q, k, v)


@program(_f32(2, 2, 8, 4), _f32(2, 2, 8, 4), _f32(2, 2, 8, 4))
def attention_backward(q, k, v):
    return jax.grad(lambda *qkv: (_attention(*qkv) ** 2).sum(), (0, 1, 2))(q, k, v)


def _mlp_loss(weights, x, y):
    w1, b1, w2, b2 = weights
    logits = jax.nn.relu(x @ w1 + b1) @ w2 + b2
    return -jnp.mean(jnp.sum(jax.nn.log_softmax(logits) * jax.nn.one_hot(y, 3), -1))


@program(
    (_f32(6, 8), _f32(8), _f32(8, 3), _f32(3)), _f32(5, 6), np.array([0, 2, 1, 1, 0], np.int32)
)
def mlp_training_step(weights, x, y):
    loss, gradients = jax.value_and_grad(_mlp_loss)(weights, x, y)
    return loss, jax.tree.map(lambda w, g: w - 0.1 * g, weights, gradients)


def _cnn_loss(weights, x, y):
    w, dense = weights
    x = lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    x = lax.reduce_window(jax.nn.relu(x), -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    logits = x.reshape(x.shape[0], -1) @ dense
    return -jnp.mean(jax.nn.log_softmax(logits)[jnp.arange(x.shape[0]), y])


@program((_f32(3, 3, 2, 4), _f32(64, 3)), _f32(2, 8, 8, 2), np.array([2, 0], np.int32))
def cnn_training_step(weights, x, y):
    loss, gradients = jax.value_and_grad(_cnn_loss)(weights, x, y)
    return loss, jax.tree.map(lambda w, g: w - 0.1 * g, weights, gradients)


@program(_f32(1, 3, 8, 8), _f32(4, 3, 3, 3))
def convolution_strided(x, w):
    return lax.conv_general_dilated(x, w, (2, 2), "SAME")


@program(_f32(1, 6, 6, 4), _f32(3, 3, 2, 6))
def convolution_dilated_grouped(x, w):
    return lax.conv_general_dilated(
        x,
        w,
        (1, 1),
        [(1, 2), (0, 1)],
        lhs_dilation=(2, 2),
        rhs_dilation=(1, 2),
        dimension_numbers=("NHWC", "HWIO", "NHWC"),
        feature_group_count=2,
    )


@program(_f32(4, 3, 7), _f32(2, 3, 3))
def convolution_batch_grouped(x, w):
    return lax.conv_general_dilated(x, w, (1,), [(1, 1)], batch_group_count=2)


@program(_f32(10))
def scan_running(x):
    return lax.scan(lambda carry, y: (carry + y, carry * y), 0.0, x)


@program(_f32(4, 6))
def cumulative(x):
    return jnp.cumsum(x, 1), jnp.cumprod(x, 0), lax.cummax(x), lax.associative_scan(jnp.add, x)


@program(_f32(4, 8))
def sorts(x):
    return jnp.sort(x), jnp.argsort(x, descending=True), lax.top_k(x, 3)


@program(_f32(4, 8), np.arange(8, dtype=np.int32)[None].repeat(4, 0))
def sort_by_key(keys, values):
    return lax.sort((keys, values), dimension=1, num_keys=1)


@program(_f32(4, 8))
def fourier(x):
    return (
        jnp.abs(jnp.fft.fft(x)),
        jnp.fft.rfft(x).imag,
        jnp.fft.irfft(jnp.fft.rfft(x)),
        jnp.fft.ifft2(x + 1j * x).real,
    )


@program(_f32(6, 4), np.array([1, 4, 1], np.int32), _f32(3, 4))
def scatter_add(x, i, updates):
    return x.at[i].add(updates), x.at[i].max(updates), x.at[2:4].set(updates[:2])


@program(_f32(6, 4), np.array([5, 0, 2], np.int32))
def gather_rows(x, i):
    return x[i], jnp.take(x, i, axis=1, mode="clip"), jnp.take_along_axis(x, i[None, :1] % 4, 1)


@program(_f32(8, 3), np.array([0, 1, 1, 3, 0, 2, 2, 3], np.int32))
def segment_sum(x, segments):
    return jax.ops.segment_sum(x, segments, 4)


@program(_f32(8, 6), np.int32(3), np.int32(1))
def dynamic_slices(x, i, j):
    piece = lax.dynamic_slice(x, (i, j), (2, 4))
    return lax.dynamic_update_slice(x, piece * 2, (j, i)), piece


@program(_f32(4, 4))
def pads(x):
    return lax.pad(x, 0.5, ((1, 4, 1), (4, 8, 0))), lax.pad(x, 0.0, ((-1, 0, 0), (0, -2, 0)))


@program(_f32(5, 7))
def windows(x):
    return (
        lax.reduce_window(
            x, 0.0, lax.add, (1, 3), (1, 2), "SAME", base_dilation=(1, 2), window_dilation=(1, 2)
        ),
        lax.reduce_window(x, -jnp.inf, lax.max, (2, 2), (2, 2), "VALID"),
    )


@program(_f32(4, 8))
def max_pool_backward(x):
    pool = lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 2), (1, 2), "VALID")  # noqa: E731
    return jax.grad(lambda x: (pool(x) ** 2).sum())(x)


@program(_f32(4, 8))
def conditionals(x):
    one = lax.cond(x.sum() > 0, lambda x: x + 1, lambda x: x * 2, x)
    return one, lax.switch(jnp.int32(1), [lambda x: x, lambda x: x * 2, jnp.sin], x)


@program(_f32(4, 8))
def while_loop(x):
    return lax.while_loop(
        lambda c: (c[0] < 10) & (jnp.abs(c[1]).sum() < 100),
        lambda c: (c[0] + 1, c[1] * 1.5),
        (0, x),
    )


@program(jax.random.key_data(jax.random.key(7)))
def threefry(key):
    key = jax.random.wrap_key_data(key)
    return jax.random.bits(key, (8,)), jax.random.uniform(key, (3, 5))


@program(_f32(4, 8))
def cholesky_and_solve(x):
    matrix = x @ x.T + 4 * jnp.eye(4)
    factor = jnp.linalg.cholesky(matrix)
    return factor, jax.scipy.linalg.solve_triangular(factor, x, lower=True)


@program(_f32(4, 8))
def small_floats(x):
    return tuple(
        x.astype(t).astype(jnp.float32)
        for t in (
            jnp.float16,
            jnp.bfloat16,
            jnp.float8_e4m3fn,
            jnp.float8_e5m2,
            jnp.float8_e4m3fnuz,
        )
    )


@program(_f32(4, 8))
def narrow_integers(x):
    return (x * 3).astype(jnp.int8), (x * 2).astype(jnp.int4).astype(jnp.int32), x > 0


@program(_f32(4, 8))
def bit_casts(x):
    return (
        lax.bitcast_convert_type(x, jnp.uint8),
        lax.bitcast_convert_type(x, jnp.int32),
        lax.reduce_precision(x, 5, 10),
    )


@program(_f32(4, 8))
def complex_numbers(x):
    z = lax.complex(x, x + 1)
    return jnp.abs(z), jnp.angle(z), (z * jnp.conj(z)).real, jnp.exp(z).imag


@program(_f32(2, 3, 4).astype(jnp.bfloat16), _f32(4, 3, 5).astype(jnp.bfloat16))
def einsum_mixed(a, b):
    return jnp.einsum("abc,cbd->dab", a, b, preferred_element_type=jnp.float32, precision="highest")


@program(_f32(8, 4), _f32(2, 4, 5), np.array([3, 5], np.int32))
def ragged_dot(x, w, sizes):
    return lax.ragged_dot(x, w, sizes)


@program(_f32(6, 4), _f32(4, 3), _f32(3, 4, 8), _f32(3, 8, 4))
def mixture_of_experts(x, router, w1, w2):
    expert = jnp.argmax(x @ router, -1)
    order = jnp.argsort(expert)
    sizes = jnp.bincount(expert, length=3).astype(jnp.int32)
    hidden = jax.nn.gelu(lax.ragged_dot(x[order], w1, sizes))
    return jnp.zeros_like(x).at[order].set(lax.ragged_dot(hidden, w2, sizes))


@program(_f32(4, 8))
def arg_reductions(x):
    return jnp.argmax(x, 1), jnp.argmin(x, 0), jnp.any(x > 1, 0), jnp.prod(x, 1), jnp.nanmax(x)


@program(_f32(4, 8))
def shape_changes(x):
    return (
        x.reshape(2, 2, 4, 2).transpose(3, 1, 0, 2),
        x[::-1, 1:7:2],
        jnp.concatenate([x, x[:2]]),
        jnp.broadcast_to(x[:, None], (4, 3, 8)),
        lax.iota(jnp.int32, 5),
    )


@program(_f32(4, 8))
def constants(x):
    return x + np.arange(32, dtype=np.float32).reshape(4, 8) / 7, x * np.float32(np.pi)


@program(_f32(4, 8))
def barriers(x):
    return lax.optimization_barrier((x, x + 1))


@program(_f32(4, 8))
def clamps_and_selects(x):
    return (
        jnp.clip(x, -0.5, 0.5),
        jnp.where(x > 0, x, jnp.exp(x) - 1),
        jnp.isfinite(x / 0),
        jnp.nan_to_num(x / 0),
    )


def _block(x, w):
    """A transformer block as in GPT-2: width 768, 12 heads."""
    norm = lambda x: (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5)  # noqa: E731
    q, k, v = jnp.split(norm(x) @ w["qkv"], 3, -1)
    heads = lambda t: t.reshape(*t.shape[:2], 12, 64).transpose(0, 2, 1, 3)  # noqa: E731
    mixed = _attention(heads(q), heads(k), heads(v)).transpose(0, 2, 1, 3).reshape(x.shape)
    x = x + mixed @ w["out"]
    return x + jax.nn.gelu(norm(x) @ w["up"]) @ w["down"]


_GPT2 = {
    "qkv": jax.ShapeDtypeStruct((768, 2304), np.float32),
    "out": jax.ShapeDtypeStruct((768, 768), np.float32),
    "up": jax.ShapeDtypeStruct((768, 3072), np.float32),
    "down": jax.ShapeDtypeStruct((3072, 768), np.float32),
}
_TOKENS = jax.ShapeDtypeStruct((1, 128, 768), np.float32)


@program(_TOKENS, _GPT2, runs=False)
def gpt2_block(x, w):
    return _block(x, w)


@program(_TOKENS, _GPT2, runs=False)
def gpt2_block_backward(x, w):
    return jax.grad(lambda x, w: _block(x, w).sum(), (0, 1))(x, w)


_BOTH = PartitionSpec("a", "b")


def _sharded(function, out=_BOTH):
    mesh = jax.make_mesh((2, 4), ("a", "b"), axis_types=(AxisType.Auto,) * 2)
    return jax.shard_map(function, mesh=mesh, in_specs=_BOTH, out_specs=out, check_vma=False)


_SHARDS = jax.ShapeDtypeStruct((16, 8), np.float32)


@program(_SHARDS, runs=False)
def all_reduce(x):
    return _sharded(lambda x: lax.psum(x, "b") + lax.pmax(x, ("a", "b")))(x)


@program(_SHARDS, runs=False)
def all_gather(x):
    gather = lambda x: lax.all_gather(x, "b", axis=1, tiled=True)  # noqa: E731
    return _sharded(gather, PartitionSpec("a", None))(x)


@program(_SHARDS, runs=False)
def reduce_scatter(x):
    return _sharded(lambda x: lax.psum_scatter(x, "a", scatter_dimension=0, tiled=True))(x)


@program(_SHARDS, runs=False)
def all_to_all(x):
    return _sharded(lambda x: lax.all_to_all(x, "b", 0, 1, tiled=True))(x)


@program(_SHARDS, runs=False)
def collective_permute(x):
    return _sharded(lambda x: lax.ppermute(x, "b", [(0, 1), (1, 2), (2, 3), (3, 0)]))(x)


@program(_SHARDS, runs=False)
def axis_index(x):
    return _sharded(lambda x: x * lax.axis_index("a") + lax.axis_index("b"))(x)


def main() -> int:
    folder = pathlib.Path(__file__).parent / "hlo"
    folder.mkdir(exist_ok=True)
    for name, (function, args, runs) in sorted(_PROGRAMS.items()):
        lowered = jax.jit(function).lower(*args)
        (folder / f"{name}.hlo").write_text(
            lowered.compiler_ir("hlo").as_hlo_text(print_large_constants=True)
        )
        compiled = lowered.compile()
        (module,) = compiled.runtime_executable().hlo_modules()
        (folder / f"{name}.optimized.hlo").write_text(module.to_string(_OPTIONS))
        if runs:
            flat = [np.asarray(leaf) for leaf in jax.tree.leaves(args)]
            results = [np.asarray(leaf) for leaf in jax.tree.leaves(compiled(*args))]
            np.savez_compressed(
                folder / f"{name}.npz",
                **{f"arg{i}": value for i, value in enumerate(flat)},
                **{f"out{i}": value for i, value in enumerate(results)},
            )
        print(name)
    versions = f"jax {jax.__version__}\njaxlib {jaxlib.__version__}\n"
    (folder / "VERSIONS").write_text(versions)
    return 0


if __name__ == "__main__":
    sys.exit(main())
