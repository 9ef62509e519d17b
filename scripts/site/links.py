"""A hook of mkdocs: files of this repository that the documents link become files of the site.

A link to what has no page, such as a folder, leaves its text.
"""

import os
import re

from mkdocs.structure.files import File

LINK = re.compile(r"\[([^\]]*)\]\(([^):#]+)(#[^)]*)?\)")


def get_root(config):
    return os.path.dirname(config["config_file_path"])


def find_outside(config):
    """Files outside of the documents that these link to, from the root of the repository."""
    root, docs = get_root(config), config["docs_dir"]
    found = set()
    for folder, _, names in os.walk(docs):
        for name in filter(lambda name: name.endswith(".md"), names):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                links = [os.path.join(folder, path) for _, path, _ in LINK.findall(file.read())]
            found |= {os.path.relpath(path, root) for path in links
                      if os.path.isfile(path) and os.path.relpath(path, docs).startswith("..")}
    return found - {"README.md"}  # whose text the first page has


def on_files(files, config):
    for path in sorted(find_outside(config)):
        files.append(File(path, get_root(config), config["site_dir"], config["use_directory_urls"]))
    return files


def on_page_markdown(markdown, page, config, files):
    root, source = get_root(config), page.file.abs_src_path

    def replace(match):
        text, path, anchor = match.groups()
        target = os.path.relpath(os.path.normpath(os.path.join(os.path.dirname(source), path)), root)
        if not os.path.exists(os.path.join(root, target)):
            return match[0]  # no link to a file, or a broken one, which mkdocs reports
        file = files.get_file_from_path(target.removeprefix("docs/"))
        if target == "README.md" or not file:
            return text
        return f"[{text}]({os.path.relpath(file.src_path, os.path.dirname(page.file.src_path))}{anchor or ''})"

    return LINK.sub(replace, markdown)
