//! Replacing a file in one step.

use std::io::{self, Write as _};
use std::path::Path;

/// Replaces a file by these bytes: whatever happens, it holds the old ones or the new ones, all of
/// them. The bytes go to a file beside it first, are forced to disk, and take its place in one step. A
/// link stays one. What is no file, such as a pipe, is written to as it is.
pub fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let known = std::fs::metadata(path).ok();
    // A pipe or a device has nobody who could see half a file, and must not be replaced by one.
    if known.as_ref().is_some_and(|known| !known.is_file()) {
        return std::fs::write(path, bytes);
    }
    // Where a link leads, which also is where the new bytes have to lie to be moved in one step.
    let real = if known.is_some() { path.canonicalize()? } else { path.to_path_buf() };
    let folder = match real.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".pentimento-");
    // The rights of the file that is replaced, or those that any new file gets.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    // Before the file takes its place: it is never readable by more people than the one before it.
    if let Some(known) = known {
        file.as_file().set_permissions(known.permissions())?;
    }
    // Without this a crash may leave the new name with none of the new bytes.
    file.as_file().sync_all()?;
    file.persist(&real).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_a_link_stays_one() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("out.txt");
        replace_file(&path, b"one").unwrap();
        replace_file(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        let names: Vec<_> = std::fs::read_dir(dir.path()).unwrap().collect();
        assert_eq!(names.len(), 1, "nothing is left beside it: {names:?}");
        assert!(replace_file(&dir.path().join("none/out.txt"), b"x").is_err());
    }

    #[cfg(unix)]
    fn mode(path: &Path) -> u32 {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[cfg(unix)]
    #[test]
    fn what_a_file_may_be_used_for_and_where_a_link_leads_stay_as_they_were() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let (path, link) = (dir.path().join("out.txt"), dir.path().join("link.txt"));
        replace_file(&path, b"one").unwrap();
        std::fs::write(dir.path().join("plain"), b"").unwrap();
        let modes = [path.as_path(), &dir.path().join("plain")].map(mode);
        assert_eq!(modes[0], modes[1], "as any new file");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        replace_file(&link, b"two").unwrap();
        assert!(link.is_symlink());
        assert_eq!((std::fs::read(&path).unwrap().as_slice(), mode(&path)), (&b"two"[..], 0o640));
    }
}
