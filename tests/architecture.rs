//! Holds the import table of the crate's docs: a module uses only what stands above it.
//!
//! Cargo cannot enforce this inside one crate, so this test reads the sources: every `crate::name`
//! outside tests must be allowed by [`MAY_USE`].

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// For each module, the modules it may name. `app`, `cli` and `main` may name everything.
const MAY_USE: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("design", &["base"]),
    ("raster", &["base"]),
    ("render", &["design", "raster", "base"]),
    ("graphictown", &[]),
    ("environment", &["graphictown", "design", "raster", "render", "base"]),
    ("metric", &["graphictown", "base", "design", "raster"]),
    ("model", &["metric", "base"]),
    ("run", &["environment", "metric", "base"]),
    ("task", &["run", "environment", "metric", "base"]),
    ("store", &["metric", "design", "base"]),
    // Plans are read and checked where they are measured.
    ("agent", &["graphictown", "environment", "run", "task", "model", "metric", "base"]),
    (
        "worker",
        &[
            "graphictown",
            "workbench",
            "agent",
            "store",
            "model",
            "task",
            "run",
            "metric",
            "environment",
            "render",
            "raster",
            "design",
            "base",
        ],
    ),
    (
        "workbench",
        &[
            "graphictown",
            "agent",
            "task",
            "run",
            "metric",
            "environment",
            "render",
            "design",
            "base",
        ],
    ),
    (
        "ui",
        &[
            "graphictown",
            "workbench",
            "agent",
            "task",
            "run",
            "metric",
            "environment",
            "design",
            "base",
        ],
    ),
];

/// The most lines a source file may have: more is two subjects.
const MAX_LINES: usize = 600;

#[test]
fn every_module_uses_only_what_stands_above_it() {
    let mut wrong = Vec::new();
    for (module, allowed) in MAY_USE {
        for file in sources_of(module) {
            for (line, name) in crate_names(&without_tests(&read(&file))) {
                if name != *module && !allowed.contains(&name.as_str()) {
                    wrong.push(format!("{}:{line}: {module} may not use {name}", file.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_module_is_in_the_table() {
    let known: BTreeSet<&str> =
        MAY_USE.iter().map(|(module, _)| *module).chain(["app", "cli", "lib", "main"]).collect();
    for entry in std::fs::read_dir(src()).unwrap() {
        let path = entry.unwrap().path();
        let module = path.file_stem().unwrap().to_str().unwrap().to_owned();
        assert!(known.contains(module.as_str()), "{module} is not in the import table");
    }
}

#[test]
fn the_window_never_names_eframe_threads_or_the_worker() {
    for file in sources_of("ui") {
        let text = without_tests(&read(&file));
        for banned in ["eframe::", "std::thread", "crate::worker", "std::fs::"] {
            assert!(!text.contains(banned), "{} names {banned}", file.display());
        }
    }
}

#[test]
fn the_workbench_knows_no_window_no_thread_and_no_file() {
    for file in sources_of("workbench") {
        let text = without_tests(&read(&file));
        for banned in ["egui", "eframe", "std::thread", "std::fs::", "crossbeam"] {
            assert!(!code_of(&text).contains(banned), "{} names {banned}", file.display());
        }
    }
}

#[test]
fn only_the_wire_reaches_the_network_and_only_one_file_the_keyring() {
    for (name, home) in [("reqwest", "model/wire"), ("keyring::", "agent/providers/keys.rs")] {
        for file in rust_files(&src()) {
            let names_it = code_of(&without_tests(&read(&file))).contains(name);
            let at_home = file.starts_with(src().join(home));
            assert!(at_home || !names_it, "{} names {name}", file.display());
        }
    }
}

#[test]
fn no_file_has_two_subjects() {
    let long: Vec<String> = rust_files(&src())
        .into_iter()
        .map(|file| (read(&file).lines().count(), file))
        .filter(|(lines, _)| *lines > MAX_LINES)
        .map(|(lines, file)| format!("{}: {lines} lines", file.display()))
        .collect();
    assert!(long.is_empty(), "over {MAX_LINES} lines:\n{}", long.join("\n"));
}

fn src() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

#[expect(clippy::unwrap_used, reason = "a source that cannot be read fails the test")]
fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

fn sources_of(module: &str) -> Vec<PathBuf> {
    let file = src().join(format!("{module}.rs"));
    if file.exists() { vec![file] } else { rust_files(&src().join(module)) }
}

#[expect(clippy::unwrap_used, reason = "a folder that cannot be read fails the test")]
fn rust_files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(dir) else { return found };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(rust_files(&path));
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The text before the first test module: by convention tests stand at the end of a file.
fn without_tests(text: &str) -> String {
    text.split("#[cfg(test)]").next().unwrap_or_default().to_owned()
}

/// The text without comments.
fn code_of(text: &str) -> String {
    text.lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n")
}

/// Every module named after `crate::`, with its line; `crate::{a, b::c}` names two.
fn crate_names(text: &str) -> Vec<(usize, String)> {
    let code = code_of(text);
    let mut names = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let line = code[..at].matches('\n').count() + 1;
        let rest = &code[at + "crate::".len()..];
        if let Some(list) = rest.strip_prefix('{') {
            names.extend(top_level_names(list).into_iter().map(|name| (line, name)));
        } else {
            names.push((line, first_name(rest)));
        }
    }
    names
}

fn first_name(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

fn top_level_names(list: &str) -> Vec<String> {
    let (mut depth, mut names, mut at_start) = (0, Vec::new(), true);
    for (index, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => at_start = true,
            c if depth == 0 && at_start && c.is_alphabetic() => {
                names.push(first_name(&list[index..]));
                at_start = false;
            }
            _ => {}
        }
    }
    names
}

#[test]
fn the_reader_of_imports_sees_nested_lists() {
    let names =
        crate_names("use crate::{base::{A, B}, run, design::x::{y}};\nlet a = crate::ui::b;");
    let names: Vec<&str> = names.iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!(names, ["base", "run", "design", "ui"]);
}
