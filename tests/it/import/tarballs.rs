//! Tar archives, packed or not: what is in one comes in as from the folder that was packed, and nothing leads out of it.

use std::path::Path;

use tar::{Builder, EntryType, Header};

use super::archives::{chat, step};
use super::walk::gzip;
use super::{canvas, colour, imported, png, record, write};
use crate::dice::Dice;

/// An archive of entries as anybody may have written them: no name is looked at.
pub(crate) fn tarball(entries: &[(EntryType, &str, &[u8])]) -> Vec<u8> {
    let mut archive = Builder::new(Vec::new());
    for (kind, name, bytes) in entries {
        let mut header = Header::new_gnu();
        header.set_entry_type(*kind);
        header.set_mode(0o644);
        header.set_size(bytes.len() as u64);
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_cksum();
        archive.append(&header, *bytes).unwrap();
    }
    archive.into_inner().unwrap()
}

const FILE: EntryType = EntryType::Regular;

#[test]
fn results_in_a_tarball_are_those_of_the_folder_that_was_packed() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("results");
    let task = folder.join("pyautogui/screenshot/some-model/gimp/7a4deb26");
    write(&task.join("traj.jsonl"), step(1, "step_1.png"));
    write(&task.join("step_1.png"), png([4, 0, 0]));
    write(&task.join("result.txt"), "1.0\n");
    let name = "gid6-27-gpt-4o-image_only";
    canvas::result(&folder.join("replication_gen/image_only").join(name), name);
    let mut archive = Builder::new(Vec::new());
    archive.append_dir_all("results", &folder).unwrap();
    let bytes = archive.into_inner().unwrap();
    let of_folder = imported(&[&folder]);
    assert_eq!(of_folder.report.runs.len(), 2, "{:#?}", of_folder.report);
    // By what is in it, whatever it is called.
    for (file, bytes) in [
        ("results.tar", bytes.clone()),
        ("results.tar.gz", gzip(&bytes)),
        ("results.tgz", gzip(&bytes)),
        ("results", gzip(&bytes)),
    ] {
        let path = dir.path().join("packed").join(file);
        write(&path, bytes);
        let found = imported(&[&path]);
        let ids = |runs: &[pentimento::import::ImportedRun]| {
            let mut ids: Vec<String> = runs.iter().map(|run| run.id.clone()).collect();
            ids.sort_unstable();
            ids
        };
        assert_eq!(ids(&found.report.runs), ids(&of_folder.report.runs), "{:#?}", found.report);
        assert_eq!(found.report.skipped.len(), of_folder.report.skipped.len(), "{file}");
        let runs = found.runs();
        let of_desktop = runs.iter().find(|run| run.manifest.task.set == "osworld").unwrap();
        assert_eq!(colour(of_desktop, 1), Some([4, 0, 0]));
        let at = &record(of_desktop).source;
        assert!(at.contains(&format!("{file}#results")), "{at}");
    }
}

#[test]
fn long_names_of_both_kinds_are_read_and_what_git_writes_is_passed_over() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("long.1.tgz");
    let long = |letter: &str| format!("{}/{}/{letter}.jsonl", letter.repeat(60), letter.repeat(60));
    // Its own length in three digits, a blank, `path=` and the end of the line.
    let posix = format!("{} path={}\n", long("b").len() + 10, long("b"));
    let [log_a, log_b] = ["One.", "Two."].map(|answer| chat(answer, false));
    let gnu = long("a");
    let entries: [(EntryType, &str, &[u8]); 5] = [
        (EntryType::XGlobalHeader, "pax_global_header", b"52 comment=0123456789"),
        (EntryType::GNULongName, "././@LongLink", gnu.as_bytes()),
        (FILE, "a", &log_a),
        (EntryType::XHeader, "b", posix.as_bytes()),
        (FILE, "b", &log_b),
    ];
    write(&path, gzip(&tarball(&entries)));
    let found = imported(&[&path]);
    let mut tasks: Vec<String> =
        found.runs().iter().map(|run| run.manifest.task.id.clone()).collect();
    tasks.sort_unstable();
    assert_eq!(tasks, ["a", "b"], "{:#?}", found.report);
    assert!(found.report.skipped.is_empty(), "{:#?}", found.report);
    // Only what is packed twice has two extensions.
    for (file, id) in [("shots.1.tgz", "shots.1"), ("shots.tar.gz", "shots"), ("s.tar", "s")] {
        let bytes = tarball(&[(FILE, "1.png", &png([1, 0, 0]))]);
        let path = dir.path().join(file);
        write(&path, if file == "s.tar" { bytes } else { gzip(&bytes) });
        assert_eq!(imported(&[&path]).run().manifest.task.id, id);
    }
}

#[test]
fn a_tarball_that_leads_out_explodes_or_hides_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("all");
    let log = chat("One.", false);
    let first: (EntryType, &str, &[u8]) = (FILE, "log.jsonl", &log);
    let spaces = vec![b' '; 32 << 20];
    let name = vec![b'a'; 8 << 20];
    let files = [
        ("escape.tgz", gzip(&tarball(&[first, (FILE, "a/../../evil.jsonl", &log)]))),
        ("rooted.tar", tarball(&[first, (FILE, "/evil.jsonl", &log)])),
        ("bomb.tgz", gzip(&tarball(&[first, (FILE, "a", &spaces)]))),
        ("name.tar", tarball(&[first, (EntryType::GNULongName, "a", &name), first])),
        ("other.tgz", gzip(b"no archive at all")),
        ("sum.tar", {
            let mut bytes = tarball(&[first]);
            bytes[0] ^= 1;
            bytes
        }),
    ];
    for (file, bytes) in files {
        write(&folder.join(file), bytes);
    }
    let out = imported(&[&folder]);
    assert!(out.report.runs.is_empty(), "{:#?}", out.report);
    for (file, why) in [
        ("escape.tgz", "leads out of it"),
        ("rooted.tar", "leads out of it"),
        ("bomb.tgz", "times its size"),
        ("name.tar", "stand before one of its files"),
        ("other.tgz", "of no format that is read so"),
        ("sum.tar", "cannot be read to its end"),
    ] {
        assert!(out.reason(file).contains(why), "{file}: {}", out.reason(file));
    }
    assert_eq!(out.report.skipped.len(), 6, "{:#?}", out.report);
    assert!(!dir.path().join("evil.jsonl").exists() && !Path::new("/evil.jsonl").exists());
}

#[test]
fn of_a_tarball_that_is_cut_off_or_damaged_comes_what_is_whole() {
    let dir = tempfile::tempdir().unwrap();
    let (log, mut dice) = (chat("One.", false), Dice(1));
    let noise: Vec<u8> = (0..1 << 18).map(|_| dice.below(256) as u8).collect();
    let bytes = tarball(&[(FILE, "log.jsonl", &log), (FILE, "noise.jsonl", &noise)]);
    let packed = gzip(&bytes);
    let mut damaged = gzip(&tarball(&[(FILE, "log.jsonl", &log)]));
    let sum = damaged.len() - 8;
    damaged[sum] ^= 1;
    for (file, bytes, whys) in [
        (
            "cut.tgz",
            &packed[..packed.len() / 2],
            &[("cut.tgz", "is cut off"), ("#noise.jsonl", "")][..],
        ),
        (
            "cut.tar",
            &bytes[..1 << 17],
            &[("cut.tar", "read to its end"), ("#noise.jsonl", "does not")],
        ),
        ("sum.tgz", &damaged[..], &[("sum.tgz", "is damaged")]),
    ] {
        write(&dir.path().join(file), bytes);
        let out = imported(&[&dir.path().join(file)]);
        assert_eq!(out.run().turns[0].thought, "One.");
        assert_eq!(out.report.skipped.len(), whys.len(), "{:#?}", out.report);
        for (place, why) in whys {
            assert!(out.reason(place).contains(why), "{file}: {:#?}", out.report);
        }
    }
}

#[test]
fn files_with_holes_are_listed_by_their_names_however_the_archive_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("holes.tar");
    let log = chat("One.", false);
    // GNU's three ways to say it in POSIX's headers: 0.0, 0.1, and 1.0 with its map before what is there.
    let said = |pairs: &[(&str, &str)]| -> String {
        let line = |(key, value): &(&str, &str)| {
            let rest = format!(" GNU.sparse.{key}={value}\n");
            format!("{}{rest}", rest.len() + 2)
        };
        pairs.iter().map(line).collect()
    };
    let old = said(&[("size", "1048576"), ("numblocks", "1"), ("offset", "0")]);
    let between = said(&[("name", "between.jsonl"), ("size", "1048576"), ("map", "0,512")]);
    let new = said(&[("major", "1"), ("minor", "0"), ("name", "new.jsonl")]);
    let at = "GNUSparseFile.7/all.jsonl";
    let entries: [(EntryType, &str, &[u8]); 8] = [
        (EntryType::XHeader, "a", old.as_bytes()),
        (FILE, "old.jsonl", &log),
        (EntryType::XHeader, "b", between.as_bytes()),
        (FILE, at, &log),
        (EntryType::XHeader, "c", new.as_bytes()),
        (FILE, at, b"1\n0\n512\n"),
        (EntryType::XHeader, "d", b"20 mtime=1700000000\n"),
        (FILE, "log.jsonl", &log),
    ];
    write(&path, tarball(&entries));
    let out = imported(&[&path]);
    assert_eq!(out.run().manifest.task.id, "log", "{:#?}", out.report);
    for name in ["old", "between", "new"] {
        let why = out.reason(&format!("holes.tar#{name}.jsonl"));
        assert!(why.contains("it is a sparse file"), "{name}: {why}");
    }
    assert_eq!(out.report.skipped.len(), 3, "{:#?}", out.report);
}

#[test]
fn links_devices_and_what_is_there_twice_are_listed_and_the_rest_comes_in() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("odd.tgz");
    let log = chat("One.", false);
    let inner = tarball(&[(FILE, "other.jsonl", &chat("Two.", false))]);
    let mut archive = Builder::new(Vec::new());
    for (kind, name) in [(EntryType::Link, "hard.jsonl"), (EntryType::Symlink, "soft.jsonl")] {
        let mut header = Header::new_gnu();
        header.set_entry_type(kind);
        header.set_size(0);
        archive.append_link(&mut header, name, "/etc/passwd").unwrap();
    }
    // Without the blocks of nothing that end an archive, another is gone on with.
    let mut bytes = archive.into_inner().unwrap();
    bytes.truncate(bytes.len() - 1024);
    bytes.extend(tarball(&[
        (EntryType::Directory, "./", b""),
        (EntryType::Fifo, "pipe", b""),
        (EntryType::Char, "device", b""),
        (FILE, "./log.jsonl", &log),
        (FILE, "log.jsonl", &log),
        (FILE, "inner.tar", &inner),
    ]));
    write(&path, gzip(&bytes));
    let out = imported(&[&path]);
    assert_eq!(out.run().turns[0].thought, "One.");
    for (place, why) in [
        ("odd.tgz#hard.jsonl", "it is a link"),
        ("odd.tgz#soft.jsonl", "it is a link"),
        ("odd.tgz#pipe", "neither a file nor a folder"),
        ("odd.tgz#device", "neither a file nor a folder"),
        ("odd.tgz#log.jsonl", "cannot be unpacked"),
        ("odd.tgz#inner.tar", "an archive within an archive"),
    ] {
        assert!(out.reason(place).contains(why), "{place}: {}", out.reason(place));
    }
    assert_eq!(out.report.skipped.len(), 6, "{:#?}", out.report);
}
