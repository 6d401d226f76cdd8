// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/base/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "cc/base/status_macros.h"

extern char** environ;

namespace warpyard {
namespace {

// Where inherited descriptors begin in the child, after the three standard ones.
constexpr int kFirstInheritedFd = 3;

// How often a child whose streams stay open is asked whether it has ended: one
// that leaves a grandchild behind with its streams would otherwise never be
// noticed. A child that closes its streams (all normal ones) is noticed at once.
constexpr absl::Duration kTick = absl::Milliseconds(50);

// Reads that empty two pipes of Linux's greatest unprivileged size (1 MiB).
constexpr int kMaxFinalReads = 64;

// How much of standard error a time-out's message shows.
constexpr size_t kShownErrorBytes = 2000;

class UniqueFd {
 public:
  explicit UniqueFd(int fd = -1) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~UniqueFd() { Close(); }

  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }
  void Close() {
    if (fd_ >= 0) close(std::exchange(fd_, -1));
  }

 private:
  int fd_;
};

// The end that the parent reads from, and what came through it.
struct Stream {
  UniqueFd fd;
  std::string* text;
};

struct Pipe {
  UniqueFd read_end;
  UniqueFd write_end;
};

absl::StatusOr<Pipe> MakePipe() {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) return absl::ErrnoToStatus(errno, "cannot create a pipe");
  return Pipe{UniqueFd(fds[0]), UniqueFd(fds[1])};
}

// The arguments in the form that exec takes.
std::vector<char*> Pointers(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  pointers.reserve(strings.size() + 1);
  for (const std::string& string : strings) pointers.push_back(const_cast<char*>(string.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

absl::Status Validate(const SubprocessOptions& options) {
  if (options.argv.empty() || options.argv[0].empty()) {
    return absl::InvalidArgumentError("a subprocess needs the path of a program");
  }
  auto has_nul = [](const std::string& s) { return s.find('\0') != std::string::npos; };
  for (const std::string& argument : options.argv) {
    if (has_nul(argument)) {
      return absl::InvalidArgumentError(
          absl::StrCat("an argument of ", options.argv[0], " holds a NUL byte"));
    }
  }
  if (options.environment.has_value()) {
    for (const std::string& variable : *options.environment) {
      if (has_nul(variable)) {
        return absl::InvalidArgumentError("an environment variable holds a NUL byte");
      }
    }
  }
  return absl::OkStatus();
}

// Starts the program; the streams' write ends are the child's alone afterwards.
absl::StatusOr<pid_t> Spawn(const SubprocessOptions& options, int out_fd, int error_fd) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  auto destroy_actions =
      absl::MakeCleanup([&actions] { posix_spawn_file_actions_destroy(&actions); });
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out_fd, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, error_fd, STDERR_FILENO);

  // First moved out of the way, above every target: a descriptor may have a
  // number that is the target of another one.
  std::vector<UniqueFd> moved;
  const int count = static_cast<int>(options.inherited_fds.size());
  for (int i = 0; i < count; ++i) {
    const int fd = fcntl(options.inherited_fds[i], F_DUPFD_CLOEXEC, kFirstInheritedFd + count);
    if (fd < 0) {
      return absl::ErrnoToStatus(
          errno, absl::StrCat("cannot hand descriptor ", options.inherited_fds[i], " to ",
                              options.argv[0]));
    }
    moved.emplace_back(fd);
    posix_spawn_file_actions_adddup2(&actions, fd, kFirstInheritedFd + i);
  }

  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  auto destroy_attributes =
      absl::MakeCleanup([&attributes] { posix_spawnattr_destroy(&attributes); });
  sigset_t none;
  sigemptyset(&none);
  sigset_t all;
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

  std::vector<char*> argv = Pointers(options.argv);
  std::vector<char*> variables;
  if (options.environment.has_value()) variables = Pointers(*options.environment);
  pid_t pid = 0;
  const int error = posix_spawn(&pid, argv[0], &actions, &attributes, argv.data(),
                                options.environment.has_value() ? variables.data() : environ);
  if (error != 0) {
    return absl::ErrnoToStatus(error, absl::StrCat("cannot start ", options.argv[0]));
  }
  return pid;
}

// Reads once from a stream that poll says is ready; closes it at its end.
void ReadSome(Stream& stream, int64_t limit, bool& truncated) {
  char buffer[1 << 16];
  const ssize_t count = read(stream.fd.get(), buffer, sizeof(buffer));
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (count <= 0) {
    stream.fd.Close();
    return;
  }
  const int64_t room = std::max<int64_t>(0, limit - static_cast<int64_t>(stream.text->size()));
  const size_t kept = static_cast<size_t>(std::min<int64_t>(count, room));
  stream.text->append(buffer, kept);
  truncated |= kept < static_cast<size_t>(count);
}

// Whether the child has ended; `wait_status` is filled when it has.
absl::StatusOr<bool> HasEnded(pid_t pid, int flags, int& wait_status) {
  for (;;) {
    const pid_t found = waitpid(pid, &wait_status, flags);
    if (found == pid) return true;
    if (found == 0) return false;
    if (errno != EINTR) {
      return absl::ErrnoToStatus(
          errno, "cannot wait for a subprocess (is SIGCHLD ignored in this process?)");
    }
  }
}

std::string Shortened(std::string_view text) {
  if (text.size() <= kShownErrorBytes) return std::string(text);
  return absl::StrCat(text.substr(0, kShownErrorBytes), "...");
}

}  // namespace

std::string SubprocessResult::EndDescription() const {
  if (signal == 0) return absl::StrCat("exit code ", exit_code);
  const char* name = strsignal(signal);
  return absl::StrCat("signal ", signal, " (", name != nullptr ? name : "unknown", ")");
}

absl::StatusOr<SubprocessResult> RunSubprocess(const SubprocessOptions& options) {
  WARPYARD_RETURN_IF_ERROR(Validate(options));
  const absl::Time deadline = absl::Now() + options.time_limit;

  WARPYARD_ASSIGN_OR_RETURN(Pipe out, MakePipe());
  WARPYARD_ASSIGN_OR_RETURN(Pipe error, MakePipe());
  WARPYARD_ASSIGN_OR_RETURN(const pid_t pid,
                            Spawn(options, out.write_end.get(), error.write_end.get()));
  out.write_end.Close();
  error.write_end.Close();

  SubprocessResult result;
  Stream streams[] = {{std::move(out.read_end), &result.standard_output},
                      {std::move(error.read_end), &result.standard_error}};
  auto read_ready = [&](absl::Duration patience) {
    pollfd polled[2];
    Stream* owners[2];
    int count = 0;
    for (Stream& stream : streams) {
      if (!stream.fd.open()) continue;
      owners[count] = &stream;
      polled[count++] = {.fd = stream.fd.get(), .events = POLLIN, .revents = 0};
    }
    const int ready =
        count == 0 ? 0 : poll(polled, count, static_cast<int>(absl::ToInt64Milliseconds(patience)));
    for (int i = 0; ready > 0 && i < count; ++i) {
      if (polled[i].revents != 0) {
        ReadSome(*owners[i], options.max_output_bytes, result.truncated);
      }
    }
    return ready > 0;
  };

  int wait_status = 0;
  bool ended = false;
  bool timed_out = false;
  while (!ended) {
    const bool open = streams[0].fd.open() || streams[1].fd.open();
    const absl::Duration left = deadline - absl::Now();
    if (left <= absl::ZeroDuration()) {
      timed_out = true;
      break;
    }
    // Without a deadline and with both streams closed the child is about to
    // end: wait without polling.
    const bool can_block = !open && options.time_limit == absl::InfiniteDuration();
    if (open) {
      // Rounded up: a poll of 0 ms would spin through the last millisecond.
      if (read_ready(std::min(kTick, left + absl::Milliseconds(1)))) continue;
    }
    WARPYARD_ASSIGN_OR_RETURN(ended, HasEnded(pid, can_block ? 0 : WNOHANG, wait_status));
    if (!ended && !open) absl::SleepFor(std::min(left, absl::Microseconds(200)));
  }

  if (timed_out || streams[0].fd.open() || streams[1].fd.open()) {
    // Whatever it started is in its group, unless it moved away on purpose.
    kill(-pid, SIGKILL);
    if (!ended) {
      WARPYARD_ASSIGN_OR_RETURN(ended, HasEnded(pid, 0, wait_status));
    }
    // What was written before the end is still in the pipes, and no more than
    // they hold: one that escaped from the group may write for ever.
    for (int reads = 0; reads < kMaxFinalReads && read_ready(absl::ZeroDuration()); ++reads) {
    }
  }
  if (timed_out) {
    return absl::DeadlineExceededError(
        absl::StrCat(options.argv[0], " did not end within ",
                     absl::FormatDuration(options.time_limit), " and was killed",
                     result.standard_error.empty()
                         ? std::string()
                         : absl::StrCat("; it had written: ", Shortened(result.standard_error))));
  }
  if (WIFSIGNALED(wait_status)) {
    result.signal = WTERMSIG(wait_status);
  } else {
    result.exit_code = WEXITSTATUS(wait_status);
  }
  return result;
}

}  // namespace warpyard
