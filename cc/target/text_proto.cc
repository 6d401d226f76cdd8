// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/target/text_proto.h"

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/message.h"
#include "google/protobuf/text_format.h"

namespace warpyard {
namespace {

class FirstError : public google::protobuf::io::ErrorCollector {
 public:
  explicit FirstError(std::string_view name) : name_(name) {}

  void RecordError(int line, google::protobuf::io::ColumnNumber column,
                   absl::string_view message) override {
    // The parser counts from 0; later errors mostly follow from the first.
    if (text_.empty()) text_ = absl::StrCat(name_, ":", line + 1, ":", column + 1, ": ", message);
  }

  const std::string& text() const { return text_; }

 private:
  std::string_view name_;
  std::string text_;
};

}  // namespace

absl::Status ParseTextProtoInto(std::string_view name, std::string_view text,
                                google::protobuf::Message* message) {
  FirstError error(name);
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&error);
  if (parser.ParseFromString(text, message)) return absl::OkStatus();
  return absl::InvalidArgumentError(error.text().empty() ? absl::StrCat(name, ": not a text proto")
                                                         : error.text());
}

}  // namespace warpyard
