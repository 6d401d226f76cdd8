// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Attributes as text.

#ifndef WARPYARD_CC_HLO_ATTRIBUTE_PRINTER_H_
#define WARPYARD_CC_HLO_ATTRIBUTE_PRINTER_H_

#include <string>
#include <string_view>

#include "cc/hlo/attribute.h"

namespace warpyard::hlo {

// As XLA writes it. `sign` is what stands before names: "%" or "".
void AppendAttributeValue(const AttributeValue& value, std::string_view sign, std::string* out);

}  // namespace warpyard::hlo

#endif  // WARPYARD_CC_HLO_ATTRIBUTE_PRINTER_H_
