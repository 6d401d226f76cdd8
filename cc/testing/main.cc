// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The main function of GoogleTest programs that say what they need.

#include "cc/testing/requires.h"
#include "gmock/gmock.h"

int main(int argc, char** argv) {
  ::testing::InitGoogleMock(&argc, argv);
  return warpyard::testing::RunAllTests();
}
