//! `pentimento mcp`: the canvas of a task as an MCP server.
//!
//! - [`catalog`] is what every client is offered, in the protocol's words;
//! - [`server`] is what all clients share, a [`session`] is one of them: what it calls is made and
//!   recorded by a [hosted run](crate::agent::hosted), one a client;
//! - [`http`] serves many clients behind [`auth`], over [`connections`] that end when they are quiet and
//!   say which client is gone; without it one is served over stdin and stdout.
//!
//! Everything that waits is on one thread; tools and pictures are on the threads of the runs, so that
//! calls are made in the order they come in and none keeps another client waiting.

mod arguments;
mod auth;
mod catalog;
mod connections;
mod http;
mod server;
mod session;

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use rmcp::service::ServerInitializeError;
use rmcp::transport::stdio_pipes;

pub(super) use arguments::McpArguments;

use crate::agent::hosted::HostedTask;
use crate::agent::runner::RunSettings;
use crate::agent::{CpuPool, PictureSource, PreparedTask};
use crate::app::default_out_dir;
use crate::environment::Compat;
use crate::run::TaskRef;
use crate::task::PictureFolder;

use crate::cli::chosen_task::choose;
use crate::cli::environments::{environments, fonts};
use catalog::Catalog;
use server::Server;
use session::ClientSession;

/// Does the command.
pub(super) fn serve(arguments: &McpArguments) -> anyhow::Result<()> {
    let server = Arc::new(server(arguments)?);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("the server cannot be started")?;
    let served = runtime.block_on(async {
        match arguments.http {
            Some(address) => http::serve(&server, address, arguments, stopped()).await,
            None => serve_stdio(&server).await,
        }
    });
    // Whatever ended it, the runs that are left are recorded to their end before the program goes.
    let not_whole = server.finish();
    // A read of stdin that nobody can stop must not keep the program.
    runtime.shutdown_background();
    served?;
    anyhow::ensure!(not_whole == 0, "{not_whole} of the runs could not be recorded to the end");
    Ok(())
}

fn server(arguments: &McpArguments) -> anyhow::Result<Server> {
    let chosen = choose(&arguments.task)?;
    let out = arguments.out.clone().unwrap_or_else(default_out_dir);
    std::fs::create_dir_all(&out)
        .with_context(|| format!("cannot make the folder {}", out.display()))?;
    // Manifests say only what is not documented behaviour.
    let compat = Some(arguments.compat).filter(|compat| *compat != Compat::default());
    let settings = RunSettings { compat, fonts: fonts(arguments.fonts), ..RunSettings::default() };
    let pictures = arguments.pictures.as_deref().map(PictureFolder::open).transpose()?;
    let pictures = PictureSource::in_folder(pictures);
    let prepared = PreparedTask::new(&chosen.task, &settings, &pictures, &environments().opener())?;
    let environment = prepared.open(&environments().opener())?;
    let catalog = Catalog::new(&chosen.task.instruction, &prepared, &*environment)?;
    let hosted = HostedTask {
        task: TaskRef { set: chosen.set, id: chosen.task.id.clone() },
        prepared,
        open_environment: Box::new(environments().opener()),
        pause: Duration::from_millis(arguments.pause.get()),
        max_calls: arguments.max_calls.get(),
        // Each on a thread of its own: clients wait for their calls.
        cpu: CpuPool::default(),
    };
    // Absolute, as runs remember where their task set is relative to themselves.
    let out = std::path::absolute(&out).unwrap_or(out);
    Ok(Server::new(catalog, hosted, out, chosen.set_dir))
}

async fn serve_stdio(server: &Arc<Server>) -> anyhow::Result<()> {
    let serving = async {
        match rmcp::serve_server(ClientSession::new(server, None), stdio_pipes()).await {
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
            server.stop();
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
