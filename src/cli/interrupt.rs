//! Ctrl-C: what is under way is finished first.

use crate::base::CancelToken;

use super::output::note;

/// Listens for Ctrl-C from now on. After the first, what is under way is finished and recorded, as
/// its answer is paid for; a second ends the program at once. Where the system gives no such
/// signal, nothing happens.
pub(super) fn stop_on_interrupt(stop: &CancelToken, when: &'static str) {
    let stop = stop.clone();
    let thread = std::thread::Builder::new().name("interrupt".to_owned());
    let listening = thread.spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
        let Ok(runtime) = runtime else { return };
        runtime.block_on(async {
            // One stream of both: who listened anew for the second would miss one that comes at once.
            let Ok(mut pressed) = interrupts() else { return };
            if pressed.recv().await.is_none() {
                return;
            }
            note(&format!("stopping when {when}; Ctrl-C again ends at once"));
            stop.stop_after_turn();
            if pressed.recv().await.is_some() {
                std::process::exit(130);
            }
        });
    });
    // Without a thread Ctrl-C ends the program as it does any other; what is recorded is on disk.
    drop(listening);
}

#[cfg(unix)]
fn interrupts() -> std::io::Result<tokio::signal::unix::Signal> {
    use tokio::signal::unix::{SignalKind, signal};

    signal(SignalKind::interrupt())
}

#[cfg(windows)]
fn interrupts() -> std::io::Result<tokio::signal::windows::CtrlC> {
    tokio::signal::windows::ctrl_c()
}
