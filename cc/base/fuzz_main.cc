// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Runs a libFuzzer target without libFuzzer, as an ordinary test:
//
//   TARGET_TEST [--rounds=N] FILE...
//
// hands LLVMFuzzerTestOneInput nothing, each file, cuts of it, and N mutations
// of each file. All is derived from the input's bytes, so that a failure can be
// repeated. What finds more than a crash is a sanitizer: --config=asan, ubsan.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"
#include "cc/base/file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

constexpr int64_t kMaxSeedBytes = 16 << 20;
// Where formats break: around powers of two and signs.
constexpr uint64_t kInteresting[] = {0,
                                     1,
                                     7,
                                     8,
                                     0x7f,
                                     0x80,
                                     0xff,
                                     0x100,
                                     0x7fff,
                                     0x8000,
                                     0xffff,
                                     0x10000,
                                     0x7fffffff,
                                     0x80000000,
                                     0xfffffff0,
                                     0xffffffff,
                                     0x100000000,
                                     0x7fffffffffffffff,
                                     0x8000000000000000,
                                     0xffffffffffffff00,
                                     0xffffffffffffffff};

using Random = std::mt19937_64;

size_t Below(Random& random, size_t bound) { return bound == 0 ? 0 : random() % bound; }

// A block of exactly the input's size, so that a sanitizer sees every step
// beyond its end.
void RunOne(const std::string& input) {
  auto copy = std::make_unique<uint8_t[]>(std::max<size_t>(input.size(), 1));
  std::memcpy(copy.get(), input.data(), input.size());
  LLVMFuzzerTestOneInput(copy.get(), input.size());
}

void Mutate(Random& random, const std::vector<std::string>& seeds, std::string& bytes) {
  if (bytes.empty()) {
    bytes.push_back(static_cast<char>(random()));
    return;
  }
  const size_t at = Below(random, bytes.size());
  switch (random() % 8) {
    case 0:
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << (random() % 8)));
      break;
    case 1:
      bytes[at] = static_cast<char>(random());
      break;
    case 2:
    case 3: {  // an integer of 1, 2, 4 or 8 bytes
      const size_t size = std::min<size_t>(size_t{1} << (random() % 4), bytes.size() - at);
      const uint64_t value = kInteresting[Below(random, std::size(kInteresting))];
      std::memcpy(&bytes[at], &value, size);
      break;
    }
    case 4: {  // take a piece out
      bytes.erase(at, 1 + Below(random, 64));
      break;
    }
    case 5: {  // repeat a piece
      const std::string piece = bytes.substr(at, 1 + Below(random, 64));
      bytes.insert(Below(random, bytes.size()), piece);
      break;
    }
    case 6: {  // a piece of another seed
      const std::string& other = seeds[Below(random, seeds.size())];
      if (other.empty()) break;
      const std::string piece = other.substr(Below(random, other.size()), 1 + Below(random, 128));
      const size_t size = std::min(piece.size(), bytes.size() - at);
      std::memcpy(&bytes[at], piece.data(), size);
      break;
    }
    default: {  // one byte more or less
      bytes[at] = static_cast<char>(bytes[at] + (random() % 2 == 0 ? 1 : -1));
      break;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  int rounds = 20000;
  std::vector<std::string> seeds;
  for (int i = 1; i < argc; ++i) {
    std::string_view argument = argv[i];
    if (absl::ConsumePrefix(&argument, "--rounds=")) {
      if (!absl::SimpleAtoi(argument, &rounds)) {
        std::fprintf(stderr, "not a number: %s\n", argv[i]);
        return 2;
      }
      continue;
    }
    absl::StatusOr<std::string> seed = warpyard::ReadFile(argv[i], kMaxSeedBytes);
    if (!seed.ok()) {
      std::fprintf(stderr, "%s\n", seed.status().ToString().c_str());
      return 2;
    }
    seeds.push_back(*std::move(seed));
  }
  if (seeds.empty()) {
    std::fprintf(stderr, "no seeds: name at least one file\n");
    return 2;
  }
  int64_t runs = 1;
  RunOne("");
  for (size_t index = 0; index < seeds.size(); ++index) {
    const std::string& seed = seeds[index];
    RunOne(seed);
    const size_t step = seed.size() / 512 + 1;
    for (size_t length = 0; length < seed.size(); length += step, ++runs) {
      RunOne(seed.substr(0, length));
    }
    Random random(index);
    for (int round = 0; round < rounds; ++round, ++runs) {
      std::string bytes = seed;
      const size_t steps = 1 + Below(random, 8);
      for (size_t i = 0; i < steps; ++i) Mutate(random, seeds, bytes);
      RunOne(bytes);
    }
  }
  std::printf("%lld inputs from %zu seeds\n", static_cast<long long>(runs), seeds.size());
  return 0;
}
