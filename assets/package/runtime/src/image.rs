//! What lies behind this program in its file.

use std::fs::{self, File, Permissions};
use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Component, Path, PathBuf};

use backhand::{BackhandError, FilesystemReader, InnerNode};
use sha2::{Digest as _, Sha256};

/// Bytes of the digest behind the image.
const DIGEST: usize = 32;

/// Why the files cannot be had.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ImageError {
    #[error("this file is not whole: fetch it again ({0}): {file}", file = .1.display())]
    Damaged(String, PathBuf),
    #[error("cannot be read ({0}): {file}", file = .1.display())]
    Read(io::Error, PathBuf),
    #[error("cannot be written ({0}): {file}", file = .1.display())]
    Write(io::Error, PathBuf),
    #[error("nothing in this AppImage is called {0}")]
    Nothing(String),
}

/// An AppImage's file.
pub(crate) struct Image {
    path: PathBuf,
    offset: u64,
    /// Of the image alone.
    length: u64,
    digest: [u8; DIGEST],
}

impl Image {
    /// Finds out where the image begins and what its digest has to be.
    pub(crate) fn open(path: &Path) -> Result<Self, ImageError> {
        let read = |error| ImageError::Read(error, path.to_path_buf());
        let damaged = |why: &str| ImageError::Damaged(why.to_owned(), path.to_path_buf());
        let mut file = File::open(path).map_err(read)?;
        let mut header = [0; 64];
        file.read_exact(&mut header).map_err(read)?;
        let offset = elf_length(&header).ok_or_else(|| damaged("no ELF program"))?;
        let all = file.metadata().map_err(read)?.len();
        let length = all.checked_sub(offset + DIGEST as u64).filter(|length| *length > 0);
        let length = length.ok_or_else(|| damaged("nothing lies behind the program"))?;
        let mut digest = [0; DIGEST];
        file.seek(SeekFrom::Start(all - DIGEST as u64)).map_err(read)?;
        file.read_exact(&mut digest).map_err(read)?;
        Ok(Self { path: path.to_path_buf(), offset, length, digest })
    }

    /// Where the squashfs image begins, in bytes.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// The digest in hexadecimal digits: half of them, which is enough for a name.
    pub(crate) fn name(&self) -> String {
        let half = self.digest.iter().take(DIGEST / 2);
        half.fold(String::new(), |name, byte| format!("{name}{byte:02x}"))
    }

    /// Whether the image is the one that the digest was made of.
    pub(crate) fn check(&self) -> Result<(), ImageError> {
        let read = |error| ImageError::Read(error, self.path.clone());
        let mut file = File::open(&self.path).map_err(read)?;
        file.seek(SeekFrom::Start(self.offset)).map_err(read)?;
        let mut image = file.take(self.length);
        let (mut hash, mut bytes) = (Sha256::new(), vec![0; 1 << 20]);
        loop {
            let count = image.read(&mut bytes).map_err(read)?;
            let Some(some) = bytes.get(..count).filter(|some| !some.is_empty()) else { break };
            hash.update(some);
        }
        if hash.finalize().as_slice() == self.digest.as_slice() {
            return Ok(());
        }
        Err(ImageError::Damaged("its digest is another".to_owned(), self.path.clone()))
    }

    /// Unpacks what matches into a folder, in the place of what is there, and gives the files with their
    /// sizes.
    pub(crate) fn unpack(
        &self,
        folder: &Path,
        pattern: &str,
    ) -> Result<Vec<(PathBuf, u64)>, ImageError> {
        let damaged =
            |error: BackhandError| ImageError::Damaged(error.to_string(), self.path.clone());
        let file =
            File::open(&self.path).map_err(|error| ImageError::Read(error, self.path.clone()))?;
        let image = FilesystemReader::from_reader_with_offset(BufReader::new(file), self.offset)
            .map_err(damaged)?;
        let mut written = Vec::new();
        for node in image.files() {
            let path: PathBuf =
                node.fullpath.components().filter(|part| *part != Component::RootDir).collect();
            if !path.components().all(|part| matches!(part, Component::Normal(_))) {
                let why = format!("a path that leads outside: {}", path.display());
                return Err(ImageError::Damaged(why, self.path.clone()));
            }
            if !matches(pattern, &path.to_string_lossy()) {
                continue;
            }
            let place = folder.join(&path);
            let write = |error| ImageError::Write(error, place.clone());
            let parent = place.parent().unwrap_or(folder);
            fs::create_dir_all(parent).map_err(write)?;
            let mode = Permissions::from_mode(u32::from(node.header.permissions) & 0o777);
            match &node.inner {
                InnerNode::Dir(_) => fs::create_dir_all(&place).map_err(write)?,
                InnerNode::File(file) => {
                    remove(&place).map_err(write)?;
                    let mut out = File::create_new(&place).map_err(write)?;
                    let size = io::copy(&mut image.file(file).reader(), &mut out).map_err(write)?;
                    out.set_permissions(mode).map_err(write)?;
                    written.push((path, size));
                }
                InnerNode::Symlink(link) => {
                    remove(&place).map_err(write)?;
                    symlink(&link.link, &place).map_err(write)?;
                }
                // There is nothing else in ours.
                _ => {}
            }
        }
        if written.is_empty() {
            return Err(ImageError::Nothing(pattern.to_owned()));
        }
        Ok(written)
    }
}

/// How long a program of 64 bits is whose table of sections stands last, as linkers place it.
fn elf_length(header: &[u8; 64]) -> Option<u64> {
    let small =
        |at: usize| Some(u64::from(u16::from_le_bytes(header.get(at..at + 2)?.try_into().ok()?)));
    let is_elf = header.starts_with(b"\x7fELF\x02\x01");
    let sections = u64::from_le_bytes(header.get(0x28..0x30)?.try_into().ok()?);
    let end = sections.checked_add(small(0x3a)? * small(0x3c)?);
    end.filter(|_| is_elf && sections > 0)
}

/// Whether `*` (also over `/`) and `?` of a pattern can be filled so that it is the text.
fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), text.chars().collect());
    let (mut at, mut place) = (0, 0);
    // The last star, and how far it is taken to reach.
    let mut star = None;
    while let Some(letter) = text.get(place) {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, place));
                at += 1;
            }
            Some(wanted) if *wanted == '?' || wanted == letter => (at, place) = (at + 1, place + 1),
            _ => {
                let Some((stood, reached)) = star else { return false };
                star = Some((stood, reached + 1));
                (at, place) = (stood + 1, reached + 1);
            }
        }
    }
    pattern.iter().skip(at).all(|letter| *letter == '*')
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_a_shell() {
        for (pattern, text, is_match) in [
            ("*", "usr/bin/pentimento", true),
            ("*.desktop", "pentimento.desktop", true),
            ("*.desktop", "pentimento.desktop.bak", false),
            ("usr/*/pentimento", "usr/bin/pentimento", true),
            ("usr/?/pentimento", "usr/bin/pentimento", false),
            ("a*b*c", "a-b-b-c", true),
            ("", "a", false),
            ("a", "ab", false),
        ] {
            assert_eq!(matches(pattern, text), is_match, "{pattern} {text}");
        }
    }

    #[test]
    fn a_program_ends_behind_its_table_of_sections() {
        let path = std::env::current_exe().unwrap();
        let mut header = [0; 64];
        File::open(&path).unwrap().read_exact(&mut header).unwrap();
        assert_eq!(elf_length(&header), Some(fs::metadata(&path).unwrap().len()));
        assert_eq!(elf_length(&[0; 64]), None);
        // Nothing lies behind this one.
        assert!(matches!(Image::open(&path), Err(ImageError::Damaged(..))));
    }
}
