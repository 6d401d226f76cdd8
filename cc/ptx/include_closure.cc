// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/include_closure.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/time/clock.h"

namespace warpyard::ptx {
namespace {

constexpr int64_t kMaxHeaderBytes = int64_t{64} << 20;
constexpr size_t kMaxFiles = 20000;
// File systems tell times in steps, of up to two seconds: within a step an edit
// may leave no trace.
constexpr absl::Duration kTimeStep = absl::Seconds(2);

bool IsIdentifier(char letter) {
  return absl::ascii_isalnum(static_cast<unsigned char>(letter)) || letter == '_';
}

// Where blanks and comments end that begin at `at`.
size_t SkipBlanks(std::string_view text, size_t at) {
  while (at < text.size()) {
    if (text[at] == ' ' || text[at] == '\t' || text[at] == '\v' || text[at] == '\f') {
      ++at;
    } else if (absl::StartsWith(text.substr(at), "/*")) {
      const size_t end = text.find("*/", at + 2);
      if (end == text.npos) return text.size();
      at = end + 2;
    } else {
      break;
    }
  }
  return at;
}

// Whether the word at `at` is what a directive begins with: the line has only
// blanks and comments before it, and a '#' (or "%:", the same).
bool FollowsHash(std::string_view text, size_t at) {
  const auto skip_back = [&](size_t from) {
    while (from > 0) {
      const char letter = text[from - 1];
      if (letter == ' ' || letter == '\t' || letter == '\v' || letter == '\f') {
        --from;
      } else if (from >= 2 && text.substr(from - 2, 2) == "*/") {
        const size_t open = text.rfind("/*", from - 2);
        if (open == text.npos) return size_t{0};
        from = open;
      } else {
        break;
      }
    }
    return from;
  };
  size_t before = skip_back(at);
  if (before >= 1 && text[before - 1] == '#') {
    before -= 1;
  } else if (before >= 2 && text.substr(before - 2, 2) == "%:") {
    before -= 2;
  } else {
    return false;
  }
  before = skip_back(before);
  return before == 0 || text[before - 1] == '\n' || text[before - 1] == '\r';
}

// What is named at `at`, after the word.
IncludeDirective ReadName(std::string_view text, size_t at) {
  IncludeDirective directive;
  const char close = at < text.size() && text[at] == '"'   ? '"'
                     : at < text.size() && text[at] == '<' ? '>'
                                                           : '\0';
  const size_t end = close == '\0' ? text.npos : text.find(close, at + 1);
  if (end == text.npos || text.substr(at, end - at).find('\n') != text.npos) {
    directive.computed = true;
    return directive;
  }
  directive.name = std::string(text.substr(at + 1, end - at - 1));
  directive.quoted = close == '"';
  return directive;
}

struct Resolved {
  std::string path;
  FileInfo info;
  bool in_toolkit = false;
};

// The file that the directive names, or all of that name where it is one of the
// later ones; none when it is missing.
std::vector<Resolved> Resolve(const IncludeDirective& directive, const std::string& folder,
                              bool from_toolkit, const IncludeSearch& search) {
  std::vector<Resolved> files;
  const auto look_in = [&](const std::string& dir, bool in_toolkit) {
    if (!files.empty() && !directive.next) return;
    std::string path = (std::filesystem::path(dir) / directive.name).string();
    const absl::StatusOr<FileInfo> info = StatFile(path);
    if (info.ok() && !info->is_folder) files.push_back({std::move(path), *info, in_toolkit});
  };
  if (directive.quoted) look_in(folder, from_toolkit);
  for (const std::string& dir : search.include_dirs) look_in(dir, false);
  for (const std::string& dir : search.toolkit_dirs) look_in(dir, true);
  return files;
}

// Paths that spell the same file in other ways ("a/../a/x.h") count once, unless
// a symbolic link makes them differ.
std::string Identity(const Resolved& file) {
  return absl::StrCat(file.info.device, " ", file.info.inode, " ",
                      std::filesystem::path(file.path).lexically_normal().string());
}

std::string FolderOf(const std::string& path) {
  return std::filesystem::path(path).parent_path().string();
}

}  // namespace

std::vector<IncludeDirective> FindIncludes(std::string_view source) {
  static constexpr std::string_view kDirectives[] = {"include", "include_next", "import", "embed"};
  static constexpr std::string_view kTests[] = {"__has_include", "__has_include_next",
                                                "__has_embed"};
  std::vector<IncludeDirective> found;
  // A backslash at the end of a line joins it with the next one.
  std::string joined;
  if (absl::StrContains(source, "\\\n") || absl::StrContains(source, "\\\r\n")) {
    joined = absl::StrReplaceAll(source, {{"\\\r\n", ""}, {"\\\n", ""}});
    source = joined;
  }
  // Both kinds of word hold one of these.
  for (const std::string_view part :
       {std::string_view("include"), std::string_view("import"), std::string_view("embed")}) {
    for (size_t at = source.find(part); at != source.npos; at = source.find(part, at + 1)) {
      size_t begin = at;
      while (begin > 0 && IsIdentifier(source[begin - 1])) --begin;
      size_t end = at;
      while (end < source.size() && IsIdentifier(source[end])) ++end;
      const std::string_view word = source.substr(begin, end - begin);
      size_t name = SkipBlanks(source, end);
      if (std::find(std::begin(kTests), std::end(kTests), word) != std::end(kTests)) {
        if (name >= source.size() || source[name] != '(') continue;  // defined(__has_include)
        name = SkipBlanks(source, name + 1);
      } else if (std::find(std::begin(kDirectives), std::end(kDirectives), word) ==
                     std::end(kDirectives) ||
                 !FollowsHash(source, begin)) {
        continue;
      }
      found.push_back(ReadName(source, name));
      found.back().next = absl::EndsWith(word, "include_next");
    }
  }
  return found;
}

absl::StatusOr<std::shared_ptr<const IncludeClosure::ScannedFile>> IncludeClosure::Scan(
    const std::string& path, const FileInfo& info) {
  {
    absl::MutexLock lock(mutex_);
    const auto known = scanned_.find(path);
    if (known != scanned_.end() && known->second->reliable && known->second->info == info) {
      return known->second;
    }
  }
  const absl::Time now = absl::Now();
  absl::StatusOr<std::string> text = ReadFile(path, kMaxHeaderBytes);
  if (!text.ok()) return text.status();
  auto scanned = std::make_shared<ScannedFile>();
  scanned->info = info;
  scanned->hash = HashBytes(*text);
  scanned->includes = FindIncludes(*text);
  scanned->reliable = std::max(info.modified, info.changed) + kTimeStep < now;
  absl::MutexLock lock(mutex_);
  scanned_.insert_or_assign(path, scanned);
  return scanned;
}

absl::StatusOr<std::string> IncludeClosure::Digest(std::string_view source, const std::string& name,
                                                   const IncludeSearch& search) {
  struct Pending {
    IncludeDirective directive;
    std::string folder;  // of the including file
    bool from_toolkit;   // the including file is the toolkit's
  };
  std::deque<Pending> pending;
  const std::string source_folder = FolderOf(name);
  for (const std::string& pre_include : search.pre_includes) {
    pending.push_back({{.name = pre_include, .quoted = true}, source_folder, false});
  }
  for (IncludeDirective& directive : FindIncludes(source)) {
    pending.push_back({std::move(directive), source_folder, false});
  }

  std::set<std::string> visited;
  // What the digest is of, in the order found, which the texts determine.
  std::string listing;
  while (!pending.empty()) {
    Pending next = std::move(pending.front());
    pending.pop_front();
    if (next.directive.computed) {
      // The toolkit's own computed includes name files of its own.
      if (next.from_toolkit) continue;
      return absl::FailedPreconditionError(
          absl::StrCat("'", name, "' includes a file whose name comes from a macro (in ",
                       next.folder.empty() ? "the source" : next.folder, ")"));
    }
    const std::vector<Resolved> files =
        Resolve(next.directive, next.folder, next.from_toolkit, search);
    if (files.empty() && !next.from_toolkit) {
      absl::StrAppend(&listing, "-", next.directive.name, "\n");
    }
    for (const Resolved& file : files) {
      // Where the user has no folder of headers, the toolkit's include only each other.
      if (file.in_toolkit && search.include_dirs.empty()) continue;
      if (!visited.insert(Identity(file)).second) continue;
      if (visited.size() > kMaxFiles) {
        return absl::FailedPreconditionError(
            absl::StrCat("'", name, "' may include more than ", kMaxFiles, " files"));
      }
      absl::StatusOr<std::shared_ptr<const ScannedFile>> scanned = Scan(file.path, file.info);
      if (!scanned.ok()) {
        return absl::FailedPreconditionError(absl::StrCat(
            "'", name, "' includes a file that cannot be read: ", scanned.status().message()));
      }
      if (!file.in_toolkit) {
        absl::StrAppend(&listing, "+", next.directive.name, " ", file.path, " ",
                        (*scanned)->hash.ToHex(), "\n");
      }
      const std::string folder = FolderOf(file.path);
      for (const IncludeDirective& directive : (*scanned)->includes) {
        pending.push_back({directive, folder, file.in_toolkit});
      }
    }
  }
  if (!absl::StrContains(listing, "+")) return std::string();
  return HashBytes(listing).ToHex();
}

}  // namespace warpyard::ptx
