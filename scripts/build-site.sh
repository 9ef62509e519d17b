#!/usr/bin/env bash
# Builds the documents as a site in build/site, and checks their links, spelling and language.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
install_missing codespell mkdocs mkdocs-material

codespell
# Pages that the build generates say what the sources say.
mapfile -t pages < <(git ls-files README.md CONTRIBUTING.md SECURITY.md 'docs/*.md' |
  grep -v -e ^docs/reference/ -e ^docs/isa.md -e ^docs/Supported)
python3 scripts/site/check-language.py "${pages[@]}"
mkdocs build --strict --quiet
python3 scripts/site/check-links.py build/site
