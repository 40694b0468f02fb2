//! No command: the window.

use std::path::PathBuf;

use crate::app::{WindowOptions, default_out_dir, run_window};

use super::environments::{environments, variables, workspace};

/// There is no display to open a window on.
#[derive(Debug, thiserror::Error)]
#[error("{NO_DISPLAY}")]
pub(super) struct NoDisplay;

const NO_DISPLAY: &str = "\
there is no display to open the window on (neither DISPLAY nor WAYLAND_DISPLAY is set).

These do the same job without one:
  pentimento run --tasks PATH --agent tracer --out DIR   let an agent work on tasks
  pentimento score RUN…                                  score runs against the ground truth
  pentimento report RUN… --out FILE.html                 look at runs in a browser
  pentimento metric --gt A.png --gen B.png               compare two pictures
  pentimento render DESIGN.json OUT.png                  draw a design

On a machine without a screen the window opens under a virtual one: xvfb-run pentimento
(Debian package xvfb, with mesa-vulkan-drivers for drawing).";

/// Opens the window on these paths, or on the shipped samples.
///
/// # Errors
///
/// [`NoDisplay`]; a missing system library, with the Debian package that holds it; whatever else
/// keeps the window from opening.
pub(super) fn open_window(paths: Vec<PathBuf>, captions: Option<PathBuf>) -> anyhow::Result<()> {
    // Asked first: the window's library would say the same in words that name none of the other ways.
    if !has_display() {
        return Err(NoDisplay.into());
    }
    let (workspace, runs) = (workspace(), default_out_dir());
    Ok(run_window(WindowOptions {
        paths,
        captions,
        workspace,
        runs,
        environments: environments(),
        variables: variables(),
    })?)
}

/// Whether there is something to open a window on. Only X11 and Wayland can be asked.
fn has_display() -> bool {
    // WAYLAND_SOCKET is how a compositor hands a connection to what it starts itself.
    let mut names = ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"].into_iter();
    !cfg!(all(unix, not(target_os = "macos")))
        || names.any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}
