// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The text of an index map: IndexMap::ToString. For the files of this folder alone.

#ifndef WARPYARD_CC_SYMBOLIC_INDEX_MAP_TEXT_H_
#define WARPYARD_CC_SYMBOLIC_INDEX_MAP_TEXT_H_

#include <string>

namespace warpyard::symbolic {

class IndexMap;

std::string IndexMapToString(const IndexMap& map);

}  // namespace warpyard::symbolic

#endif  // WARPYARD_CC_SYMBOLIC_INDEX_MAP_TEXT_H_
