//===- ReportPage.cpp - the page of --report --------------------------------===//
//
// Report.html, with Report.css, Report.js and the data in it. Names from models are nowhere but in
// the data, where no character means anything to HTML; the script shows them as text.
//
//===----------------------------------------------------------------------===//

#include "NPU/RunReport/ReportFiles.h"

#include "mlir/Support/LLVM.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

#include "Report.inc"

/// JSON in which `<`, `>` and `&`, which are in strings only, are spelled as \u....
static std::string escape(StringRef text) {
  std::string result;
  for (char c : text)
    if (c == '<' || c == '>' || c == '&')
      result += llvm::formatv("\\u{0:X-4}", unsigned(c)).str();
    else
      result += c;
  return result;
}

std::string npu::runtime::makeReportPage(const llvm::json::Value &data) {
  std::string page;
  StringRef rest = pageHTML;
  auto replace = [&](StringRef placeholder, StringRef contents) {
    auto [before, after] = rest.split(placeholder);
    page += before;
    page += contents;
    rest = after;
  };
  replace("/*style*/", pageCSS);
  replace("/*data*/", escape(llvm::formatv("{0}", data).str()));
  replace("/*script*/", pageJS);
  page += rest;
  return page;
}
