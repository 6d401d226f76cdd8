// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/collectives/acquisition_simulator.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <random>
#include <set>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace warpyard::collectives {
namespace {

class Simulation {
 public:
  Simulation(const RankPrograms& programs, const Schedule& schedule)
      : schedule_(schedule), random_(schedule.seed) {
    for (const auto& [device, calls] : programs) ranks_.emplace(device, Rank{&calls});
  }

  SimulationResult Run() {
    for (auto& [device, rank] : ranks_) ready_.push_back(device);
    std::sort(ready_.begin(), ready_.end());  // the hash map's order must not matter
    while (result_.outcome == SimulationResult::Outcome::kCompleted) {
      if (ready_.empty() && !Fail()) break;
      if (ready_.empty()) continue;
      std::swap(ready_[std::uniform_int_distribution<size_t>(0, ready_.size() - 1)(random_)],
                ready_.back());
      const GlobalDeviceId device = ready_.back();
      ready_.pop_back();
      Turn(device);
    }
    if (result_.outcome == SimulationResult::Outcome::kCompleted) ReportWaiting();
    return std::move(result_);
  }

 private:
  struct Rank {
    const std::vector<SimulatedCall>* calls;
    size_t next = 0;
    bool waiting = false;
    bool stopped = false;       // died, or ended with an error
    GlobalDeviceId cause = -1;  // whose death, where stopped
  };
  struct Meeting {
    uint64_t agreement;
    std::vector<GlobalDeviceId> arrived;
  };

  void Turn(GlobalDeviceId device) {
    Rank& rank = ranks_.at(device);
    if (rank.stopped || rank.next == rank.calls->size()) return;
    if (schedule_.death_probability > 0 &&
        std::bernoulli_distribution(schedule_.death_probability)(random_)) {
      result_.died.push_back(device);
      Stop(device, device);
      return;
    }
    const SimulatedCall& call = (*rank.calls)[rank.next];
    const auto [entry, first] = meetings_.try_emplace(call.channel, Meeting{call.agreement, {}});
    Meeting& meeting = entry->second;
    if (!first && meeting.agreement != call.agreement) {
      result_.outcome = SimulationResult::Outcome::kMismatch;
      const Rank& other = ranks_.at(meeting.arrived.front());
      result_.explanation =
          absl::StrCat("rank ", device, " calls ", call.what, ", but rank ",
                       meeting.arrived.front(), " calls ", (*other.calls)[other.next].what);
      return;
    }
    meeting.arrived.push_back(device);
    rank.waiting = true;
    if (meeting.arrived.size() < call.participants->size()) return;
    const std::vector<GlobalDeviceId> met = std::move(meeting.arrived);
    meetings_.erase(entry);
    for (const GlobalDeviceId member : met) {
      Rank& other = ranks_.at(member);
      other.waiting = false;
      ++other.next;
      ready_.push_back(member);
    }
  }

  void Stop(GlobalDeviceId device, GlobalDeviceId cause) {
    Rank& rank = ranks_.at(device);
    rank.stopped = true;
    rank.cause = cause;
    stopped_.push_back(device);
  }

  // Ends with an error who waits for a rank that has stopped. False if nobody does.
  bool Fail() {
    if (stopped_.empty()) return false;
    std::vector<std::pair<GlobalDeviceId, GlobalDeviceId>> failed;
    for (const auto& [device, rank] : ranks_) {
      if (!rank.waiting || rank.stopped) continue;
      for (const GlobalDeviceId other : *(*rank.calls)[rank.next].participants) {
        const auto found = ranks_.find(other);
        if (found == ranks_.end() || !found->second.stopped) continue;
        failed.emplace_back(device, found->second.cause);
        break;
      }
    }
    for (const auto& [device, cause] : failed) {
      ranks_.at(device).waiting = false;
      meetings_.erase((*ranks_.at(device).calls)[ranks_.at(device).next].channel);
      result_.errors[device] = cause;
      Stop(device, cause);
    }
    return !failed.empty();
  }

  void ReportWaiting() {
    std::map<GlobalDeviceId, std::string> lines;
    for (const auto& [device, rank] : ranks_) {
      if (!rank.waiting || rank.stopped) continue;
      const SimulatedCall& call = (*rank.calls)[rank.next];
      std::vector<GlobalDeviceId> missing;
      for (const GlobalDeviceId other : *call.participants) {
        const auto found = ranks_.find(other);
        const bool there = found != ranks_.end() && found->second.waiting &&
                           (*found->second.calls)[found->second.next].channel == call.channel;
        if (!there) missing.push_back(other);
      }
      lines[device] = absl::StrCat("rank ", device, " in ", call.what, " waits for {",
                                   absl::StrJoin(missing, ","), "}");
    }
    if (lines.empty()) return;
    result_.outcome = SimulationResult::Outcome::kDeadlock;
    result_.explanation = absl::StrJoin(
        lines, "\n", [](std::string* out, const auto& line) { absl::StrAppend(out, line.second); });
  }

  const Schedule& schedule_;
  std::mt19937_64 random_;
  absl::flat_hash_map<GlobalDeviceId, Rank> ranks_;
  std::vector<GlobalDeviceId> ready_;
  std::vector<GlobalDeviceId> stopped_;
  absl::flat_hash_map<uint64_t, Meeting> meetings_;
  SimulationResult result_;
};

uint64_t Mix(uint64_t a, uint64_t b) {
  // The finaliser of SplitMix64.
  uint64_t x = a * 0x9e3779b97f4a7c15 + b;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// What `facts` has without one of its parts, in the order of size of the part.
std::vector<AcquisitionFacts> Smaller(const AcquisitionFacts& facts) {
  std::vector<AcquisitionFacts> smaller;
  std::set<GlobalDeviceId> devices;
  for (size_t i = 0; i < facts.requests.size(); ++i) {
    AcquisitionFacts without = facts;
    without.requests.erase(without.requests.begin() + i);
    smaller.push_back(std::move(without));
    for (const auto& group : facts.requests[i].groups) devices.insert(group.begin(), group.end());
  }
  for (size_t i = 0; i < facts.held.size(); ++i) {
    AcquisitionFacts without = facts;
    without.held.erase(without.held.begin() + i);
    smaller.push_back(std::move(without));
  }
  for (const GlobalDeviceId device : devices) {
    AcquisitionFacts without = facts;
    for (CliqueRequest& request : without.requests) {
      for (auto& group : request.groups) std::erase(group, device);
      std::erase_if(request.groups, [](const auto& group) { return group.empty(); });
    }
    std::erase_if(without.requests, [](const auto& request) { return request.groups.empty(); });
    std::erase_if(without.held,
                  [device](const HeldClique& held) { return held.key.Rank(device).has_value(); });
    smaller.push_back(std::move(without));
  }
  for (size_t i = 0; i < facts.held.size(); ++i) {
    for (size_t h = 0; h < facts.held[i].holders.size(); ++h) {
      AcquisitionFacts without = facts;
      without.held[i].holders.erase(without.held[i].holders.begin() + h);
      smaller.push_back(std::move(without));
    }
  }
  return smaller;
}

}  // namespace

RankPrograms ProgramsOf(const AcquisitionPlan& plan) {
  RankPrograms programs;
  for (const AcquisitionStep& step : plan.steps) {
    if (!step.Waits()) {
      for (const GlobalDeviceId device : step.participants) programs[device];
      continue;
    }
    SimulatedCall call;
    // A new communicator is met at through its key; one that exists, through itself.
    call.channel =
        Mix(static_cast<uint64_t>(step.kind),
            step.kind == AcquisitionStep::Kind::kCreate ? step.key.Fingerprint() : step.instance);
    call.agreement = step.instance;
    for (const AcquisitionStep::Child& child : step.children) {
      call.agreement = Mix(Mix(call.agreement, child.key.Fingerprint()), child.instance);
    }
    call.participants = std::make_shared<const std::vector<GlobalDeviceId>>(step.participants);
    call.what = step.participants.size() <= 16
                    ? step.ToString()
                    : absl::StrCat(step.Name(), " of ", step.participants.size(), " ranks");
    for (const GlobalDeviceId device : step.participants) programs[device].push_back(call);
  }
  return programs;
}

SimulationResult Simulate(const RankPrograms& programs, const Schedule& schedule) {
  return Simulation(programs, schedule).Run();
}

std::string CheckPlan(const AcquisitionFacts& facts, const AcquisitionPlan& plan) {
  std::map<std::pair<GlobalDeviceId, InstanceId>, CliqueKey> holds;
  for (const HeldClique& held : facts.held) {
    for (const GlobalDeviceId device : held.holders) {
      holds.insert_or_assign({device, held.instance}, held.key);
    }
  }
  std::map<std::pair<GlobalDeviceId, CliqueKey>, InstanceId> acquired;
  for (const AcquisitionStep& step : plan.steps) {
    for (const GlobalDeviceId device : step.participants) {
      const auto held = holds.find({device, step.instance});
      const bool needs_it = step.kind != AcquisitionStep::Kind::kCreate;
      if (needs_it && (held == holds.end() || held->second != step.key)) {
        return absl::StrCat("rank ", device, " does not hold what it should ", step.ToString());
      }
      if (step.kind == AcquisitionStep::Kind::kAbandon) {
        holds.erase(held);
      } else if (step.kind == AcquisitionStep::Kind::kSplit) {
        for (const AcquisitionStep::Child& child : step.children) {
          if (!child.key.Rank(device).has_value()) continue;
          holds.insert_or_assign({device, child.instance}, child.key);
          acquired[{device, child.key}] = child.instance;
        }
      } else if (step.kind != AcquisitionStep::Kind::kBarrier) {
        holds.insert_or_assign({device, step.instance}, step.key);
        acquired[{device, step.key}] = step.instance;
      }
    }
  }
  for (const CliqueRequest& request : facts.requests) {
    for (const auto& group : request.groups) {
      std::optional<InstanceId> instance;
      for (const GlobalDeviceId device : group) {
        std::optional<InstanceId> own;
        for (const auto& [place, found] : acquired) {
          if (place.first == device && place.second.devices() == group &&
              place.second.kind() == request.kind) {
            own = found;
          }
        }
        if (!own.has_value()) {
          return absl::StrCat("rank ", device, " has no clique {", absl::StrJoin(group, ","), "}");
        }
        if (instance.has_value() && instance != own) {
          return absl::StrCat("rank ", device, " has #", *own, " of {", absl::StrJoin(group, ","),
                              "}, another member has #", *instance);
        }
        instance = own;
      }
    }
  }
  return "";
}

AcquisitionFacts SmallestCounterexample(AcquisitionFacts facts,
                                        const std::function<bool(const AcquisitionFacts&)>& fails) {
  for (bool changed = true; changed;) {
    changed = false;
    for (AcquisitionFacts& smaller : Smaller(facts)) {
      if (!fails(smaller)) continue;
      facts = std::move(smaller);
      changed = true;
      break;
    }
  }
  return facts;
}

std::string FactsToString(const AcquisitionFacts& facts) {
  std::string text;
  for (const CliqueRequest& request : facts.requests) {
    absl::StrAppend(&text, "request ", request.id, ": ",
                    absl::StrJoin(request.groups, " ",
                                  [](std::string* out, const auto& group) {
                                    absl::StrAppend(out, "{", absl::StrJoin(group, ","), "}");
                                  }),
                    "\n");
  }
  for (const HeldClique& held : facts.held) {
    absl::StrAppend(&text, "held #", held.instance, " {", absl::StrJoin(held.key.devices(), ","),
                    "} by {", absl::StrJoin(held.holders, ","), "}\n");
  }
  return text;
}

}  // namespace warpyard::collectives
