# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Makes the logs in this folder by running NVIDIA's own compilers.

    make_logs.py --ptxas PATH [--nvlink PATH] [--nvjitlink PATH] [--nvrtc PATH] --name 13.5

writes ptxas-13.5/CASE.log, nvlink-13.5/CASE.log and so on. The logs are kept
because the compilers that wrote them (CUDA 11.8, 12.4, 12.9 and 13.5, from the
wheels nvidia-cuda-nvcc, nvidia-nvjitlink and nvidia-cuda-nvrtc) are not all at
hand where the tests run. Times in the logs differ from run to run; nothing in
the tests looks at them.
"""

import argparse
import ctypes
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def module(body, version="7.8", target="sm_80"):
    return f".version {version}\n.target {target}\n.address_size 64\n{body}\n"


def many_live_values(count):
    """A kernel that has `count` loaded floats live at once."""
    values = range(count)
    loads = "\n".join(f"ld.volatile.global.f32 %f{i}, [%rd0+{4 * i}];" for i in values)
    # Summed in the reverse order, so that none can die early.
    sums = "\n".join(f"fma.rn.f32 %s, %s, %f{i}, %f{i};" for i in reversed(values))
    return f"""
.visible .entry live(.param .u64 p) {{
.reg .f32 %f<{count}>; .reg .f32 %s; .reg .u64 %rd<1>;
ld.param.u64 %rd0, [p];
mov.f32 %s, 0f00000000;
{loads}
bar.sync 0;
{sums}
st.global.f32 [%rd0], %s;
ret;
}}"""


def wgmma(threads):
    """An m64n256 product: 128 accumulators per thread."""
    accumulators = ", ".join(f"%f{i}" for i in range(128))
    loads = "\n".join(f"ld.global.f32 %f{i}, [%rd0+{4 * i}];" for i in range(128))
    stores = "\n".join(f"st.global.f32 [%rd0+{4 * i}], %f{i};" for i in range(128))
    return f"""
.visible .entry product(.param .u64 p) .maxntid {threads}, 1, 1 {{
.reg .f32 %f<128>; .reg .u64 %rd<3>;
ld.param.u64 %rd0, [p];
{loads}
ld.global.u64 %rd1, [%rd0+8192];
ld.global.u64 %rd2, [%rd0+8200];
wgmma.fence.sync.aligned;
wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {{{accumulators}}}, %rd1, %rd2, 1, 1, 1, 0, 0;
wgmma.commit_group.sync.aligned;
wgmma.wait_group.sync.aligned 0;
{stores}
ret;
}}"""


GOOD = """
.const .align 4 .b8 table[256];
.visible .entry plain(.param .u64 p) {
.reg .u64 %rd<2>; .reg .u32 %r<3>;
ld.param.u64 %rd0, [p];
mov.u32 %r0, %tid.x;
mul.wide.u32 %rd1, %r0, 4;
add.u64 %rd0, %rd0, %rd1;
st.global.u32 [%rd0], %r0;
ret;
}
.visible .entry rich(.param .u64 p) .maxntid 128, 2, 1 {
.shared .align 4 .b8 tile[1024];
.local .align 4 .b8 stack[400];
.reg .u64 %rd<5>; .reg .u32 %r<6>;
ld.param.u64 %rd0, [p];
ld.global.u32 %r0, [%rd0];
mul.wide.u32 %rd1, %r0, 4;
mov.u64 %rd2, stack;
add.u64 %rd2, %rd2, %rd1;
st.local.u32 [%rd2], %r0;
ld.local.u32 %r1, [%rd2+8];
mov.u64 %rd3, tile;
add.u64 %rd3, %rd3, %rd1;
st.volatile.shared.u32 [%rd3], %r1;
bar.sync 3;
ld.volatile.shared.u32 %r2, [%rd3+16];
mov.u64 %rd4, table;
add.u64 %rd4, %rd4, %rd1;
ld.const.u32 %r3, [%rd4];
add.u32 %r4, %r2, %r3;
st.global.u32 [%rd0], %r4;
ret;
}
"""

CALLS_MISSING = """
.extern .func (.param .b32 r) helper (.param .b32 a);
.extern .func other ();
.extern .global .align 4 .b8 outside[];
.visible .entry caller(.param .u64 p) {
.reg .u64 %rd<2>; .reg .u32 %r<3>;
ld.param.u64 %rd0, [p];
{
.param .b32 a; .param .b32 r;
mov.u32 %r0, 3;
st.param.b32 [a], %r0;
call (r), helper, (a);
ld.param.b32 %r1, [r];
}
call other;
mov.u64 %rd1, outside;
ld.volatile.global.u32 %r2, [%rd1];
add.u32 %r1, %r1, %r2;
st.global.u32 [%rd0], %r1;
ret;
}
"""

EMPTY = ".visible .entry empty() { ret; }"

BIG_SHARED = """
.visible .entry big_shared(.param .u64 p) {
.shared .align 4 .b8 tile[300000];
.reg .u64 %rd<2>; .reg .u32 %r<2>;
ld.param.u64 %rd0, [p];
mov.u64 %rd1, tile;
ld.volatile.shared.u32 %r0, [%rd1+299996];
st.global.u32 [%rd0], %r0;
ret;
}
"""

BIG_CONSTANT = """
.const .align 4 .b8 table[70000];
.visible .entry big_constant(.param .u64 p) {
.reg .u64 %rd<2>; .reg .u32 %r<2>;
ld.param.u64 %rd0, [p];
mov.u64 %rd1, table;
ld.const.u32 %r0, [%rd1+69996];
st.global.u32 [%rd0], %r0;
ret;
}
"""

TENSOR_MEMORY = """
.visible .entry alloc() {
.shared .align 4 .b32 address;
.reg .u32 %r<1>;
mov.u32 %r0, address;
tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r0], 1024;
ret;
}
"""

WRONG = """
.visible .entry wrong() {
.reg .u32 %r<2>;
foo.bar;
add.u32 %r0, %r1, %nothere;
ret
}
"""

# name: (PTX, target, ptxas options)
PTX_CASES = {
    "good": (module(GOOD), "sm_80", []),
    "good_sm90": (module(GOOD), "sm_90", []),
    "spill": (module(many_live_values(96)), "sm_80", ["--maxrregcount=32"]),
    "empty": (module(EMPTY), "sm_80", []),
    "unknown_target": (module(EMPTY), "sm_20", []),
    "nonsense_target": (module(EMPTY), "nonsense", []),
    "target_too_low": (module(EMPTY), "sm_75", []),
    "arch_specific_elsewhere": (module(EMPTY, "8.0", "sm_90a"), "sm_100", []),
    "family_specific_elsewhere": (module(EMPTY, "8.8", "sm_100f"), "sm_120", []),
    "isa_too_new": (module(EMPTY, version="99.9"), "sm_80", []),
    "isa_too_old": (module(EMPTY, "7.0", "sm_90"), "sm_90", []),
    "no_version": (EMPTY, "sm_80", []),
    "registers": (module(wgmma(1024), "8.0", "sm_90a"), "sm_90a", []),
    "serialized_wgmma": (
        module(
            wgmma(128).replace("wgmma.wait_group.sync.aligned 0;", "bar.sync 0;"), "8.0", "sm_90a"
        ),
        "sm_90a",
        [],
    ),
    "shared": (module(BIG_SHARED), "sm_80", []),
    "constant": (module(BIG_CONSTANT), "sm_80", []),
    "tensor_memory": (module(TENSOR_MEMORY, "8.6", "sm_100a"), "sm_100a", []),
    "undefined": (module(CALLS_MISSING), "sm_80", []),
    "wrong": (module(WRONG), "sm_80", []),
    "twice": (module(EMPTY + "\n" + EMPTY), "sm_80", []),
    "feature": (module(".visible .entry f() { wgmma.fence.sync.aligned; ret; }"), "sm_80", []),
    "register_limit": (module(EMPTY), "sm_80", ["--maxrregcount=1000"]),
}

CUDA = 'extern "C" __global__ void k(int* p) {\n%s\n}\n'

# name: (CUDA C++, options)
CUDA_CASES = {
    "good": (CUDA % "p[threadIdx.x] = 1;", ["-arch=sm_90"]),
    "undeclared": (CUDA % "int unused;\np[0] = nothere;\np[1] = 1 +;", ["-arch=sm_90"]),
    "missing_header": ('#include "nothere.h"\n' + CUDA % "", ["-arch=sm_90"]),
    "error_directive": ("#warning careful\n#error stop here\n", ["-arch=sm_90"]),
    "warning": (CUDA % "p[0] = 1 << 40;", ["-arch=sm_90"]),
    "unknown_target": (CUDA % "", ["-arch=sm_20"]),
    "unknown_option": (CUDA % "", ["-arch=sm_90", "--nothere"]),
    "undefined": ("__device__ int f(int);\n" + CUDA % "p[0] = f(1);", ["-arch=sm_90"]),
    "shared": (
        CUDA % "__shared__ volatile int s[100000]; s[p[0]] = 1; p[1] = s[p[2]];",
        ["-arch=sm_90"],
    ),
    "inline_ptx": (CUDA % 'asm volatile("foo.bar;");', ["-arch=sm_90"]),
}


class Writer:
    def __init__(self, tool, version):
        self.folder = HERE / f"{tool}-{version}"
        self.folder.mkdir(exist_ok=True)

    def write(self, case, log):
        (self.folder / f"{case}.log").write_text(log)


def run_ptxas(ptxas, writer):
    for case, (ptx, target, options) in PTX_CASES.items():
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / f"{case}.ptx").write_text(ptx)
            command = [ptxas, "-v", f"-arch={target}", *options, f"{case}.ptx", "-o", "out.cubin"]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        writer.write(case, done.stdout + done.stderr)


def run_nvlink(ptxas, nvlink, writer):
    cases = {
        "good": ["good"],
        "undefined": ["undefined"],
        "twice": ["empty", "again"],
        "wrong_target": ["good"],
        "unknown_target": ["good"],
        "missing_file": ["nothere"],
    }
    targets = {"wrong_target": "sm_90", "unknown_target": "sm_20"}
    with tempfile.TemporaryDirectory() as folder:
        for name in ("good", "undefined", "empty"):
            (pathlib.Path(folder) / f"{name}.ptx").write_text(PTX_CASES[name][0])
        (pathlib.Path(folder) / "again.ptx").write_text(PTX_CASES["empty"][0])
        for name in ("good", "undefined", "empty", "again"):
            subprocess.run(
                [ptxas, "-c", "-arch=sm_80", f"{name}.ptx", "-o", f"{name}.o"],
                cwd=folder,
                check=True,
            )
        for case, objects in cases.items():
            target = targets.get(case, "sm_80")
            command = [nvlink, "-v", f"-arch={target}", *[f"{o}.o" for o in objects]]
            command += ["-o", "out.cubin"]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
            writer.write(case, done.stdout + done.stderr)


def run_nvjitlink(path, version, writer):
    library = ctypes.CDLL(path)
    suffix = version.replace(".", "_")

    def function(name):
        # The header renames each function to __NAME_MAJOR_MINOR.
        return getattr(library, f"__{name}_{suffix}")

    def log_of(handle, which):
        size = ctypes.c_size_t()
        function(f"nvJitLinkGet{which}LogSize")(handle, ctypes.byref(size))
        text = ctypes.create_string_buffer(size.value + 1)
        function(f"nvJitLinkGet{which}Log")(handle, text)
        return text.value.decode()

    ptx_input = 2
    for case, (ptx, target, options) in PTX_CASES.items():
        if target == "nonsense":
            continue
        flags = [f"-arch={target}", "-verbose"]
        flags += [o.replace("--maxrregcount", "-maxrregcount") for o in options]
        array = (ctypes.c_char_p * len(flags))(*[f.encode() for f in flags])
        handle = ctypes.c_void_p()
        function("nvJitLinkCreate")(ctypes.byref(handle), len(flags), array)
        data = ptx.encode() + b"\0"
        if not function("nvJitLinkAddData")(
            handle, ptx_input, data, ctypes.c_size_t(len(data)), f"{case}.ptx".encode()
        ):
            function("nvJitLinkComplete")(handle)
        writer.write(case, log_of(handle, "Info") + "\n" + log_of(handle, "Error"))
        function("nvJitLinkDestroy")(ctypes.byref(handle))


def run_nvrtc(path, writer):
    library = ctypes.CDLL(path)
    for case, (source, options) in CUDA_CASES.items():
        program = ctypes.c_void_p()
        name = f"dir/{case}.cu".encode()
        library.nvrtcCreateProgram(ctypes.byref(program), source.encode(), name, 0, None, None)
        options = [*options, "--ptxas-options=-v"]
        array = (ctypes.c_char_p * len(options))(*[o.encode() for o in options])
        library.nvrtcCompileProgram(program, len(options), array)
        size = ctypes.c_size_t()
        library.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        text = ctypes.create_string_buffer(size.value + 1)
        library.nvrtcGetProgramLog(program, text)
        writer.write(case, text.value.decode())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--name", required=True, help="the toolkit's version, as in 13.5")
    parser.add_argument("--ptxas", help="path of ptxas")
    parser.add_argument("--nvlink", help="path of nvlink; needs --ptxas")
    parser.add_argument("--nvjitlink", help="path of libnvJitLink.so")
    parser.add_argument("--nvrtc", help="path of libnvrtc.so")
    options = parser.parse_args()
    if options.ptxas:
        run_ptxas(options.ptxas, Writer("ptxas", options.name))
    if options.nvlink:
        run_nvlink(options.ptxas, options.nvlink, Writer("nvlink", options.name))
    if options.nvjitlink:
        run_nvjitlink(options.nvjitlink, options.name, Writer("nvjitlink", options.name))
    if options.nvrtc:
        run_nvrtc(options.nvrtc, Writer("nvrtc", options.name))


if __name__ == "__main__":
    main()
