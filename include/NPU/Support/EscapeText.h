//===- EscapeText.h - text of files, where people and programs read it ----===//
//
// Names in a model are anybody's. In a terminal, control characters move the cursor and end lines,
// and characters that turn the direction of writing show a text in another order; a spreadsheet
// computes what looks like a formula. Whatever prints text that comes from a file prints it by one
// of these functions.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_SUPPORT_ESCAPETEXT_H
#define NPU_SUPPORT_ESCAPETEXT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace npu {

/// `text` as one line of printable characters. The others are spelled as in C: `\n`, `\t`, `\r`,
/// `\x1b` (bytes that are no UTF-8 as well), `\u202e`, `\U000e0001`. A backslash stays as it is.
std::string escapeText(llvm::StringRef text);

/// The same, but for line feeds, which stay.
std::string escapeLines(llvm::StringRef text);

/// `text` as a field of a CSV file: one line, in quotes, which are doubled within. An apostrophe
/// stands before what a spreadsheet would take for a formula, as OWASP says: what begins with `=`,
/// `+`, `-` or `@`.
std::string makeCSVField(llvm::StringRef text);

/// JSON that means the same in printable characters: others, which are in strings only, as \u....
std::string escapeJSON(llvm::StringRef json);

/// Escapes everything but line feeds, and passes it on at once; colors are passed on as they are.
class EscapingStream : public llvm::raw_ostream {
public:
  explicit EscapingStream(llvm::raw_ostream &os) : raw_ostream(/*unbuffered=*/true), os(os) {}

  llvm::raw_ostream &changeColor(enum Colors colors, bool isBold, bool isBackground) override;
  llvm::raw_ostream &resetColor() override;
  llvm::raw_ostream &reverseColor() override;
  bool is_displayed() const override { return os.is_displayed(); }
  bool has_colors() const override { return os.has_colors(); }

private:
  void write_impl(const char *data, size_t size) override;
  uint64_t current_pos() const override { return position; }

  llvm::raw_ostream &os;
  uint64_t position = 0;
};

} // namespace npu

#endif // NPU_SUPPORT_ESCAPETEXT_H
