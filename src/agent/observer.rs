//! Who hears of a run while it is recorded.

use std::path::Path;

use crate::run::{Event, Manifest};

use super::log::Growth;

/// Hears what is recorded, right after it is in the file. Must not wait for anything: the run waits
/// for it. It may be told on other threads than the one that began the run.
pub trait Observer: Send {
    /// Where the run is going to be; said by who chooses the folder, before the run exists.
    fn placed(&mut self, dir: &Path) {
        let _ = dir;
    }
    /// The run exists on disk.
    fn started(&mut self, manifest: &Manifest);
    /// An event was recorded; the manifest's totals include it.
    fn recorded(&mut self, manifest: &Manifest, event: &Event);
    /// The answer of this turn grows; it is not recorded yet.
    fn growing(&mut self, turn: u32, growth: &Growth<'_>) {
        let _ = (turn, growth);
    }
}

/// Hears nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {
    fn started(&mut self, _manifest: &Manifest) {}
    fn recorded(&mut self, _manifest: &Manifest, _event: &Event) {}
}
