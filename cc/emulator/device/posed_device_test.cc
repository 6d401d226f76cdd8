// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/device/posed_device.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace warpyard::emulator {
namespace {

absl::StatusOr<std::vector<PosedDevice>> Parse(const std::string& text) {
  return ParseEmulate(text, SpecDatabase::Embedded());
}

std::vector<std::string> Names(const std::vector<PosedDevice>& devices) {
  std::vector<std::string> names;
  for (const PosedDevice& device : devices) names.push_back(device.spec->name);
  return names;
}

TEST(ParseEmulateTest, ReadsNamesAndCounts) {
  EXPECT_EQ(Names(*Parse("")), std::vector<std::string>({"h100"}));
  EXPECT_EQ(Names(*Parse("b200*3")), std::vector<std::string>({"b200", "b200", "b200"}));
  EXPECT_EQ(Names(*Parse(" H100 , b200 * 2")), std::vector<std::string>({"h100", "b200", "b200"}));
  EXPECT_TRUE(Parse("none")->empty());
}

TEST(ParseEmulateTest, RefusesWhatIsNoDevice) {
  EXPECT_EQ(Parse("h1000").status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(Parse("h100,").status().code(), absl::StatusCode::kNotFound);
  for (const char* text : {"h100*0", "h100*", "h100*-1", "h100*x", "h100*65", "h100*2*2",
                           "h100*60,b200*5", "h100*99999999999"}) {
    EXPECT_EQ(Parse(text).status().code(), absl::StatusCode::kInvalidArgument) << text;
  }
}

TEST(ParseEmulateTest, DevicesDiffer) {
  const std::vector<PosedDevice> devices = *Parse("b200*2,h100");
  EXPECT_EQ(devices[0].PciBusId(), "0000:01:00.0");
  EXPECT_EQ(devices[1].PciBusId(), "0000:02:00.0");
  EXPECT_NE(devices[0].uuid, devices[1].uuid);
  EXPECT_NE(devices[0].UuidText(), devices[2].UuidText());
  EXPECT_TRUE(absl::StartsWith(devices[0].UuidText(), "GPU-77617270-7961-7264-"));
  EXPECT_EQ(devices[0].UuidText().size(), 40);
  EXPECT_EQ((*Parse("b200*2,h100"))[1].uuid, devices[1].uuid);
}

TEST(SelectVisibleTest, KeepsOrderAndStopsAtTheFirstUnknown) {
  const std::vector<PosedDevice> devices = *Parse("h100,b200,l4");
  EXPECT_EQ(Names(SelectVisible(devices, "2,0")), std::vector<std::string>({"l4", "h100"}));
  EXPECT_EQ(SelectVisible(devices, "2,0")[1].ordinal, 1);
  EXPECT_EQ(Names(SelectVisible(devices, "1,7,0")), std::vector<std::string>({"b200"}));
  EXPECT_TRUE(SelectVisible(devices, "-1").empty());
  EXPECT_TRUE(SelectVisible(devices, "").empty());
  EXPECT_TRUE(SelectVisible(devices, "1,1").empty());
  EXPECT_EQ(Names(SelectVisible(devices, devices[1].UuidText())),
            std::vector<std::string>({"b200"}));
  EXPECT_TRUE(SelectVisible(devices, "GPU-7761").empty());  // all three begin so
}

}  // namespace
}  // namespace warpyard::emulator
