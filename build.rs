//! Makes the program smaller: packs the table of its relative relocations where the system can read that, 2.9 MB less.

use std::process::Command;

/// Set to `no` where the program will be started by an older glibc than the one it is built with, as
/// `assets/package/build` does.
const PACKED: &str = "PENTIMENTO_PACKED_RELOCATIONS";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={PACKED}");
    if std::env::var(PACKED).as_deref() != Ok("no") && reads_packed_relocations() {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// Whether the program will be started by a glibc that knows packed relocations: 2.36 or newer. An older
/// one would refuse to start it, and of any other system nothing is known here.
fn reads_packed_relocations() -> bool {
    let target = std::env::var("TARGET").unwrap_or_default();
    if !target.ends_with("-linux-gnu") || std::env::var("HOST").ok().as_ref() != Some(&target) {
        return false;
    }
    let Ok(asked) = Command::new("getconf").arg("GNU_LIBC_VERSION").output() else { return false };
    // As `glibc 2.36`.
    let words = String::from_utf8_lossy(&asked.stdout);
    let version = words.split_whitespace().next_back().and_then(|version| version.split_once('.'));
    let number = |part: &str| part.parse::<u32>().ok();
    version
        .and_then(|(major, minor)| Some((number(major)?, number(minor)?)))
        .is_some_and(|version| version >= (2, 36))
}
