//! Tar archives as anybody may have written them: nothing of one leads out of the folder that it is unpacked into.

use std::path::Path;

use pentimento::base::CancelToken;
use pentimento::import::{ImportRequest, import};
use pentimento::run::reader;
use tar::EntryType;

use super::campaign;
use crate::import::{tarballs::tarball, write};

/// Archives with what entries can be: files, long names of both kinds, links, a folder.
fn corpus() -> Vec<Vec<u8>> {
    let log = b"{\"role\": \"user\", \"content\": \"x\"}\n\
        {\"role\": \"assistant\", \"content\": \"y\", \"tool_calls\": []}\n";
    vec![
        tarball(&[
            (EntryType::Directory, "a/", b""),
            (EntryType::Regular, "a/log.jsonl", log),
            (EntryType::Symlink, "a/link", b""),
            (EntryType::Regular, "a/../log.jsonl", log),
        ]),
        tarball(&[
            (EntryType::GNULongName, "././@LongLink", b"long/name.jsonl\0"),
            (EntryType::Regular, "short", log),
            (EntryType::XHeader, "x", b"18 path=b/x.jsonl\n15 size=000099\n"),
            (EntryType::Regular, "x", log),
            (EntryType::GNUSparse, "sparse", log),
        ]),
    ]
}

/// Makes the sums of headers right: what is wrong with one ends the reading of an archive.
fn with_sums(mut bytes: Vec<u8>) -> Vec<u8> {
    for block in bytes.chunks_exact_mut(512).filter(|block| &block[257..262] == b"ustar") {
        block[148..156].fill(b' ');
        let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
        block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    }
    bytes
}

fn use_tarball(input: &[u8]) {
    let dir = tempfile::tempdir().unwrap();
    let (from, out) = (dir.path().join("in"), dir.path().join("out"));
    write(&from.join("a.tar"), input);
    let request = ImportRequest { paths: &[from], out_dir: &out, format: None };
    let report = import(&request, &CancelToken::new(), &mut |_| {}).unwrap();
    for run in &report.runs {
        let read = reader::open(&run.dir).unwrap();
        assert_eq!((read.torn, read.steps.len()), (None, run.steps as usize));
    }
    let names = |dir: &Path| -> Vec<_> {
        std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name()).collect()
    };
    assert!(names(dir.path()).iter().all(|name| name == "in" || name == "out"));
    assert_eq!(names(&dir.path().join("in")), ["a.tar"]);
}

#[test]
fn tarballs() {
    let corpus = corpus();
    campaign("tarballs", |mutator| with_sums(mutator.text(&corpus)), use_tarball);
}
