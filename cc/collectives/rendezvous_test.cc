// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/collectives/rendezvous.h"

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::collectives {
namespace {

using ::testing::HasSubstr;

// One thread for each rank.
void OnRanks(int64_t ranks, const std::function<void(int64_t rank)>& body) {
  std::vector<std::thread> threads;
  for (int64_t rank = 0; rank < ranks; ++rank) threads.emplace_back(body, rank);
  for (std::thread& thread : threads) thread.join();
}

absl::StatusOr<std::string> Concatenate(absl::Span<const std::string* const> values) {
  std::string all;
  for (const std::string* value : values) absl::StrAppend(&all, *value, ";");
  return all;
}

TEST(RendezvousTest, AllGetOneResultInRankOrder) {
  RendezvousTable table;
  std::vector<std::shared_ptr<const std::string>> results(8);
  OnRanks(8, [&](int64_t rank) {
    auto result = Meet<std::string>(table, {.name = "x", .rank = rank, .participants = 8},
                                    absl::StrCat("r", rank), Concatenate);
    ASSERT_TRUE(result.ok()) << result.status();
    results[rank] = *result;
  });
  EXPECT_EQ(*results[0], "r0;r1;r2;r3;r4;r5;r6;r7;");
  for (const auto& result : results) EXPECT_EQ(result, results[0]) << "one object for all";
}

// The next meeting of a name must not mix with the last, however late a thread
// of the last one wakes.
TEST(RendezvousTest, ANameIsUsedAgainAndAgain) {
  RendezvousTable table;
  OnRanks(4, [&](int64_t rank) {
    for (int64_t round = 0; round < 500; ++round) {
      auto sum = Meet<int64_t>(table, {.name = "again", .rank = rank, .participants = 4},
                               round * 10 + rank, [](absl::Span<const int64_t* const> values) {
                                 int64_t total = 0;
                                 for (const int64_t* value : values) total += *value;
                                 return absl::StatusOr<int64_t>(total);
                               });
      ASSERT_TRUE(sum.ok()) << sum.status();
      ASSERT_EQ(**sum, round * 40 + 6);
    }
  });
}

TEST(RendezvousTest, ResultsMayOnlyMove) {
  RendezvousTable table;
  auto result = Meet<std::unique_ptr<int>>(
      table, {.name = "alone"}, 5, [](absl::Span<const int* const> values) {
        return absl::StatusOr<std::unique_ptr<int>>(std::make_unique<int>(*values[0]));
      });
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(***result, 5);
}

TEST(RendezvousTest, AnErrorReachesAll) {
  RendezvousTable table;
  std::atomic<int> failed{0};
  OnRanks(4, [&](int64_t rank) {
    auto result = Meet<int>(table, {.name = "bad", .rank = rank, .participants = 4}, 0,
                            [](absl::Span<const int* const>) -> absl::StatusOr<int> {
                              return absl::UnavailableError("no network");
                            });
    if (result.status() == absl::UnavailableError("no network")) ++failed;
  });
  EXPECT_EQ(failed, 4);
}

TEST(RendezvousTest, ATimeOutNamesWhoIsMissing) {
  RendezvousTable table;
  std::atomic<int> failed{0};
  OnRanks(4, [&](int64_t rank) {
    if (rank % 2 == 1) return;
    const absl::Status status =
        Meet(table,
             {.name = "late", .rank = rank, .participants = 4, .timeout = absl::Milliseconds(50)});
    EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded);
    EXPECT_THAT(std::string(status.message()), HasSubstr("waited 50ms for {1,3} of 4 ranks"));
    ++failed;
  });
  EXPECT_EQ(failed, 2);
  // Rank 1 comes after all: it does not wait for those who have left.
  const absl::Status late = Meet(table, {.name = "late", .rank = 1, .participants = 4});
  EXPECT_EQ(late.code(), absl::StatusCode::kDeadlineExceeded);
}

TEST(RendezvousTest, DisagreementEndsTheMeetingForAll) {
  RendezvousTable table;
  OnRanks(2, [&](int64_t rank) {
    const absl::Status status = Meet(table, {.name = "x", .rank = rank, .participants = 2 + rank});
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr("participants, others"));
  });
  EXPECT_FALSE(Meet(table, {.name = "x", .rank = 2, .participants = 3}).ok());
}

TEST(RendezvousTest, TwoOfOneRankAreAnErrorForAll) {
  RendezvousTable table;
  std::atomic<int> refused{0};
  OnRanks(2, [&](int64_t) {
    const absl::Status status = Meet(table, {.name = "x", .rank = 0, .participants = 2});
    if (absl::StrContains(status.message(), "rank 0 has come twice")) ++refused;
  });
  EXPECT_EQ(refused, 2);
}

TEST(RendezvousTest, AbortReachesWaitersAndLaterComers) {
  RendezvousTable table;
  const absl::Status reason = absl::AbortedError("rank 2 died");
  std::thread waiting(
      [&] { EXPECT_EQ(Meet(table, {.name = "x", .rank = 0, .participants = 2}), reason); });
  absl::SleepFor(absl::Milliseconds(20));
  table.Abort(reason);
  waiting.join();
  EXPECT_EQ(Meet(table, {.name = "y", .rank = 0, .participants = 2}), reason);
}

TEST(RendezvousTest, RefusesImpossibleRanks) {
  RendezvousTable table;
  EXPECT_FALSE(Meet(table, {.name = "x", .rank = 2, .participants = 2}).ok());
  EXPECT_FALSE(Meet(table, {.name = "x", .rank = -1, .participants = 2}).ok());
  EXPECT_FALSE(Meet(table, {.name = "x", .rank = 0, .participants = 0}).ok());
}

TEST(MeetOnceTest, LaterRunsDoNotWait) {
  RendezvousTable table;
  MeetOnce once[2];
  OnRanks(2, [&](int64_t rank) {
    EXPECT_TRUE(once[rank].Meet(table, {.name = "x", .rank = rank, .participants = 2}).ok());
  });
  // Alone: it would wait for ever if it asked.
  EXPECT_TRUE(once[0].Meet(table, {.name = "x", .rank = 0, .participants = 2}).ok());
  EXPECT_TRUE(once[1].met());
}

TEST(MeetOnceTest, AnErrorIsNotRemembered) {
  RendezvousTable table;
  MeetOnce once;
  EXPECT_FALSE(
      once.Meet(table, {.name = "x", .participants = 2, .timeout = absl::ZeroDuration()}).ok());
  EXPECT_FALSE(once.met());
  EXPECT_TRUE(once.Meet(table, {.name = "y", .participants = 1}).ok());
}

}  // namespace
}  // namespace warpyard::collectives
