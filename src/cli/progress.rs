//! How far long work is, on stderr: a bar on a terminal, plain lines anywhere else.

use std::io::IsTerminal as _;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use parking_lot::Mutex;

use super::output::note;

/// Progress over a known number of things.
#[derive(Debug)]
pub(super) struct Progress {
    /// `None` where there is no terminal.
    bar: Option<ProgressBar>,
    total: usize,
    done: usize,
}

impl Progress {
    /// Progress over `total` things, `what` in the plural.
    pub(super) fn start(total: usize, what: &'static str) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| bar(total as u64, what));
        Self { bar, total, done: 0 }
    }

    /// Shows what is being done now. Only on a terminal.
    pub(super) fn doing(&self, what: String) {
        if let Some(bar) = &self.bar {
            bar.set_message(what);
        }
    }

    /// Counts one of very many things as done; on a terminal it is shown for a moment, anywhere else
    /// only every thousandth is.
    pub(super) fn passed(&mut self, what: &str) {
        self.done += 1;
        match &self.bar {
            Some(bar) => {
                bar.set_message(what.to_owned());
                bar.inc(1);
            }
            // A log would be filled with lines that nobody reads.
            None if self.done.is_multiple_of(1000) => {
                note(&format!("[{}/{}]", self.done, self.total));
            }
            None => {}
        }
    }

    /// Counts one thing as done and says what came of it.
    pub(super) fn done(&mut self, what: &str) {
        self.done += 1;
        match &self.bar {
            Some(bar) => {
                // Above the bar, which draws itself anew below: plain printing would tear it.
                bar.println(what);
                bar.inc(1);
            }
            None => note(&format!("[{}/{}] {what}", self.done, self.total)),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            // What comes next on the terminal must not stand behind half a bar, also after an error.
            bar.finish_and_clear();
        }
    }
}

/// Progress that several threads report to.
#[derive(Debug)]
pub(super) struct SharedProgress(Mutex<Progress>);

impl SharedProgress {
    /// As [`Progress::start`].
    pub(super) fn start(total: usize, what: &'static str) -> Self {
        Self(Mutex::new(Progress::start(total, what)))
    }

    /// As [`Progress::passed`].
    pub(super) fn passed(&self, what: &str) {
        self.0.lock().passed(what);
    }

    /// As [`Progress::done`].
    pub(super) fn done(&self, what: &str) {
        self.0.lock().done(what);
    }
}

fn bar(total: u64, what: &'static str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
    let template = "{spinner} {pos}/{len} {prefix} {bar:28} {elapsed} · {eta} left  {wide_msg}";
    // The template is a constant, so that this holds; if not, the bar is plainer and nothing is lost.
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("━╸─"));
    }
    bar.set_prefix(what);
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

/// That something of unknown length is at work. Only on a terminal.
#[derive(Debug)]
pub(super) struct Spinner(Option<ProgressBar>);

impl Spinner {
    /// Begins.
    pub(super) fn start(what: &'static str) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix} {wide_msg}") {
                bar.set_style(style);
            }
            bar.set_prefix(what);
            bar.enable_steady_tick(Duration::from_millis(120));
            bar
        });
        Self(bar)
    }

    /// Shows what is being done now.
    pub(super) fn doing(&self, what: String) {
        if let Some(bar) = &self.0 {
            bar.set_message(what);
        }
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
