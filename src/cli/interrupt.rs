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
            if tokio::signal::ctrl_c().await.is_err() {
                return;
            }
            note(&format!("stopping when {when}; Ctrl-C again ends at once"));
            stop.stop_after_turn();
            if tokio::signal::ctrl_c().await.is_ok() {
                std::process::exit(130);
            }
        });
    });
    // Without a thread Ctrl-C ends the program as it does any other; what is recorded is on disk.
    drop(listening);
}
