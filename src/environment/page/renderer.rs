//! Who draws pages, and why one is not drawn.

use std::path::PathBuf;
use std::time::Duration;
use std::{fmt, io};

use crate::base::{CancelToken, Cancelled, Pixels, PixelsError};

/// How long a page may take.
pub(super) const TIMEOUT: Duration = Duration::from_mins(1);

/// Who draws pages.
pub trait PageRenderer: Send + Sync + fmt::Debug {
    /// What it is called, with its version if that is known.
    fn name(&self) -> String;

    /// The upper left corner of the page, so many CSS pixels across and down at one pixel each, on
    /// white. Ends soon after the work is cancelled, with all that it started.
    fn render(
        &self,
        html: &str,
        size: (u32, u32),
        cancel: &CancelToken,
    ) -> Result<Pixels, PageError>;
}

/// Why a page is not drawn.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// There is no browser.
    #[error(
        "drawing HTML needs Chromium or Chrome, and none was found: install one, or name it in \
         PENTIMENTO_CHROMIUM"
    )]
    NoBrowser,
    /// The window's size is not one.
    #[error("a page of {width} × {height} cannot be drawn")]
    Size {
        /// CSS pixels across.
        width: f64,
        /// CSS pixels down.
        height: f64,
    },
    /// A folder or file for the browser cannot be made.
    #[error("the page cannot be given to the browser: {0}")]
    Files(io::Error),
    /// The browser cannot be started.
    #[error("the browser cannot be started: {source}: {}", path.display())]
    Start {
        /// The cause.
        source: io::Error,
        /// Which browser.
        path: PathBuf,
    },
    /// It did not end in time, and was ended.
    #[error("the browser took longer than {} s for the page", TIMEOUT.as_secs())]
    TimedOut,
    /// Nobody waits for the page any more; the browser was ended.
    #[error("the page was not drawn: {0}")]
    Cancelled(#[from] Cancelled),
    /// It ended without a picture.
    #[error("the browser drew nothing: {0}")]
    NoPicture(String),
    /// Its picture cannot be read.
    #[error("the browser's picture cannot be read: {0}")]
    Picture(#[from] PixelsError),
}
