# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""What is generated from a header that is small enough to see through."""

from __future__ import annotations

import unittest

import generate_functions

HEADER = """
#define cuAlloc cuAlloc_v2
#define cuCopy __CUDA_API_PTDS(cuCopy_v2)
#define cuRun __CUDA_API_PTSZ(cuRun)
/* CUresult CUDAAPI cuCommented(int a); */
CUresult CUDAAPI cuInit(unsigned int Flags);
CUresult CUDAAPI cuAlloc(CUdeviceptr *dptr, size_t bytesize);
CUresult CUDAAPI cuCopy(CUdeviceptr dst,
                        const void *src); // two lines
CUresult CUDAAPI cuRun(CUfunction f, void **extra, unsigned char key[16]);
CUresult CUDAAPI cuSync(void);
#if defined(__CUDA_API_VERSION_INTERNAL)
#undef cuAlloc
#undef cuCopy
CUresult CUDAAPI cuAlloc(CUdeviceptr_v1 *dptr, unsigned int bytesize);
CUresult CUDAAPI cuCopy_v2(CUdeviceptr dst, const void *src);
CUresult CUDAAPI cuRun(CUfunction f, void **extra, unsigned char key[16]);
#endif
"""

TYPEDEFS = """
typedef CUresult (CUDAAPI *PFN_cuInit_v2000)(unsigned int Flags);
typedef CUresult (CUDAAPI *PFN_cuAlloc_v3020)(CUdeviceptr *dptr, size_t bytesize);
typedef CUresult (CUDAAPI *PFN_cuAlloc_v2000)(CUdeviceptr_v1 *dptr, unsigned int bytesize);
typedef CUresult (CUDAAPI *PFN_cuCopy_v7000_ptds)(CUdeviceptr dst, const void *src);
typedef CUresult (CUDAAPI *PFN_cuCopy_v3020)(CUdeviceptr dst, const void *src);
typedef CUresult (CUDAAPI *PFN_cuCopy_v2000)(CUdeviceptr_v1 dst, const void *src);
"""


class GenerateFunctionsTest(unittest.TestCase):
    """Each kind of output."""

    def setUp(self) -> None:
        self.functions = generate_functions.declarations(HEADER)

    def test_symbols(self) -> None:
        self.assertEqual(
            {f.symbol for f in self.functions},
            {
                "cuInit",
                "cuAlloc_v2",
                "cuCopy_v2_ptds",
                "cuRun_ptsz",
                "cuSync",
                "cuAlloc",
                "cuCopy_v2",
                "cuRun",
            },
        )

    def test_parameters(self) -> None:
        by_symbol = {f.symbol: f for f in self.functions}
        self.assertEqual(by_symbol["cuAlloc_v2"].parameters, "CUdeviceptr *dptr, size_t bytesize")
        self.assertEqual(by_symbol["cuRun"].names(), ["f", "extra", "key"])
        self.assertEqual(by_symbol["cuSync"].names(), [])

    def test_table(self) -> None:
        self.assertEqual(
            generate_functions.table(TYPEDEFS, {f.symbol for f in self.functions}),
            [
                'WARPYARD_DRIVER_FUNCTION("cuAlloc", 2000, cuAlloc, false)',
                'WARPYARD_DRIVER_FUNCTION("cuAlloc", 3020, cuAlloc_v2, false)',
                # The header does not declare the old form of cuCopy.
                'WARPYARD_DRIVER_FUNCTION("cuCopy", 3020, cuCopy_v2, false)',
                'WARPYARD_DRIVER_FUNCTION("cuCopy", 7000, cuCopy_v2_ptds, true)',
                'WARPYARD_DRIVER_FUNCTION("cuInit", 2000, cuInit, false)',
            ],
        )

    def test_stubs_and_forms_per_thread(self) -> None:
        stubs = generate_functions.stubs(self.functions)
        self.assertEqual(len(stubs), 6)
        self.assertTrue(all("__attribute__((weak))" in line for line in stubs))
        forms = generate_functions.per_thread(self.functions)
        self.assertEqual(len(forms), 2)
        self.assertIn("return cuCopy_v2(dst, src);", forms[0])
        self.assertIn("return cuRun(f, extra, key);", forms[1])


if __name__ == "__main__":
    unittest.main()
