// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Every function of NVIDIA's header that the emulated driver does not have, and
// the forms of functions with a default stream per thread. Both are generated
// from the header (generate_functions.py), so that a client finds all symbols.

#include "cc/emulator/driver/api.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

#include "cc/emulator/driver/functions_per_thread.inc"
#include "cc/emulator/driver/functions_stubs.inc"
