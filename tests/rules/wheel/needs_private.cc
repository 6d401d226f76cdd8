// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Looks like an extension module to auditwheel, and needs private_library.cc.

extern "C" int TestsPrivate();

extern "C" int PyInit_needs_private() { return TestsPrivate(); }
