#!/usr/bin/env python3
"""Checks that each link in a folder of HTML pages has its file and its anchor.

usage: check-links.py FOLDER
"""

import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = set(), set()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.anchors |= {attributes[name] for name in ("id", "name") if attributes.get(name)}
        self.links |= {attributes[name] for name in ("href", "src") if attributes.get(name)}


def find_broken(folder):
    pages = {path: Page(path) for path in sorted(folder.rglob("*.html"))}
    for path, page in pages.items():
        for link in sorted(page.links):
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc or path.name == "404.html":
                continue
            target = (path.parent / urllib.parse.unquote(url.path)).resolve() if url.path else path
            if not target.exists():
                yield f"{path.relative_to(folder)}: {link} does not exist"
            elif url.fragment and target in pages and urllib.parse.unquote(url.fragment) not in pages[target].anchors:
                yield f"{path.relative_to(folder)}: {link} has no such anchor"


if len(sys.argv) != 2:
    sys.exit(__doc__)
broken = list(find_broken(pathlib.Path(sys.argv[1]).resolve()))
print(*broken, sep="\n")
sys.exit(bool(broken))
