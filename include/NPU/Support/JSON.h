//===- JSON.h - JSON that others wrote ------------------------------------===//

#ifndef NPU_SUPPORT_JSON_H
#define NPU_SUPPORT_JSON_H

#include "llvm/Support/JSON.h"

namespace npu {

/// LLVM's parser and what walks its values call themselves for every level of brackets.
constexpr unsigned kMaxJSONNesting = 100;

/// Parses a text, unless its brackets are nested deeper than that: `expected JSON: ...`.
llvm::Expected<llvm::json::Value> parseJSON(llvm::StringRef text,
                                            unsigned maxNesting = kMaxJSONNesting);

} // namespace npu

#endif // NPU_SUPPORT_JSON_H
