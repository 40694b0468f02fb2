//! The settings and the session, in a file of their own.
//!
//! eframe keeps a window's place and panels; what somebody would miss is written here, as soon as it
//! changed and whole or not at all, so that a process that is killed loses a second of it.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::base::read_file_limited;
use crate::workbench::Settings;

/// Beside the workspace's file.
const NAME: &str = "settings.json";
/// Largest file read, in bytes.
const BYTES: u64 = 16 << 20;

/// Where the settings are.
#[derive(Debug)]
pub(super) struct SettingsFile {
    path: PathBuf,
}

impl SettingsFile {
    /// The one beside the workspace's file.
    pub(super) fn beside(workspace: &Path) -> Self {
        Self { path: workspace.with_file_name(NAME) }
    }

    /// What it holds; `None` if there is none, or it is no settings file: a damaged one is set aside.
    pub(super) fn read(&self) -> Option<Settings> {
        let bytes = read_file_limited(&self.path, BYTES).ok()?;
        let settings = std::str::from_utf8(&bytes).ok().and_then(Settings::from_json);
        if settings.is_none() {
            fs::rename(&self.path, self.path.with_extension("damaged.json")).ok();
        }
        settings
    }

    /// Writes it, whole or not at all.
    ///
    /// # Errors
    ///
    /// The folder cannot be made or written.
    pub(super) fn write(&self, settings: &Settings) -> io::Result<()> {
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        // Of this process alone: two windows that write at once must not mix.
        let temporary = self.path.with_extension(format!("{}.tmp", std::process::id()));
        let written = fs::File::create(&temporary)
            .and_then(|mut file| file.write_all(settings.to_json()?.as_bytes()))
            .and_then(|()| fs::rename(&temporary, &self.path));
        written.inspect_err(|_| {
            fs::remove_file(&temporary).ok();
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_come_back_and_a_damaged_file_is_set_aside() {
        let dir = tempfile::tempdir().unwrap();
        let file = SettingsFile::beside(&dir.path().join("new/workspace.sqlite"));
        assert_eq!(file.read(), None);
        let settings = Settings { heat_threshold: 0.5, ..Settings::default() };
        file.write(&settings).unwrap();
        assert_eq!(file.read(), Some(settings));
        fs::write(&file.path, "{\"theme\":").unwrap();
        assert_eq!(file.read(), None);
        let kept = fs::read_to_string(dir.path().join("new/settings.damaged.json")).unwrap();
        assert_eq!(kept, "{\"theme\":");
    }
}
