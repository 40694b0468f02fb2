//! An HTTP server that plays what the test wrote down: bytes, pauses and cuts.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What the server does on a connection, one after the other; then it closes it.
#[derive(Clone, Debug)]
pub(super) enum Act {
    /// Sends these bytes.
    Send(Vec<u8>),
    /// Sends these bytes over and over until the client hangs up.
    Repeat(Vec<u8>, Duration),
    /// Sends nothing until the client hangs up.
    Hang,
}

/// A server that plays one list of acts a request, in order; the last one from then on.
pub(super) struct Server {
    pub(super) address: String,
    asked: Arc<Mutex<Vec<String>>>,
    hung_up: Arc<Mutex<Vec<Instant>>>,
}

impl Server {
    pub(super) fn playing(plays: Vec<Vec<Act>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/v1", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let hung_up = Arc::new(Mutex::new(Vec::new()));
        let (seen, left) = (Arc::clone(&asked), Arc::clone(&hung_up));
        // Lives until the test's process ends.
        std::thread::Builder::new()
            .name("test server".to_owned())
            .spawn(move || {
                for stream in listener.incoming() {
                    let stream = stream.unwrap();
                    let at = {
                        let mut seen = seen.lock().unwrap();
                        seen.push(read(&stream));
                        (seen.len() - 1).min(plays.len() - 1)
                    };
                    play(stream, &plays[at], &left);
                }
            })
            .unwrap();
        Self { address, asked, hung_up }
    }

    /// Plays these answers, each whole.
    pub(super) fn answering(answers: &[String]) -> Self {
        Self::playing(answers.iter().map(|answer| vec![Act::Send(answer.clone().into())]).collect())
    }

    /// Everything that it was asked so far, heads and bodies.
    pub(super) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    /// When clients hung up on it.
    pub(super) fn hung_up(&self) -> Vec<Instant> {
        self.hung_up.lock().unwrap().clone()
    }
}

fn play(mut stream: TcpStream, acts: &[Act], hung_up: &Mutex<Vec<Instant>>) {
    for act in acts {
        // A client that hung up is part of the tests.
        let gone = match act {
            Act::Send(bytes) => stream.write_all(bytes).is_err(),
            Act::Repeat(bytes, every) => loop {
                if stream.write_all(bytes).is_err() {
                    break true;
                }
                std::thread::sleep(*every);
            },
            Act::Hang => !matches!(stream.read(&mut [0; 1]), Ok(1)),
        };
        if gone {
            hung_up.lock().unwrap().push(Instant::now());
            return;
        }
    }
}

fn read(stream: &TcpStream) -> String {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head).unwrap_or(0) > 0 {}
    let length = head.to_lowercase();
    let length = length.lines().find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.map_or(0, |length| length.trim().parse().unwrap())];
    reader.read_exact(&mut body).unwrap();
    head + &String::from_utf8(body).unwrap()
}

/// A response with a length.
pub(super) fn response(status: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n{body}"
    )
}

/// A stream that is whole when the connection ends properly: its chunks.
pub(super) fn stream(body: &str) -> String {
    let length = body.len();
    let head = stream_head();
    format!("{head}{length:x}\r\n{body}\r\n0\r\n\r\n")
}

/// The same stream, but the connection ends after the body without saying that it is the end.
pub(super) fn cut_stream(body: &str) -> String {
    let length = body.len();
    let head = stream_head();
    format!("{head}{length:x}\r\n{body}\r\n")
}

pub(super) fn stream_head() -> &'static str {
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\
     transfer-encoding: chunked\r\n\r\n"
}
