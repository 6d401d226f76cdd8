// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// How the program that loaded the emulated driver controls it, beyond what
// CUDA's interface has: which GPUs it poses as, and what it has to report.
//
// The library exports these as C functions; cc/driver/driver_table.h finds them.
//   int warpyardControlVersion()          1; that it is there tells this driver
//                                         from NVIDIA's
//   int warpyardSetDevices(const char*)   before cuInit, instead of
//                                         $WARPYARD_EMULATE; reports then go to
//                                         warpyardTakeReports alone
//   size_t warpyardTakeReports(char* buffer, size_t size)
//                                         reports since the last call, a line
//                                         each; gives the bytes needed with the
//                                         closing NUL, copies at most `size`, and
//                                         forgets them where all fitted

#ifndef WARPYARD_CC_EMULATOR_DRIVER_CONTROL_H_
#define WARPYARD_CC_EMULATOR_DRIVER_CONTROL_H_

#include <optional>
#include <string>
#include <string_view>

namespace warpyard::emulator::driver {

// What warpyardSetDevices was given; nullopt: the environment says it.
std::optional<std::string> ControlledDevices();

// Keeps a report for warpyardTakeReports; the oldest are dropped beyond some
// thousands. Returns whether it should go to stderr too.
bool KeepReport(std::string_view line);

}  // namespace warpyard::emulator::driver

#endif  // WARPYARD_CC_EMULATOR_DRIVER_CONTROL_H_
