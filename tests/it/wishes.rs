//! What `tests/wishes.md` says is shown by a test or a picture is.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The names of all tests of the suite below a folder of sources.
fn tests_below(dir: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            tests_below(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            // What is measured by hand only shows nothing to a suite.
            let (mut is_test, mut is_ignored) = (false, false);
            for line in text.lines().map(str::trim_start) {
                if let Some(rest) = line.strip_prefix("fn ") {
                    let name = rest.split('(').next().unwrap_or_default();
                    found.extend((is_test && !is_ignored).then(|| name.to_owned()));
                    (is_test, is_ignored) = (false, false);
                }
                is_test |= line == "#[test]";
                is_ignored |= line.starts_with("#[ignore");
            }
        }
    }
}

#[test]
fn every_wish_names_a_test_or_a_picture_that_is_there_or_says_that_it_is_not_answered() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("tests/wishes.md")).unwrap();
    let mut tests = BTreeSet::new();
    for dir in ["src", "tests/it"] {
        tests_below(&root.join(dir), &mut tests);
    }
    let mut numbers = Vec::new();
    for line in text.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let &[_, number, wish, shown, _] = cells.as_slice() else { continue };
        let Ok(number) = number.parse::<u32>() else { continue };
        numbers.push(number);
        let names: Vec<&str> = shown.split('`').skip(1).step_by(2).collect();
        assert_eq!(names.is_empty(), shown == "not answered", "{number}: {wish}: {shown}");
        for name in names {
            let path = PathBuf::from(name);
            let is_there = if path.extension().is_some_and(|it| it == "png") {
                root.join("tests/snapshots").join(path).is_file()
            } else {
                tests.contains(name)
            };
            assert!(is_there, "{number}: {wish}: {name} is not there");
        }
    }
    assert_eq!(numbers, (1..=30).collect::<Vec<u32>>());
}
