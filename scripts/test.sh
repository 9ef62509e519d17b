#!/usr/bin/env bash
# Installs what is missing, builds, and runs every test.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
install_missing "${build_packages[@]}" "${test_packages[@]}"
build
ctest --test-dir build -j "$(nproc)" --output-on-failure --no-tests=error "$@" || {
  code=$?
  # The summary of ctest names the folders of lit's tests; this names the tests, where they are seen.
  grep -hE '^  NPU :: ' build/Testing/Temporary/LastTest.log >&2 || true
  exit "$code"
}
