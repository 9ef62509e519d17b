//===- JSON.h - JSON that others wrote ------------------------------------===//

#ifndef NPU_SUPPORT_JSON_H
#define NPU_SUPPORT_JSON_H

#include "llvm/Support/JSON.h"

#include <optional>

namespace npu {

/// LLVM's parser and what walks its values call themselves for every level of brackets.
constexpr unsigned kMaxJSONNesting = 100;

/// Parses a text, unless its brackets are nested deeper than that or a string has a zero in it,
/// with which names of files end: `expected JSON: ...`.
llvm::Expected<llvm::json::Value> parseJSON(llvm::StringRef text,
                                            unsigned maxNesting = kMaxJSONNesting);

/// Fails where a file with `text` would be refused by what reads it here, whatever reads it: too
/// long, nested too deep. Who writes such files asks before.
llvm::Error checkReadableJSON(llvm::StringRef text);

/// Of the members of an object that are none of `known` the first by name; nothing if there are
/// none. The name lives as long as the object.
std::optional<llvm::StringRef> findOtherMember(const llvm::json::Object &object,
                                               llvm::ArrayRef<llvm::StringRef> known);

} // namespace npu

#endif // NPU_SUPPORT_JSON_H
