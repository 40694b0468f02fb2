//! Ctrl-C: the batch is stopped in good order, and told how to go on.

use crate::base::CancelToken;
use crate::cli::output::note;

/// Listens for Ctrl-C from now on. After the first, each run finishes and records the turn it is at, as
/// its answer is paid for, and ends; a second ends the program at once. Where the system gives no such signal, nothing happens.
pub(super) fn stop_on_interrupt(stop: &CancelToken) {
    let stop = stop.clone();
    let listen = move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
        let Ok(runtime) = runtime else { return };
        runtime.block_on(async {
            if tokio::signal::ctrl_c().await.is_err() {
                return;
            }
            note("stopping when the turns under way are recorded; Ctrl-C again ends at once");
            stop.stop_after_turn();
            if tokio::signal::ctrl_c().await.is_ok() {
                std::process::exit(130);
            }
        });
    };
    // Without a thread Ctrl-C ends the program as it does any other; whole turns are on disk.
    drop(std::thread::Builder::new().name("interrupt".to_owned()).spawn(listen));
}
