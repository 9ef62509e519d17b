//===- TokenEditor.h - edits of MLIR text, token by token ------------------===//

#ifndef NPU_LIB_TARGET_IREE_TOKENEDITOR_H
#define NPU_LIB_TARGET_IREE_TOKENEDITOR_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace npu::iree {

/// The tokens of a text and a copy of it in which some of them are replaced, from front to back.
/// A token is a word with its sigil (`%a`, `@f`, `#hal.pipeline.layout`, `4x8xf32`), a string, or
/// punctuation (`->`, `=>` and the like are one token). Comments are not tokens.
class TokenEditor {
public:
  TokenEditor(llvm::StringRef text, llvm::StringRef fileName);

  size_t size() const { return tokens.size(); }
  /// The text of token `index`; empty past the end.
  llvm::StringRef operator[](size_t index) const {
    return index < tokens.size() ? tokens[index] : llvm::StringRef();
  }
  bool is(size_t index, llvm::StringRef text) const { return (*this)[index] == text; }

  /// The text from token `begin` to before token `end`, without the space around it.
  llvm::StringRef getText(size_t begin, size_t end) const;

  /// What stands between token `index` and the next: space and comments.
  llvm::StringRef getGap(size_t index) const {
    return {tokens[index].end(), size_t(getBegin(index + 1) - tokens[index].end())};
  }

  /// The index after the bracket that closes the one at `index`, or the number of tokens.
  size_t skipBrackets(size_t index) const;

  /// The index after the attribute that starts at `index`.
  size_t skipAttribute(size_t index) const;

  /// Replaces the tokens from `begin` to before `end`. Ignored if they are not there or precede an
  /// earlier edit.
  void replace(size_t begin, size_t end, const llvm::Twine &replacement);
  void insertBefore(size_t index, const llvm::Twine &text) { replace(index, index, text); }

  /// The edited text.
  std::string take();

  /// An error at token `index`.
  llvm::Error makeError(size_t index, const llvm::Twine &message) const;

private:
  const char *getBegin(size_t index) const {
    return index < tokens.size() ? tokens[index].begin() : text.end();
  }

  llvm::StringRef text, fileName;
  std::vector<llvm::StringRef> tokens;
  const char *copied;
  std::string result;
};

} // namespace npu::iree

#endif // NPU_LIB_TARGET_IREE_TOKENEDITOR_H
