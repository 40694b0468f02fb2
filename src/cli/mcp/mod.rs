//! `pentimento mcp`: the canvas of a task as an MCP server.
//!
//! - [`choice`] finds the task, [`offer`] puts it into the protocol's words;
//! - [`host`] is what all clients share, a [`guest`] is one of them: what it calls is made and
//!   recorded by a [hosted run](crate::agent::hosted), one a client;
//! - [`http`] serves many clients behind a [`gate`], over [`connections`] that end when they are
//!   quiet, and whose [`attendance`] says which client is gone; without it one is served over stdin and
//!   stdout.
//!
//! Everything that waits is on one thread; tools and pictures are on the threads of the runs, so that
//! calls are made in the order they come in and none keeps another client waiting.

mod arguments;
mod attendance;
mod choice;
mod connections;
mod gate;
mod guest;
mod host;
mod http;
mod offer;
mod token;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use rmcp::service::ServerInitializeError;
use rmcp::transport::stdio_pipes;

pub(super) use arguments::McpArguments;

use crate::agent::hosted::HostedTask;
use crate::agent::{PictureSource, ReadyTask};
use crate::app::default_out_dir;
use crate::environment::Compat;
use crate::run::TaskRef;
use crate::task::PictureFolder;

use crate::cli::environments::{environments, fonts};
use guest::Guest;
use host::Host;
use offer::Offer;

/// Does the command.
pub(super) fn serve(arguments: &McpArguments) -> anyhow::Result<()> {
    let host = Arc::new(host(arguments)?);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("the server cannot be started")?;
    let served = runtime.block_on(async {
        match arguments.http {
            Some(address) => http::serve(&host, address, arguments, stopped()).await,
            None => serve_stdio(&host).await,
        }
    });
    let not_whole = host.finish();
    // A read of stdin that nobody can stop must not keep the program.
    runtime.shutdown_background();
    served?;
    anyhow::ensure!(not_whole == 0, "{not_whole} of the runs could not be recorded to the end");
    Ok(())
}

fn host(arguments: &McpArguments) -> anyhow::Result<Host> {
    let chosen = choice::choose(&arguments.task)?;
    let out = arguments.out.clone().unwrap_or_else(default_out_dir);
    std::fs::create_dir_all(&out)
        .with_context(|| format!("cannot make the folder {}", out.display()))?;
    let compat = Some(arguments.compat).filter(|compat| *compat != Compat::default());
    let compat = compat.map(|compat| compat.name().to_owned());
    let pictures = arguments.pictures.as_deref().map(PictureFolder::open).transpose()?;
    let pictures = PictureSource::in_folder(pictures);
    let ready = ReadyTask::new(
        &chosen.task,
        compat,
        fonts(arguments.fonts),
        &pictures,
        &environments().opener(),
    )?;
    let environment = ready.open(&environments().opener())?;
    let offer = Offer::new(&chosen.task.instruction, &ready, &*environment)?;
    let hosted = HostedTask {
        task: TaskRef { set: chosen.set, id: chosen.task.id },
        ready,
        open_environment: Box::new(environments().opener()),
        pause: Duration::from_millis(arguments.pause.get()),
        max_calls: arguments.max_calls.get(),
    };
    Ok(Host::new(offer, hosted, absolute(out), chosen.set_dir))
}

fn absolute(path: PathBuf) -> PathBuf {
    std::path::absolute(&path).unwrap_or(path)
}

async fn serve_stdio(host: &Arc<Host>) -> anyhow::Result<()> {
    let serving = async {
        match rmcp::serve_server(Guest::new(host, None), stdio_pipes()).await {
            Ok(service) => service.waiting().await.map(drop).context("the server broke down"),
            Err(ServerInitializeError::ConnectionClosed(_)) => {
                anyhow::bail!("the client left before it said what it is")
            }
            Err(error) => Err(error).context("the client did not begin as the protocol says"),
        }
    };
    let stopped = stopped();
    let mut serving = std::pin::pin!(serving);
    tokio::select! {
        served = &mut serving => served,
        () = stopped => {
            host.stop();
            Ok(())
        }
    }
}

/// Waits until somebody stops the program by Ctrl-C, or the system by its like; heard from the moment
/// this is called.
#[cfg(unix)]
fn stopped() -> impl Future<Output = ()> {
    use tokio::signal::unix::{Signal, SignalKind, signal};
    async fn heard(signal: Option<Signal>) {
        match signal {
            Some(mut signal) => drop(signal.recv().await),
            // It cannot be listened for: then it ends the program, as it always did.
            None => std::future::pending().await,
        }
    }
    let (interrupt, terminate) =
        (signal(SignalKind::interrupt()).ok(), signal(SignalKind::terminate()).ok());
    async {
        tokio::select! {
            () = heard(interrupt) => {}
            () = heard(terminate) => {}
        }
    }
}

/// Waits until somebody stops the program by Ctrl-C.
#[cfg(not(unix))]
async fn stopped() {
    tokio::signal::ctrl_c().await.ok();
}
