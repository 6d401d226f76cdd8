// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include <string>

#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "tests/proto/outer.pb.h"

namespace warpyard::tests {
namespace {

TEST(CcProtoTest, WireFormatRoundTrips) {
  Outer outer;
  outer.add_inner()->set_value(-7);
  (*outer.mutable_images())["sm_90a"] = std::string("\0\x7f", 2);
  Outer read;
  ASSERT_TRUE(read.ParseFromString(outer.SerializeAsString()));
  ASSERT_EQ(read.inner_size(), 1);
  EXPECT_EQ(read.inner(0).value(), -7);
  EXPECT_EQ(read.images().at("sm_90a"), std::string("\0\x7f", 2));
}

TEST(CcProtoTest, MessagesThatComeWithProtobuf) {
  Outer outer;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString("made { seconds: 90 }", &outer));
  EXPECT_EQ(outer.made().seconds(), 90);
}

TEST(CcProtoTest, TextFormatIsLinked) {
  Outer outer;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString("inner { value: 3 }", &outer));
  EXPECT_EQ(outer.inner(0).value(), 3);
  EXPECT_FALSE(google::protobuf::TextFormat::ParseFromString("inner { nothing: 3 }", &outer));
}

}  // namespace
}  // namespace warpyard::tests
