//! Who is let in over HTTP, by requests written by hand.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::Command;
use std::time::Duration;

use pentimento::run::{Outcome, folder, reader};
use serde_json::{Value, json};

use super::{Server, program, runs};

/// An answer.
struct Reply {
    status: u16,
    head: String,
    body: String,
}

impl Reply {
    fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    }

    /// The message in a stream of events.
    fn message(&self) -> Value {
        let mut data = self.body.lines().filter_map(|line| line.strip_prefix("data: "));
        let message = data.find(|data| data.starts_with('{'));
        serde_json::from_str(message.unwrap_or_else(|| panic!("{}", self.body))).unwrap()
    }
}

fn send(address: &str, method: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    write!(stream, "{method} /mcp HTTP/1.1\r\nConnection: close\r\n").unwrap();
    for (name, value) in headers {
        write!(stream, "{name}: {value}\r\n").unwrap();
    }
    write!(stream, "Content-Length: {}\r\n\r\n", body.len()).unwrap();
    // A server that has seen enough closes while more is sent.
    stream.write_all(body).ok();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).ok();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    Reply { status, head: head.to_owned(), body: body.to_owned() }
}

/// A client that knows the token, over plain requests.
struct Caller {
    address: String,
    session: Option<String>,
}

impl Caller {
    fn connect(server: &Server) -> Result<Self, Reply> {
        let mut caller = Self { address: server.address(), session: None };
        let me = json!({"name": "by hand", "version": "1"});
        let reply = caller
            .post(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params":
            {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": me}}));
        if reply.status != 200 {
            return Err(reply);
        }
        caller.session = reply.header("mcp-session-id").map(str::to_owned);
        assert_eq!(reply.message()["result"]["protocolVersion"], "2025-06-18");
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(caller.post(&ready).status, 202);
        Ok(caller)
    }

    fn headers<'a>(&'a self, bearer: &'a str) -> Vec<(&'a str, &'a str)> {
        let mut headers = vec![
            ("Host", self.address.as_str()),
            ("Authorization", bearer),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
        ];
        headers.extend(self.session.as_deref().map(|session| ("Mcp-Session-Id", session)));
        headers
    }

    fn post(&self, message: &Value) -> Reply {
        let bearer = format!("Bearer {}", Server::token());
        send(&self.address, "POST", &self.headers(&bearer), message.to_string().as_bytes())
    }

    fn draw(&self, id: u32) -> Value {
        let arguments = json!({"x": id, "y": id, "width": 10, "height": 10, "name": "Box"});
        self.post(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params":
            {"name": "create_rectangle", "arguments": arguments}}))
            .message()
    }

    fn leave(&self) -> u16 {
        let bearer = format!("Bearer {}", Server::token());
        send(&self.address, "DELETE", &self.headers(&bearer), b"").status
    }
}

#[test]
fn only_who_knows_the_token_and_calls_the_server_by_its_name_is_let_in() {
    let out = tempfile::tempdir().unwrap();
    let server = Server::start("sign-in", out.path(), &["--host-name", "canvas.test"]);
    let address = server.address();
    let good = format!("Bearer {}", Server::token());
    let near = format!("{}x", &good[..good.len() - 1]);
    let port = address.rsplit(':').next().unwrap();
    let (local, named, ip6) =
        (format!("localhost:{port}"), format!("Canvas.test:{port}"), format!("[::1]:{port}"));
    let evil = format!("evil.example:{port}");
    let sneaky = format!("localhost@evil.example:{port}");
    // An empty body is no message: whoever gets so far is told so with another status.
    for (host, bearer, origin, expected) in [
        (address.as_str(), Some(good.as_str()), None, None),
        (&local, Some(&good), None, None),
        (&named, Some(&good), None, None),
        (&ip6, Some(&good), None, None),
        (&address, None, None, Some(401)),
        (&address, Some(near.as_str()), None, Some(401)),
        (&address, Some(&Server::token()), None, Some(401)),
        (&address, Some("Bearer "), None, Some(401)),
        (&evil, Some(&good), None, Some(403)),
        (&sneaky, Some(&good), None, Some(403)),
        ("", Some(&good), None, Some(403)),
        (&address, Some(&good), Some("http://evil.example"), Some(403)),
        (&address, Some(&good), Some("null"), Some(403)),
    ] {
        let mut headers = vec![("Host", host), ("Content-Type", "application/json")];
        headers.push(("Accept", "application/json, text/event-stream"));
        headers.extend(bearer.map(|bearer| ("Authorization", bearer)));
        headers.extend(origin.map(|origin| ("Origin", origin)));
        let reply = send(&address, "POST", &headers, b"");
        let is_refused = matches!(reply.status, 401 | 403);
        let status = Some(reply.status).filter(|_| is_refused);
        assert_eq!(status, expected, "{headers:?}: {} {}", reply.head, reply.body);
        assert_ne!(reply.status, 0, "{headers:?}");
        if expected == Some(401) {
            assert!(reply.header("www-authenticate").unwrap().starts_with("Bearer"));
        }
    }
    assert_eq!(std::fs::read_dir(out.path()).unwrap().count(), 0, "nobody drew anything");
}

#[test]
fn sessions_and_requests_are_limited() {
    let out = tempfile::tempdir().unwrap();
    let server = Server::start("sign-in", out.path(), &["--sessions", "1"]);
    let first = Caller::connect(&server).ok().unwrap();
    let second = Caller::connect(&server).err().unwrap();
    assert_eq!(second.status, 503, "{}", second.body);
    assert_eq!(first.draw(2)["result"]["isError"], false);
    let large = vec![b' '; (16 << 20) + 1];
    let bearer = format!("Bearer {}", Server::token());
    let reply = send(&first.address, "POST", &first.headers(&bearer), &large);
    assert!(matches!(reply.status, 413 | 0), "{}", reply.head);
    assert_eq!(first.draw(3)["result"]["isError"], false, "the session goes on");
    assert_eq!(first.leave(), 204, "the official Python client takes no other for a success");
    let (_, run) = runs(out.path(), 1).remove(0);
    assert_eq!((run.steps.len(), &run.manifest.outcome), (2, &Outcome::Completed));
    let third = Caller::connect(&server).ok().expect("there is room again");
    assert_eq!(third.draw(2)["result"]["isError"], false);
    let said = server.stop();
    assert!(said.contains("recording into"), "{said}");
    let outcomes: Vec<Outcome> =
        runs(out.path(), 2).into_iter().map(|(_, run)| run.manifest.outcome).collect();
    assert_eq!(outcomes, [Outcome::Completed, Outcome::Cancelled], "stopped while one was open");
}

#[test]
fn a_session_that_asks_for_nothing_ends_at_its_limit() {
    let out = tempfile::tempdir().unwrap();
    let server = Server::start("sign-in", out.path(), &["--idle", "1"]);
    let caller = Caller::connect(&server).ok().unwrap();
    assert_eq!(caller.draw(2)["result"]["isError"], false);
    let (_, run) = runs(out.path(), 1).remove(0);
    let limit = Outcome::LimitReached("1 seconds without a request".into());
    assert_eq!((run.turns.len(), run.manifest.outcome), (1, limit));
    assert_eq!(caller.post(&json!({"jsonrpc": "2.0", "id": 9, "method": "ping"})).status, 404);
}

#[test]
fn a_connection_that_says_nothing_is_closed() {
    let out = tempfile::tempdir().unwrap();
    let server = Server::start("sign-in", out.path(), &["--idle", "1"]);
    let mut streams: Vec<TcpStream> =
        (0..20).map(|_| TcpStream::connect(server.address()).unwrap()).collect();
    for (at, stream) in streams.iter_mut().enumerate() {
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        // Some say nothing at all, some begin a request and never end it.
        stream.write_all(&b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: "[..at * 2]).unwrap();
    }
    for mut stream in streams {
        let mut said = Vec::new();
        match stream.read_to_end(&mut said) {
            Ok(_) => {}
            Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset),
        }
        assert!(!said.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&said));
    }
    let caller = Caller::connect(&server).ok().expect("others are served");
    assert_eq!(caller.draw(2)["result"]["isError"], false);
}

#[test]
fn quiet_connections_without_a_token_lock_nobody_out() {
    let out = tempfile::tempdir().unwrap();
    let server = Server::start("sign-in", out.path(), &[]);
    let first = Caller::connect(&server).ok().unwrap();
    // More than there may be at once.
    let quiet: Vec<TcpStream> =
        (0..600).filter_map(|_| TcpStream::connect(server.address()).ok()).collect();
    assert!(quiet.len() > 550);
    let began = std::time::Instant::now();
    let second = Caller::connect(&server).ok().expect("a client with the token is served");
    assert_eq!(second.draw(2)["result"]["isError"], false);
    assert_eq!(first.draw(2)["result"]["isError"], false);
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

#[test]
fn a_client_that_vanished_gives_its_place_to_one_that_comes() {
    let out = tempfile::tempdir().unwrap();
    let server = Server::start("sign-in", out.path(), &["--sessions", "1", "--idle", "30"]);
    let first = Caller::connect(&server).ok().unwrap();
    assert_eq!(first.draw(2)["result"]["isError"], false);
    assert_eq!(Caller::connect(&server).err().unwrap().status, 503, "it may come back yet");
    std::thread::sleep(Duration::from_millis(1500));
    let second = Caller::connect(&server).ok().expect("the first is gone");
    assert_eq!(second.draw(2)["result"]["isError"], false);
    let (_, run) = runs(out.path(), 2).remove(0);
    let Outcome::LimitReached(why) = &run.manifest.outcome else { panic!("{:?}", run.manifest) };
    assert!(why.contains("while others waited"), "{why}");
}

#[test]
fn a_server_that_is_killed_leaves_an_interrupted_run() {
    let out = tempfile::tempdir().unwrap();
    let server = Server::start("sign-in", out.path(), &["--pause", "10"]);
    let caller = Caller::connect(&server).ok().unwrap();
    caller.draw(2);
    std::thread::sleep(Duration::from_millis(300));
    caller.draw(3);
    let dir = pentimento::task::open(out.path()).unwrap().runs.remove(0).dir;
    assert!(folder::is_live(&dir), "an open window can tell that it is being recorded");
    // Dropped without a word, as by a power cut.
    drop(server);
    let run = reader::open(&dir).unwrap();
    assert_eq!(run.manifest.outcome, Outcome::Running);
    assert!(!folder::is_live(&dir) && !run.turns.is_empty() && !run.steps.is_empty());
}

#[test]
fn other_machines_are_let_in_only_if_that_is_said() {
    let out = tempfile::tempdir().unwrap();
    let output = program("sign-in", out.path()).args(["--http", "0.0.0.0:0"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{said}");
    assert!(said.contains("--allow-remote"), "{said}");
    let server = Server::start_at("0.0.0.0:0", "sign-in", out.path(), &["--allow-remote"]);
    assert!(server.url.starts_with("http://0.0.0.0:"), "{}", server.url);
    server.stop();
}

#[test]
fn a_token_is_made_and_printed_where_none_is_given_and_a_short_one_is_refused() {
    let out = tempfile::tempdir().unwrap();
    let mut command = program("sign-in", out.path());
    command.args(["--http", "127.0.0.1:0"]).env_remove("PENTIMENTO_MCP_TOKEN");
    let server = Server::spawn(command);
    let said = server.stop();
    let token = said.lines().find_map(|line| line.strip_prefix("token: ")).unwrap();
    assert!(token.len() == 64 && token.bytes().all(|byte| byte.is_ascii_hexdigit()), "{said}");
    let mut command: Command = program("sign-in", out.path());
    command.args(["--http", "127.0.0.1:0"]).env("PENTIMENTO_MCP_TOKEN", "short");
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("at least 16 characters"));
}
