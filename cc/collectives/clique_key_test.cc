// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/collectives/clique_key.h"

#include <vector>

#include "absl/hash/hash_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::collectives {
namespace {

using ::testing::ElementsAre;

CliqueKey Key(std::vector<GlobalDeviceId> devices, std::vector<Incarnation> incarnations = {},
              CommunicationKind kind = CommunicationKind::kCollective) {
  auto key = CliqueKey::Create(std::move(devices), 0, kind, std::move(incarnations));
  EXPECT_TRUE(key.ok()) << key.status();
  return *key;
}

TEST(CliqueKeyTest, Prints) {
  EXPECT_EQ(CliqueKey::Create({0, 1}, 2)->ToString(),
            "devices=2:[0,1]; local_participants=2; communication_id=0; incarnations=[]");
  EXPECT_EQ(CliqueKey::Create({3, 1}, 1, CommunicationKind::kPointToPoint, {7, 9})->ToString(),
            "devices=2:[3,1]; local_participants=1; communication_id=1; incarnations=[7,9]");
}

TEST(CliqueKeyTest, RefusesWhatIsNone) {
  EXPECT_FALSE(CliqueKey::Create({}, 0).ok());
  EXPECT_FALSE(CliqueKey::Create({1, 1}, 0).ok());
  EXPECT_FALSE(CliqueKey::Create({1, 2}, 3).ok());
  EXPECT_FALSE(CliqueKey::Create({1, 2}, -1).ok());
  EXPECT_FALSE(CliqueKey::Create({1, 2}, 0, CommunicationKind::kCollective, {1}).ok());
}

TEST(CliqueKeyTest, RanksFollowTheOrder) {
  EXPECT_EQ(Key({5, 3}).Rank(3), 1);
  EXPECT_EQ(Key({5, 3}).Rank(4), std::nullopt);
  EXPECT_NE(Key({5, 3}), Key({3, 5}));
}

TEST(CliqueKeyTest, LocalParticipantsAreNoPartOfIdentity) {
  EXPECT_EQ(*CliqueKey::Create({0, 1}, 1), *CliqueKey::Create({0, 1}, 2));
}

TEST(CliqueKeyTest, SubsetsShareKindAndIncarnations) {
  const auto p2p = CommunicationKind::kPointToPoint;
  EXPECT_TRUE(Key({2, 0}).IsSubsetOf(Key({0, 1, 2})));
  EXPECT_TRUE(Key({0, 1}).IsSubsetOf(Key({1, 0})));
  EXPECT_FALSE(Key({0, 3}).IsSubsetOf(Key({0, 1, 2})));
  EXPECT_FALSE(Key({0, 1, 2}).IsSubsetOf(Key({0, 1})));
  EXPECT_FALSE(Key({0}, {}, p2p).IsSubsetOf(Key({0, 1})));
  EXPECT_TRUE(Key({1}, {8}).IsSubsetOf(Key({0, 1}, {7, 8})));
  EXPECT_FALSE(Key({1}, {7}).IsSubsetOf(Key({0, 1}, {7, 8})));
  EXPECT_FALSE(Key({1}).IsSubsetOf(Key({0, 1}, {7, 8})));
}

TEST(CliqueKeyTest, RootsAreSpreadEvenly) {
  const CliqueKey key = Key({10, 11, 12, 13, 14, 15, 16});
  EXPECT_THAT(*key.Roots(1), ElementsAre(10));
  EXPECT_THAT(*key.Roots(2), ElementsAre(10, 14));
  EXPECT_THAT(*key.Roots(3), ElementsAre(10, 13, 15));
  EXPECT_THAT(*key.Roots(7), ElementsAre(10, 11, 12, 13, 14, 15, 16));
  EXPECT_FALSE(key.Roots(0).ok());
  EXPECT_FALSE(key.Roots(8).ok());
}

TEST(CliqueKeyTest, FingerprintIsStable) {
  EXPECT_EQ(Key({0, 1}).Fingerprint(), CliqueKey::Create({0, 1}, 2)->Fingerprint());
  EXPECT_NE(Key({0, 1}).Fingerprint(), Key({1, 0}).Fingerprint());
  // Lists are told apart by their lengths, not by their concatenation.
  EXPECT_NE(Key({0, 1}, {2, 3}).Fingerprint(), Key({0, 1, 2, 3}).Fingerprint());
}

TEST(CliqueKeyTest, OrderEqualityAndHashAgree) {
  const std::vector<CliqueKey> keys = {Key({0}),
                                       Key({0, 1}),
                                       Key({1, 0}),
                                       Key({0, 1}, {1, 1}),
                                       Key({0, 1}, {1, 2}),
                                       Key({0}, {}, CommunicationKind::kPointToPoint)};
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly(keys));
  for (const CliqueKey& a : keys) {
    for (const CliqueKey& b : keys) {
      EXPECT_EQ(a == b, &a == &b);
      EXPECT_EQ(a<b, b> a);
    }
  }
}

}  // namespace
}  // namespace warpyard::collectives
