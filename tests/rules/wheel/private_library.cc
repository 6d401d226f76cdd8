// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// A shared library that nothing installs.

extern "C" int TestsPrivate() { return 1; }
