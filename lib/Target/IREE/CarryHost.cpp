//===- CarryHost.cpp - host programs that are not read, only carried --------===//

#include "NPU/Target/IREE/CarryHost.h"

#include "TokenEditor.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace npu::iree;

namespace {
/// The tokens of an op, from `begin` to before `end`.
struct OpTokens {
  size_t begin, end;
};

class HostCarrier {
public:
  HostCarrier(StringRef text, StringRef fileName) : editor(text, fileName) {}

  std::optional<std::string> run() {
    collectOps(0, editor.size());
    bool hasExecutable =
        any_of(ops, [&](const OpTokens &op) { return editor.is(op.begin, "hal.executable"); });
    if (!hasExecutable ||
        !any_of(ops, [&](const OpTokens &op) { return isHost(op) && isUnknown(op); }))
      return std::nullopt;
    collectAliases();
    for (const OpTokens &op : ops)
      if (isHost(op))
        carry(op);
    return editor.take();
  }

private:
  bool startsLine(size_t index) const {
    return index == 0 || editor.getGap(index - 1).contains('\n');
  }

  /// Collects the ops between two tokens, those of modules instead of the modules. An op begins
  /// with a line and ends before the next line that begins outside of its brackets.
  void collectOps(size_t begin, size_t end) {
    for (size_t i = begin; i < end;) {
      if (editor.is(i, "module") || editor.is(i, "builtin.module")) {
        size_t body = i + 1;
        while (body < end && !editor.is(body, "{"))
          body = editor.skipAttribute(editor.is(body, "attributes") ? body + 1 : body);
        size_t bodyEnd = editor.skipBrackets(body);
        if (bodyEnd > body + 1)
          collectOps(body + 1, bodyEnd - 1);
        i = std::max(bodyEnd, i + 1);
        continue;
      }
      size_t next = i;
      do
        next = StringRef("<([{").contains(editor[next]) ? editor.skipBrackets(next) : next + 1;
      while (next < end && !startsLine(next));
      ops.push_back({i, std::min(next, end)});
      i = next;
    }
  }

  bool isHost(const OpTokens &op) const {
    return is_contained({"util.func", "util.initializer", "func.func"}, editor[op.begin]);
  }

  /// Whether an op of a dialect that has none here stands in `op`.
  bool isUnknown(const OpTokens &op) const {
    return any_of(seq(op.begin, op.end), [&](size_t i) {
      StringRef word = editor[i];
      return (word.starts_with("stream.") || word.starts_with("io_parameters.")) &&
             (startsLine(i) || editor.is(i - 1, "="));
    });
  }

  /// The end of what must be an attribute of the op, since it stands for something outside of its
  /// text: symbols, aliases, and resources with their type. `begin` if it is text.
  size_t getReferenceEnd(size_t begin) const {
    StringRef token = editor[begin];
    size_t end = begin + 1;
    if (token.size() > 1 && token.starts_with("@")) {
      while (editor.is(end, ":") && editor.is(end + 1, ":") && editor[end + 2].starts_with("@"))
        end += 3;
      return end;
    }
    // Not `%results#0`, and not an attribute or type of a dialect.
    bool isAlias = token.size() > 1 && StringRef("#!").contains(token.front()) &&
                   !isDigit(token[1]) && !token.contains('.');
    if (isAlias)
      return end;
    if (token == "dense_resource" && editor.is(end, "<")) {
      size_t type = editor.skipBrackets(end) + 1;
      if (editor.is(type - 1, ":") && editor.is(type + 1, "<"))
        return editor.skipBrackets(type + 1);
    }
    return begin;
  }

  bool isLocation(size_t index) const {
    return editor.is(index, "loc") && editor.is(index + 1, "(");
  }

  /// The end of the op's text, before its own location.
  size_t getTextEnd(const OpTokens &op) const {
    for (size_t i = op.begin; i < op.end;) {
      size_t end = StringRef("<([{").contains(editor[i]) ? editor.skipBrackets(i) : i + 1;
      if (isLocation(i) && editor.skipBrackets(i + 1) >= op.end)
        return i;
      i = end;
    }
    return op.end;
  }

  /// Aliases of attributes whose text refers to resources. The reader keeps the text of attributes
  /// that it does not know, and would lose the resources.
  void collectAliases() {
    for (const OpTokens &op : ops)
      if (editor[op.begin].starts_with("#") && editor.is(op.begin + 1, "=") &&
          any_of(seq(op.begin, op.end), [&](size_t i) { return editor.is(i, "dense_resource"); }))
        aliases[editor[op.begin]] = {op.begin + 2, op.end};
  }

  /// Appends the pieces of the tokens from `begin` to before `end` to `pieces` and `text`, which is
  /// the last of them.
  void appendPieces(size_t begin, size_t end, bool expandAliases, std::string &text,
                    raw_ostream &pieces) const {
    for (size_t i = begin, next; i < end; i = next) {
      next = getReferenceEnd(i);
      auto alias = aliases.find(editor[i]);
      if (isLocation(i)) {
        // It may be an alias that is defined at the end of the file, out of an attribute's reach.
        next = editor.skipBrackets(i + 1);
        text.resize(StringRef(text).rtrim(' ').size());
      } else if (expandAliases && alias != aliases.end()) {
        appendPieces(alias->second.begin, alias->second.end, /*expandAliases=*/false, text, pieces);
      } else if (next != i) {
        writeText(text, pieces);
        pieces << ", " << editor.getText(i, next) << ", ";
      } else {
        text += editor[next++].str();
      }
      if (next < end)
        text += editor.getGap(next - 1).str();
    }
  }

  static void writeText(std::string &text, raw_ostream &pieces) {
    pieces << '"';
    printEscapedString(text, pieces);
    pieces << '"';
    text.clear();
  }

  /// Replaces an op by one with a list of its pieces: text, an attribute, text, ..., text.
  void carry(const OpTokens &op) {
    std::string pieces, text;
    raw_string_ostream os(pieces);
    size_t textEnd = getTextEnd(op);
    appendPieces(op.begin, textEnd, /*expandAliases=*/true, text, os);
    writeText(text, os);
    // What follows stays on its line.
    size_t numLines = editor.getText(op.begin, textEnd).count('\n');
    editor.replace(op.begin, textEnd,
                   "\"util.carried\"() {pieces = [" + pieces + "]} : () -> ()" +
                       std::string(numLines, '\n'));
  }

  TokenEditor editor;
  std::vector<OpTokens> ops;
  StringMap<OpTokens> aliases;
};
} // namespace

std::optional<std::string> npu::iree::carryHost(MemoryBufferRef buffer) {
  StringRef text = buffer.getBuffer();
  bool isBytecode = text.starts_with("ML\xEFR");
  if (isBytecode || !text.contains("hal.executable") ||
      (!text.contains("stream.") && !text.contains("io_parameters.")))
    return std::nullopt;
  return HostCarrier(text, buffer.getBufferIdentifier()).run();
}
