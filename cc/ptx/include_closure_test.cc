// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/include_closure.h"

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "cc/base/file.h"
#include "cc/ptx/include_options.h"
#include "gtest/gtest.h"

namespace warpyard::ptx {
namespace {

// "<a.h> "b.h" ?" for a system header, a quoted one and a computed one.
std::string Found(std::string_view source) {
  std::vector<std::string> words;
  std::string text;
  for (const IncludeDirective& directive : FindIncludes(source)) {
    if (!text.empty()) text += " ";
    text += directive.computed ? "?"
            : directive.quoted ? absl::StrCat("\"", directive.name, "\"")
                               : absl::StrCat("<", directive.name, ">");
    if (directive.next) text += "+";
  }
  return text;
}

TEST(FindIncludesTest, PlainForms) {
  EXPECT_EQ(Found("#include <a.h>\n#include \"b/c.h\"\n"), "<a.h> \"b/c.h\"");
  EXPECT_EQ(Found("  #  include<a.h>"), "<a.h>");
  EXPECT_EQ(Found("int x;\n\t#include \"a.h\" // why\n"), "\"a.h\"");
  EXPECT_EQ(Found("#import \"a.h\"\n#embed <data.bin>\n#include_next <n.h>"),
            "<n.h>+ \"a.h\" <data.bin>");
  EXPECT_EQ(Found(""), "");
}

TEST(FindIncludesTest, OddSpellingsThatACompilerTakes) {
  EXPECT_EQ(Found("#inc\\\nlude <a.h>"), "<a.h>");
  EXPECT_EQ(Found("#\\\r\ninclude <a.h>"), "<a.h>");
  EXPECT_EQ(Found("/* x */ # /* y */ include /* z */ <a.h>"), "<a.h>");
  EXPECT_EQ(Found("/* a\n b */ #include <a.h>"), "<a.h>");
  EXPECT_EQ(Found("%:include <a.h>"), "<a.h>");
  EXPECT_EQ(Found("#if 0\n#include <a.h>\n#endif"), "<a.h>");  // needless, but safe
}

TEST(FindIncludesTest, QuestionsCount) {
  EXPECT_EQ(Found("#if __has_include(<a.h>)"), "<a.h>");
  EXPECT_EQ(Found("#if defined(__has_include) && __has_include (\"a.h\")"), "\"a.h\"");
  EXPECT_EQ(Found("#if __has_include(NAME)"), "?");
}

TEST(FindIncludesTest, MacrosAreComputed) {
  EXPECT_EQ(Found("#include NAME"), "?");
  EXPECT_EQ(Found("#include"), "?");
  EXPECT_EQ(Found("#include <a.h\n>"), "?");
}

TEST(FindIncludesTest, WordsAlone) {
  EXPECT_EQ(Found("int include = 3; // # include NAME\nauto x = \"#include\";"), "");
  EXPECT_EQ(Found("/* Please #include it */"), "");
  EXPECT_EQ(Found("#define includes 3"), "");
  EXPECT_EQ(Found("int my_include; #include"), "");
}

class IncludeClosureTest : public testing::Test {
 protected:
  IncludeClosureTest() {
    root_ = absl::StrCat(testing::TempDir(), "/include_closure_test.",
                         testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(root_);
    for (const char* folder : {"a", "b", "toolkit"}) {
      EXPECT_TRUE(MakeFolders(absl::StrCat(root_, "/", folder)).ok());
    }
    search_.include_dirs = {root_ + "/a", root_ + "/b"};
    search_.toolkit_dirs = {root_ + "/toolkit"};
  }

  void Write(const std::string& name, const std::string& text) {
    const std::string path = absl::StrCat(root_, "/", name);
    ASSERT_TRUE(MakeFolders(std::filesystem::path(path).parent_path().string()).ok());
    ASSERT_TRUE(WriteFileAtomically(path, text).ok());
  }

  std::string Digest(const std::string& source) {
    return closure_.Digest(source, "k.cu", search_).value();
  }

  std::string root_;
  IncludeSearch search_;
  IncludeClosure closure_;
};

TEST_F(IncludeClosureTest, NothingIncludedIsNoDigest) {
  EXPECT_EQ(Digest("int x;"), "");
  EXPECT_EQ(Digest("#include <nothere.h>\n"), "");
}

TEST_F(IncludeClosureTest, AnEditedHeaderIsSeenAtOnce) {
  Write("a/x.h", "1");
  const std::string before = Digest("#include \"x.h\"");
  EXPECT_NE(before, "");
  EXPECT_EQ(Digest("#include \"x.h\""), before);
  Write("a/x.h", "2");  // of the same size, within the same second
  const std::string after = Digest("#include \"x.h\"");
  EXPECT_NE(after, before);
  Write("a/x.h", "1");
  EXPECT_EQ(Digest("#include \"x.h\""), before);
}

TEST_F(IncludeClosureTest, AnEditInPlaceIsSeen) {
  Write("a/x.h", "1");
  const auto old = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  std::filesystem::last_write_time(root_ + "/a/x.h", old);
  const std::string before = Digest("#include \"x.h\"");
  {
    // Same file, same size, and its time set back: only the inode's time tells.
    FILE* file = fopen((root_ + "/a/x.h").c_str(), "r+");
    ASSERT_NE(file, nullptr);
    fputc('2', file);
    fclose(file);
    std::filesystem::last_write_time(root_ + "/a/x.h", old);
  }
  EXPECT_NE(Digest("#include \"x.h\""), before);
}

TEST_F(IncludeClosureTest, FollowsHeadersOfHeaders) {
  Write("a/x.h", "#include \"sub/y.h\"");
  Write("a/sub/y.h", "#include \"z.h\"");  // beside y.h
  Write("a/sub/z.h", "1");
  const std::string before = Digest("#include <x.h>");
  Write("a/sub/z.h", "2");
  EXPECT_NE(Digest("#include <x.h>"), before);
}

TEST_F(IncludeClosureTest, AHeaderThatAppearsEarlierInTheSearchIsSeen) {
  Write("b/x.h", "1");
  const std::string before = Digest("#include <x.h>");
  Write("a/x.h", "1");
  EXPECT_NE(Digest("#include <x.h>"), before);
}

TEST_F(IncludeClosureTest, AHeaderThatAppearsIsSeen) {
  Write("b/y.h", "");
  const std::string source = "#include <y.h>\n#if __has_include(<x.h>)\n#include <x.h>\n#endif";
  const std::string before = Digest(source);
  Write("b/x.h", "1");
  const std::string with = Digest(source);
  EXPECT_NE(with, before);
  ASSERT_TRUE(RemoveFile(root_ + "/b/x.h").ok());
  EXPECT_EQ(Digest(source), before);
}

TEST_F(IncludeClosureTest, TheToolkitIsKnownByItsVersion) {
  Write("toolkit/cuda_fp16.h", "1");
  EXPECT_EQ(Digest("#include <cuda_fp16.h>"), "");
}

TEST_F(IncludeClosureTest, AUsersHeaderMayShadowOneThatTheToolkitIncludes) {
  Write("toolkit/cuda_fp16.h", "#include <nv/target>");
  Write("toolkit/nv/target", "");
  EXPECT_EQ(Digest("#include <cuda_fp16.h>"), "");
  Write("b/nv/target", "1");
  const std::string shadowed = Digest("#include <cuda_fp16.h>");
  EXPECT_NE(shadowed, "");
  Write("b/nv/target", "2");
  EXPECT_NE(Digest("#include <cuda_fp16.h>"), shadowed);
}

TEST_F(IncludeClosureTest, ComputedNamesCannotBeCached) {
  EXPECT_EQ(closure_.Digest("#include NAME", "k.cu", search_).status().code(),
            absl::StatusCode::kFailedPrecondition);
  Write("a/x.h", "#include NAME");
  EXPECT_FALSE(closure_.Digest("#include <x.h>", "k.cu", search_).ok());
  // The toolkit's own are the toolkit's business.
  Write("toolkit/t.h", "#include NAME");
  EXPECT_TRUE(closure_.Digest("#include <t.h>", "k.cu", search_).ok());
}

TEST_F(IncludeClosureTest, EndsWhereHeadersIncludeEachOther) {
  Write("a/x.h", "#include \"y.h\"");
  Write("a/y.h", "#include \"x.h\"\n#include \"../a/y.h\"");
  EXPECT_NE(Digest("#include <x.h>"), "");
}

TEST_F(IncludeClosureTest, NextMeansAnyLaterFolder) {
  Write("a/x.h", "#include_next <x.h>");
  Write("b/x.h", "1");
  const std::string before = Digest("#include <x.h>");
  Write("b/x.h", "2");
  EXPECT_NE(Digest("#include <x.h>"), before);
}

TEST_F(IncludeClosureTest, HeadersIncludedByAnOptionCount) {
  Write("a/pre.h", "1");
  search_.pre_includes = {"pre.h"};
  const std::string before = Digest("int x;");
  EXPECT_NE(before, "");
  Write("a/pre.h", "2");
  EXPECT_NE(Digest("int x;"), before);
}

TEST_F(IncludeClosureTest, QuotesLookBesideTheSourceFirst) {
  Write("here/x.h", "1");
  const std::string name = root_ + "/here/k.cu";
  const std::string before = closure_.Digest("#include \"x.h\"", name, search_).value();
  EXPECT_NE(before, "");
  Write("here/x.h", "2");
  EXPECT_NE(closure_.Digest("#include \"x.h\"", name, search_).value(), before);
}

TEST(IncludeOptionsTest, ReadsFoldersAndHeadersOutOfExtraOptions) {
  CompileOptions options;
  options.include_dirs = {"first"};
  options.extra = {
      "-Iglued",           "-I",       "apart", "--include-path=equals", "-include", "p.h",
      "--pre-include=q.h", "-lineinfo"};
  ToolPaths tools;
  tools.cuda_include = "/cuda/include";
  const IncludeSearch search = IncludeSearchOf(options, tools).value();
  EXPECT_EQ(search.include_dirs, (std::vector<std::string>{"first", "glued", "apart", "equals"}));
  EXPECT_EQ(search.pre_includes, (std::vector<std::string>{"p.h", "q.h"}));
  EXPECT_EQ(search.toolkit_dirs, (std::vector<std::string>{"/cuda/include"}));
}

TEST(IncludeOptionsTest, OptionFilesAndPrecompiledHeadersCannotBeCached) {
  for (const char* option :
       {"-optf=x", "--options-file", "--pch", "--use-pch=x", "-create-pch=x"}) {
    CompileOptions options;
    options.extra = {option};
    EXPECT_FALSE(IncludeSearchOf(options, ToolPaths()).has_value()) << option;
  }
}

}  // namespace
}  // namespace warpyard::ptx
