#!/usr/bin/env bash
# Fails when a C++ file is not formatted as .clang-format says, or longer than 800 lines.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mapfile -t files < <(git ls-files '*.cpp' '*.h')
clang-format-22 --dry-run --Werror "${files[@]}"
status=0
while read -r lines file; do
  if [ "$lines" -gt 800 ]; then
    echo "$file has $lines lines; split it" >&2
    status=1
  fi
done < <(wc -l $(git ls-files include lib tools unittests cmake | grep -E '\.(cpp|h|td|cmake|txt)$') | grep -v ' total$')
exit $status
