//! What `pentimento mcp` takes.

use std::net::SocketAddr;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;

use clap::Args;

use crate::cli::arguments::{compat, fonts};
use crate::environment::{Compat, FontSource};

/// Offer a task's canvas to other programs as an MCP server, and record what they do
///
/// The client gets the tools of the environment, the picture to arrive at as a resource, and the
/// instruction as a prompt. Every client that calls a tool makes a run of its own in
/// DIR/<set>/<task>/<client>-<n>, recorded while it happens like any other: a window that has DIR
/// open shows it and follows. A turn ends when the client has asked for nothing for the time of --pause.
///
/// Without --http the server speaks over stdin and stdout and ends with its client; with it, over
/// streamable HTTP at the path /mcp until Ctrl-C.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct McpArguments {
    /// The task: a task set, and after a # the task's id. A set of one task needs no id.
    #[arg(long, value_name = "SET#ID")]
    pub(super) task: String,
    /// Folder the runs are recorded in; made if it is missing. Without it: where the window
    /// records its own, Pentimento/runs in the home folder.
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Where the pictures of a design query are looked for, at any depth: PNG and JPEG by their names,
    /// SVG by title and keywords too.
    #[arg(long, value_name = "DIR")]
    pub(super) pictures: Option<PathBuf>,
    /// Serve streamable HTTP at this address instead, such as 127.0.0.1:8300; port 0 takes a free
    /// one. The address is printed to stdout; the token that clients have to send (Authorization:
    /// Bearer TOKEN) to stderr, or it is what PENTIMENTO_MCP_TOKEN says.
    #[arg(long, value_name = "ADDRESS")]
    pub(super) http: Option<SocketAddr>,
    /// Allow an address that other machines can reach. There is no encryption: put a proxy before it.
    #[arg(long, requires = "http")]
    pub(super) allow_remote: bool,
    /// A name that clients reach the server by, beside IP addresses and localhost; may be given
    /// several times.
    #[arg(long, value_name = "NAME", requires = "http")]
    pub(super) host_name: Vec<String>,
    /// Most clients at the same time.
    #[arg(long, value_name = "N", default_value = "16", requires = "http")]
    pub(super) sessions: NonZeroU32,
    /// A client that asks for nothing so long is gone.
    #[arg(long, value_name = "SECONDS", default_value = "1800", requires = "http")]
    pub(super) idle: NonZeroU64,
    /// A turn ends when no call has come for so long.
    #[arg(long, value_name = "MILLISECONDS", default_value = "250")]
    pub(super) pause: NonZeroU64,
    /// A run ends at so many calls.
    #[arg(long, value_name = "N", default_value = "10000")]
    pub(super) max_calls: NonZeroU32,
    /// Whose behaviour the tools follow where the published ones do not do what they say:
    /// documented; canvas-2026-01 to reproduce those of the canvas; graphicbench to take the values of
    /// the design suite's actions as its released executor does. The run remembers it.
    #[arg(long, value_name = "NAME", default_value = "documented", value_parser = compat)]
    pub(super) compat: Compat,
    /// Which fonts texts are set in: vendored, or machine, also those of this one. Without it, what
    /// PENTIMENTO_FONTS says, or else vendored.
    #[arg(long, value_name = "vendored|machine", value_parser = fonts)]
    pub(super) fonts: Option<FontSource>,
}

const EXAMPLES: &str = "\
Examples:
  Over stdio, as MCP clients start it:
    pentimento mcp --task sample_runs#sign-in --out runs
  Over HTTP, on a free port:
    pentimento mcp --task sample_runs#sign-in --out runs --http 127.0.0.1:0
  With a token of your own:
    PENTIMENTO_MCP_TOKEN=$(openssl rand -hex 32) pentimento mcp --task sample_runs#sign-in \\
      --http 127.0.0.1:8300

A client's settings for stdio, in the form most of them take:
  {\"mcpServers\": {\"canvas\": {\"command\": \"pentimento\",
    \"args\": [\"mcp\", \"--task\", \"/path/to/sample_runs#sign-in\", \"--out\", \"/path/to/runs\"]}}}";
