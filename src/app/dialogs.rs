//! The system's file dialogs.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Builder;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};
use rfd::FileDialog;

use crate::workbench::protocol::{PathKind, with_extension};
use crate::workbench::{Browse, Command};

/// A dialog that is gone sooner was never there.
const FASTEST_ANSWER: Duration = Duration::from_millis(250);
/// Shows dialogs one at a time, each on a thread of its own: they wait for the person, and the
/// window must not.
#[derive(Debug)]
pub(super) struct Dialogs {
    ctx: egui::Context,
    send: Sender<Command>,
    receive: Receiver<Command>,
    is_open: Arc<AtomicBool>,
}

impl Dialogs {
    pub(super) fn new(ctx: egui::Context) -> Self {
        let (send, receive) = bounded(4);
        Self { ctx, send, receive, is_open: Arc::default() }
    }

    /// Shows a dialog; while another is open, nothing happens.
    pub(super) fn open(&self, what: Browse) {
        // Read and set in one step, or two keys in one frame would open two dialogs.
        if self.is_open.swap(true, Ordering::AcqRel) {
            return;
        }
        let (ctx, send, is_open) = (self.ctx.clone(), self.send.clone(), Arc::clone(&self.is_open));
        let spawned = Builder::new().name("dialog".to_owned()).spawn(move || {
            let _closes = OnDrop(is_open);
            let began = Instant::now();
            let answer = ask(what);
            // Nobody backs out of a dialog as fast as a dialog fails that cannot be shown.
            let failed = answer.is_none() && began.elapsed() < FASTEST_ANSWER;
            let answer = answer.or_else(|| failed.then_some(Command::TypePath(what)));
            if let Some(command) = answer {
                // Full only if nobody has looked for four dialogs.
                send.try_send(command).ok();
                // The window sleeps, and would take the answer only when the pointer moves.
                ctx.request_repaint();
            }
        });
        // A thread that did not begin drops nothing that would say so.
        if spawned.is_err() {
            self.is_open.store(false, Ordering::Release);
        }
    }

    /// What was chosen since the last time.
    pub(super) fn answers(&self) -> impl Iterator<Item = Command> {
        self.receive.try_iter()
    }
}

/// Says that no dialog is open, also if it panicked.
struct OnDrop(Arc<AtomicBool>);

impl Drop for OnDrop {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

/// Shows the dialog; `None` if the person backs out.
fn ask(what: Browse) -> Option<Command> {
    let dialog = FileDialog::new().set_title(what.title());
    let path = match what.path_kind() {
        // Only these may be several.
        PathKind::Folder if what == Browse::OpenFolder => {
            return dialog.pick_folders().map(Command::Open);
        }
        PathKind::File(None) => return dialog.pick_files().map(Command::Open),
        PathKind::Folder => dialog.pick_folder(),
        PathKind::File(Some((kind, extensions))) => dialog.add_filter(kind, extensions).pick_file(),
        PathKind::NewFile(kind, extension, name) => {
            save_as(&dialog.add_filter(kind, &[extension]).set_file_name(name), extension)
        }
    };
    Some(Command::ChoosePath(what, path?))
}

/// Asks where a file is saved. The dialog asks whether one that is there is replaced; of one whose name only gets its
/// end afterwards it knows nothing, and so it is shown again with the whole name.
fn save_as(dialog: &FileDialog, extension: &str) -> Option<PathBuf> {
    let mut path = dialog.clone().save_file()?;
    loop {
        let whole = with_extension(path.clone(), extension);
        let (Some(folder), Some(name)) = (whole.parent(), whole.file_name()) else {
            return Some(path);
        };
        if whole == path || !whole.exists() {
            return Some(path);
        }
        let again = dialog.clone().set_directory(folder).set_file_name(name.to_string_lossy());
        path = again.save_file()?;
    }
}
