//! What goes wrong with the file.

use std::path::PathBuf;

/// Why the workspace's file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder of the file cannot be made.
    #[error("cannot make the folder of the workspace file: {source}: {}", path.display())]
    Folder {
        /// The cause.
        source: std::io::Error,
        /// The folder.
        path: PathBuf,
    },
    /// The file is damaged, and was moved out of the way.
    #[error(
        "the workspace file is damaged ({source}); it was set aside as {} and a new one is made the next time: {}",
        aside.display(), path.display()
    )]
    Damaged {
        /// What SQLite says.
        source: rusqlite::Error,
        /// Where the file is now.
        aside: PathBuf,
        /// Where it was.
        path: PathBuf,
    },
    /// The file is damaged, and cannot even be moved.
    #[error(
        "the workspace file is damaged ({source}) and cannot be set aside ({rename}): move it away: {}",
        path.display()
    )]
    Stuck {
        /// What SQLite says.
        source: rusqlite::Error,
        /// Why it stays where it is.
        rename: std::io::Error,
        /// Where it is.
        path: PathBuf,
    },
    /// Another program's file.
    #[error("this SQLite file is not a workspace of Pentimento, and is left as it is: {}", path.display())]
    Foreign {
        /// Which file.
        path: PathBuf,
    },
    /// A newer Pentimento made it.
    #[error(
        "the workspace file is of version {found}, this program knows up to {known}, and leaves it as it is; update the program or name another file: {}",
        path.display()
    )]
    Newer {
        /// The file's version.
        found: u32,
        /// The newest this program knows.
        known: u32,
        /// Which file.
        path: PathBuf,
    },
    /// Anything else that SQLite says.
    #[error("the workspace file cannot be used: {source}: {}", path.display())]
    Sqlite {
        /// The cause.
        source: rusqlite::Error,
        /// Which file.
        path: PathBuf,
    },
    /// It failed before in this session.
    #[error("the workspace file failed before and is not used any more: {}", path.display())]
    Closed {
        /// Which file.
        path: PathBuf,
    },
}
