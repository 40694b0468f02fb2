//! The MCP server, judged by clients that are not ours.
//!
//! `tests/run` puts the official Python client at `target/tools/mcp-python` and the official inspector
//! at `target/tools/mcp-inspector`, both pinned in `tests/data/mcp`.

mod follow;
mod gate;
mod inspector;
mod python;
mod stdio;

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use pentimento::run::{Run, folder, reader};

use crate::tools;

/// The token of every server here.
const TOKEN: &str = "a-token-of-the-tests-alone";
const PATIENCE: Duration = Duration::from_mins(1);

/// A task of the shipped samples.
pub(super) fn task(id: &str) -> String {
    format!("{}/sample_runs#{id}", env!("CARGO_MANIFEST_DIR"))
}

/// The program as a server that records into `out`.
pub(super) fn program(id: &str, out: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pentimento"));
    command.args(["mcp", "--task", &task(id), "--out"]).arg(out);
    command.env("PENTIMENTO_MCP_TOKEN", TOKEN);
    command
}

/// A server over HTTP, ended with this value.
pub(super) struct Server {
    child: Child,
    pub(super) url: String,
    _stdout: BufReader<ChildStdout>,
}

impl Server {
    pub(super) fn start(id: &str, out: &Path, more: &[&str]) -> Self {
        Self::start_at("127.0.0.1:0", id, out, more)
    }

    pub(super) fn start_at(address: &str, id: &str, out: &Path, more: &[&str]) -> Self {
        let mut command = program(id, out);
        command.args(["--http", address]).args(more);
        Self::spawn(command)
    }

    pub(super) fn spawn(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut url = String::new();
        stdout.read_line(&mut url).unwrap();
        if url.is_empty() {
            let mut why = String::new();
            child.stderr.take().unwrap().read_to_string(&mut why).unwrap();
            panic!("the server does not start: {why}");
        }
        Self { child, url: url.trim().to_owned(), _stdout: stdout }
    }

    pub(super) fn token() -> String {
        TOKEN.to_owned()
    }

    /// The address without the path.
    pub(super) fn address(&self) -> String {
        self.url.trim_start_matches("http://").trim_end_matches("/mcp").to_owned()
    }

    /// Asks the server to stop, as the system or a person does, and gives what it said.
    pub(super) fn stop(mut self) -> String {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        let status = self.child.wait().unwrap();
        assert!(status.success(), "{status}: {said}");
        said
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// Every run below a folder, in natural order, when so many are there and none is being recorded.
pub(super) fn runs(out: &Path, count: usize) -> Vec<(PathBuf, Run)> {
    let began = Instant::now();
    loop {
        let opened = pentimento::task::open(out).map(|opened| opened.runs).unwrap_or_default();
        let dirs: Vec<PathBuf> = opened.into_iter().map(|run| run.dir).collect();
        if dirs.len() >= count && !dirs.iter().any(|dir| folder::is_live(dir)) {
            assert_eq!(dirs.len(), count, "{dirs:?}");
            return dirs
                .into_iter()
                .map(|dir| (dir.clone(), reader::open(&dir).unwrap()))
                .collect();
        }
        assert!(began.elapsed() < PATIENCE, "{} of {count} runs in {}", dirs.len(), out.display());
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The Python of the official client.
pub(super) fn python() -> Option<PathBuf> {
    tools::path("mcp-python/bin/python")
}
