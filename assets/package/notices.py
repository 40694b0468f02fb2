#!/usr/bin/env python3
"""Writes what the licences of the crates ask for: their names, authors and licences, and each licence text once.

    notices.py TARGET MANIFEST ...

Counted are the crates that become part of the program, not those that only build or test it.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys

TEXT = re.compile(r"(un)?licen[cs]e|copying|notice", re.IGNORECASE)
HERE = pathlib.Path(__file__).parent


def crates(manifest, target):
    """The packages that the program of a manifest is made of, beside itself."""
    command = ["cargo", "metadata", "--locked", "--format-version", "1"]
    command += ["--manifest-path", manifest, "--filter-platform", target]
    metadata = json.loads(subprocess.check_output(command))
    packages = {package["id"]: package for package in metadata["packages"]}
    needs = {
        node["id"]: [
            needed["pkg"] for needed in node["deps"] if any(kind["kind"] is None for kind in needed["dep_kinds"])
        ]
        for node in metadata["resolve"]["nodes"]
    }
    root = metadata["resolve"]["root"]
    found, left = set(), [root]
    while left:
        package = left.pop()
        if package not in found:
            found.add(package)
            left += needs[package]
    return [packages[package] for package in found - {root}]


def texts(package):
    """The licence texts that a crate comes with."""
    folder = pathlib.Path(package["manifest_path"]).parent
    files = [path for path in folder.iterdir() if path.is_file() and TEXT.match(path.name)]
    if package["license_file"]:
        files.append(folder / package["license_file"])
    return {path.read_text(errors="replace").replace("\r\n", "\n").strip() for path in files}


def main():
    target, *manifests = sys.argv[1:]
    found = {}
    for manifest in manifests:
        for package in crates(manifest, target):
            found[package["name"], package["version"]] = package
    users = collections.defaultdict(list)
    print("The program contains these crates, under the licences named.\n")
    for (name, version), package in sorted(found.items()):
        label = f"{name} {version}"
        print(f"{label}: {package['license'] or 'licence in its text'}")
        own = texts(package)
        for text in own:
            users[text].append(label)
        if not own:
            # The crate holds no text: the usual one, with its authors.
            authors = ", ".join(package["authors"]) or f"the authors of {name}"
            usual = "LICENSE-MIT" if "MIT" in (package["license"] or "") else "LICENSE-APACHE"
            text = (HERE / "../.." / usual).read_text().strip()
            if usual == "LICENSE-MIT":
                text = re.sub(r"^Copyright .*$", f"Copyright (c) {authors}", text, flags=re.MULTILINE)
            users[text].append(label)
    for text, labels in sorted(users.items(), key=lambda item: (item[1], item[0])):
        print(f"\n{'=' * 100}\n{', '.join(labels)}\n{'=' * 100}\n\n{text}")


main()
