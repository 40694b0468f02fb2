//! The server over streamable HTTP.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use axum::Router;
use axum::middleware::from_fn_with_state;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};

use super::arguments::McpArguments;
use super::auth::{self, Auth, token_from_environment};
use super::connections::{Behind, Connections};
use super::server::Server;
use super::session::ClientSession;
use crate::cli::output::{note, print};

/// Where the server answers.
const PATH: &str = "/mcp";
/// Largest request, in bytes: a graphic with its escapes fits.
const MOST_BYTES: usize = 16 << 20;
/// How long a connection may be quiet; streams of events are written to more often.
const QUIET: Duration = Duration::from_mins(1);
/// A client without a connection that has asked for nothing for this part of the idle time is gone: its
/// place is another's who wants it.
const GONE_SHARE: u32 = 30;
/// How long open connections may take to end.
const GRACE: Duration = Duration::from_secs(2);

/// Serves until `stopped`.
pub(super) async fn serve(
    server: &Arc<Server>,
    address: SocketAddr,
    arguments: &McpArguments,
    stopped: impl Future<Output = ()>,
) -> anyhow::Result<()> {
    anyhow::ensure!(
        address.ip().is_loopback() || arguments.allow_remote,
        "other machines could reach {address}: add --allow-remote if that is meant"
    );
    let (token, made) = token_from_environment()?;
    // Bound before anything is printed: whoever reads the address may connect at once.
    let listener = tokio::net::TcpListener::bind(address)
        .await
        .with_context(|| format!("cannot listen at {address}"))?;
    let address = listener.local_addr().context("the address is not known")?;
    let most_sessions = arguments.sessions.get() as usize;
    let idle = Duration::from_secs(arguments.idle.get());
    let mut sessions = LocalSessionManager::default();
    sessions.session_config.keep_alive = Some(idle);
    let (sessions, attendance) = (Arc::new(sessions), Arc::default());
    let auth = Auth {
        token,
        names: arguments.host_name.clone(),
        most_sessions,
        server: Arc::clone(server),
        attendance: Arc::clone(&attendance),
        sessions: Arc::clone(&sessions),
        gone: idle / GONE_SHARE,
    };
    // The library would check names too, but knows none of those that were given.
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .enforce_origin_validation()
        .with_max_request_body_bytes(MOST_BYTES);
    let ending = config.cancellation_token.clone();
    let of_sessions = Arc::clone(server);
    let service = StreamableHttpService::new(
        move || {
            // `auth` says it in better words; this holds when many come at the same moment.
            if of_sessions.sessions() > most_sessions {
                return Err(io::Error::other("there are too many sessions"));
            }
            Ok(ClientSession::new(&of_sessions, Some(idle)))
        },
        sessions,
        config,
    );
    // The layer is outside the service, so that nothing unasked for reaches the protocol's library.
    let router = Router::new()
        .route_service(PATH, service)
        .layer(from_fn_with_state(Arc::new(auth), auth::pass));
    if let Some(token) = made {
        note(&format!("token: {token}"));
    }
    print(&format!("http://{address}{PATH}"))?;
    let ended = ending.clone();
    // A session that is idle for less than a minute must not outlive its connection by that minute.
    let connections = Connections::new(listener, idle.min(QUIET), &attendance);
    let served = axum::serve(connections, router.into_make_service_with_connect_info::<Behind>())
        .with_graceful_shutdown(async move { ended.cancelled().await });
    let mut served = std::pin::pin!(async move { served.await });
    tokio::select! {
        done = &mut served => return done.context("the server ended"),
        () = stopped => {}
    }
    // First the server, so that the sessions which end now say that somebody stopped them.
    server.stop();
    ending.cancel();
    // What has not ended by then is cut; the runs are safe in any case.
    tokio::time::timeout(GRACE, served).await.ok();
    Ok(())
}
