#!/usr/bin/env python3
"""Finds constructions in prose that native readers stumble over.

usage: check-language.py FILE.md...
Code blocks and tables are left out. Each construction has an example of what to write instead.
"""

import re
import sys

BEGIN = r"^(?:[-*] |\d+\. )?"
CONSTRUCTIONS = {
    BEGIN + r"What (?!if |to |happens|is |are |does |do )[^?]*$":
        "a clause as subject: not 'What does not fit is split', but 'Kernels that do not fit are split'",
    BEGIN + r"(?:Of (?!course|those)|As (?!long|soon|far|well|a |an |in |the |its |their ))[^,]{3,80}, ":
        "a phrase with 'of' or 'as' in front: not 'Of two schedules, the faster is taken', but 'The faster schedule wins'",
    BEGIN + r"(?:Those (?:that|of|who|which)|That (?:what|which)) ":
        "a clause as subject: name the thing",
    r"\b(?:is|are|was|were) (?:told|said) (?!to\b)(?!\w+ that\b)":
        "a passive of 'tell' or 'say': not 'how it is split is told below', but 'the section below describes the split'",
    r", as (?!well|if|long|soon|far|though|described|shown|expected|usual|before|above)(?:[\w-]+ ){1,3}(?:is|are|has|have), ":
        "'as' for 'like' or 'such as'",
    r"\bstands? in (?:one|a|the) (?:place|file)\b": "not 'stands in one place', but 'is defined in one place'",
    r"\bas ever\b": "not 'as ever', but 'as usual'",
}


def find(path):
    is_code = False
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.lstrip().startswith("```"):
                is_code = not is_code
            if is_code or line.startswith("|"):
                continue
            for construction, advice in CONSTRUCTIONS.items():
                match = re.search(construction, line.strip())
                if match:
                    yield f"{path}:{number}: '{match[0][:60]}': {advice}"


if len(sys.argv) == 1:
    sys.exit(__doc__)
found = [message for path in sys.argv[1:] for message in find(path)]
print(*found, sep="\n")
sys.exit(bool(found))
