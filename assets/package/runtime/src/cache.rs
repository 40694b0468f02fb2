//! Where the files lie unpacked.
//!
//! In `pentimento-appimage` of the user's cache every image has a folder named by its digest, which nobody
//! writes to once it is unpacked, a list of its files with their sizes, which is written last, and two locks.
//! One is shared by all programs started from the folder for as long as they run: whoever can take that of
//! another image for himself removes the image's files. The other is held by whoever unpacks.

use std::env;
use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::StatVfsMountFlags;
use rustix::io::FdFlags;

use crate::image::{Image, ImageError};

/// Why there is no folder with the files.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CacheError {
    #[error(
        "there is no folder to unpack to, from which programs may be started; set XDG_CACHE_HOME to one (tried: {0})"
    )]
    NoFolder(String),
    #[error("cannot be unpacked to; set XDG_CACHE_HOME to another folder ({0}): {folder}", folder = .1.display())]
    Write(io::Error, PathBuf),
    #[error("{0}; set XDG_CACHE_HOME to a folder with 200 MB of room")]
    Unpack(ImageError),
    #[error(transparent)]
    Image(#[from] ImageError),
}

/// The folder of the unpacked image, unpacked now if it was not.
pub(crate) fn unpacked(image: &Image) -> Result<PathBuf, CacheError> {
    let base = base()?;
    let name = image.name();
    let (folder, list) = (base.join(&name), base.join(format!("{name}.files")));
    let write = |error| CacheError::Write(error, base.clone());
    let open = |kind: &str| {
        let path = base.join(format!("{name}.{kind}"));
        File::options().create(true).truncate(false).write(true).open(path).map_err(write)
    };
    let lock = open("lock")?;
    lock.lock_shared().map_err(write)?;
    if !is_whole(&folder, &list) {
        let unpacking = open("unpacking")?;
        unpacking.lock().map_err(write)?;
        // Somebody else may have been faster.
        if !is_whole(&folder, &list) {
            unpack(image, &folder, &list)?;
        }
    }
    // Held by the program that this one becomes, until it ends.
    rustix::io::fcntl_setfd(&lock, FdFlags::empty()).map_err(|error| write(error.into()))?;
    std::mem::forget(lock);
    remove_others(&base, &name);
    Ok(folder)
}

fn unpack(image: &Image, folder: &Path, list: &Path) -> Result<(), CacheError> {
    let write = |error| CacheError::Write(error, folder.to_path_buf());
    image.check()?;
    remove(folder, list).map_err(write)?;
    let files = image.unpack(folder, "*").map_err(|error| match error {
        ImageError::Write(..) => CacheError::Unpack(error),
        error => CacheError::Image(error),
    });
    let files = files.inspect_err(|_| {
        remove(folder, list).ok();
    })?;
    // What somebody changed would go with the next version.
    set_writable(folder, false).map_err(write)?;
    let lines = files.iter().map(|(path, size)| format!("{size} {}\n", path.display()));
    fs::write(list, lines.collect::<String>()).map_err(write)
}

/// Lets the user write to a folder and all that is in it, or not; what links lead to stays as it is.
fn set_writable(path: &Path, is_writable: bool) -> io::Result<()> {
    let found = fs::symlink_metadata(path)?;
    if found.is_symlink() {
        return Ok(());
    }
    let mut permissions = found.permissions();
    let mode = permissions.mode();
    permissions.set_mode(if is_writable { mode | 0o200 } else { mode & !0o222 });
    fs::set_permissions(path, permissions)?;
    if found.is_dir() {
        for entry in fs::read_dir(path)? {
            set_writable(&entry?.path(), is_writable)?;
        }
    }
    Ok(())
}

/// Whether all files of the list are there, no shorter than they were: caches are cleaned by many programs.
fn is_whole(folder: &Path, list: &Path) -> bool {
    let Ok(list) = fs::read_to_string(list) else { return false };
    let is_there = |line: &str| {
        let Some((size, path)) = line.split_once(' ') else { return false };
        fs::metadata(folder.join(path))
            .is_ok_and(|file| size.parse().is_ok_and(|size: u64| file.len() >= size))
    };
    !list.is_empty() && list.lines().all(is_there)
}

fn remove(folder: &Path, list: &Path) -> io::Result<()> {
    // The list first: without it the folder counts as not unpacked.
    let gone = |done: io::Result<()>| match done {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    };
    gone(fs::remove_file(list))?;
    gone(set_writable(folder, true).and_then(|()| fs::remove_dir_all(folder)))
}

/// Removes the files of other images that no program runs from; what cannot be removed stays.
fn remove_others(base: &Path, name: &str) {
    for entry in fs::read_dir(base).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_lock = path.extension().is_some_and(|extension| extension == "lock");
        if !is_lock || path.file_stem().is_some_and(|stem| stem == name) {
            continue;
        }
        let Ok(lock) = File::options().write(true).open(&path) else { continue };
        if lock.try_lock().is_ok()
            && remove(&path.with_extension(""), &path.with_extension("files")).is_ok()
        {
            fs::remove_file(path.with_extension("unpacking")).ok();
            fs::remove_file(&path).ok();
        }
    }
}

/// The first folder that can be written and from which programs may be started.
fn base() -> Result<PathBuf, CacheError> {
    let user = rustix::process::geteuid().as_raw();
    let absolute =
        |variable: &str| env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute("XDG_CACHE_HOME").or_else(|| Some(env::home_dir()?.join(".cache")));
    let shared = env::temp_dir().join(format!("pentimento-{user}"));
    let mut tried = Vec::new();
    for folder in cache.into_iter().map(|cache| cache.join("pentimento-appimage")).chain([shared]) {
        if is_usable(&folder, user) {
            return Ok(folder);
        }
        tried.push(folder.display().to_string());
    }
    Err(CacheError::NoFolder(tried.join(", ")))
}

fn is_usable(folder: &Path, user: u32) -> bool {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    // Of this user, and nobody else may put anything there, as anybody may in a shared one.
    let is_own = fs::symlink_metadata(folder)
        .is_ok_and(|it| it.is_dir() && it.uid() == user && it.mode() & 0o022 == 0);
    let may_run =
        rustix::fs::statvfs(folder).is_ok_and(|it| !it.f_flag.contains(StatVfsMountFlags::NOEXEC));
    let may_write = rustix::fs::access(folder, rustix::fs::Access::WRITE_OK).is_ok();
    made.is_ok() && is_own && may_run && may_write
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_lost_a_file_is_not_whole() {
        let base = env::temp_dir().join(format!("appimage-runtime-{}", std::process::id()));
        let (folder, list) = (base.join("0f"), base.join("0f.files"));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("a file"), "four").unwrap();
        assert!(!is_whole(&folder, &list), "no list");
        fs::write(&list, "4 a file\n").unwrap();
        assert!(is_whole(&folder, &list));
        set_writable(&base.join("0f"), false).unwrap();
        assert!(fs::metadata(&folder).unwrap().permissions().readonly());
        set_writable(&base.join("0f"), true).unwrap();
        fs::write(folder.join("a file"), "fou").unwrap();
        assert!(!is_whole(&folder, &list), "a file that was cut off");
        fs::write(&list, "").unwrap();
        assert!(!is_whole(&folder, &list), "an empty list");

        let lock = base.join("0f.lock");
        set_writable(&folder, false).unwrap();
        let running = File::create(&lock).unwrap();
        running.lock_shared().unwrap();
        remove_others(&base, "1e");
        assert!(folder.exists(), "a program runs from it");
        drop(running);
        remove_others(&base, "0f");
        assert!(folder.exists(), "its own");
        remove_others(&base, "1e");
        assert!(!folder.exists() && !lock.exists() && !list.exists());
        fs::remove_dir_all(&base).unwrap();
    }
}
