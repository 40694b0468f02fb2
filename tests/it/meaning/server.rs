//! A tiny HTTP server that answers what the test wrote down.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use pentimento::model::endpoint::EndpointSettings;
use serde_json::{Value, json};

/// What the server was asked: headers in lower case, and the body.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) headers: String,
    pub(crate) body: Value,
}

/// Answers one response a connection, in order; the last one from then on.
pub(crate) struct Server {
    address: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    pub(crate) fn answering(responses: &[String]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/v1", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (responses, seen) = (responses.to_vec(), Arc::clone(&asked));
        // Lives until the test's process ends.
        std::thread::Builder::new()
            .name("test server".to_owned())
            .spawn(move || serve(&listener, &responses, &seen))
            .unwrap();
        Self { address, asked }
    }

    /// Everything that it was asked so far.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// Settings that ask this server, quickly.
    pub(crate) fn settings(&self) -> EndpointSettings {
        EndpointSettings {
            base_url: self.address.clone(),
            model: "maker/eye-1".to_owned(),
            key_variable: "PENTIMENTO_TEST_NO_SUCH_KEY".to_owned(),
            timeout_secs: 5,
            attempts: 3,
            first_wait_ms: 1,
            ..EndpointSettings::default()
        }
    }
}

fn serve(listener: &TcpListener, responses: &[String], asked: &Mutex<Vec<Asked>>) {
    for stream in listener.incoming() {
        let mut stream = stream.unwrap();
        let at = {
            let mut asked = asked.lock().unwrap();
            asked.push(read(&stream));
            (asked.len() - 1).min(responses.len() - 1)
        };
        // A client that hung up is part of the tests.
        drop(stream.write_all(responses[at].as_bytes()));
    }
}

fn read(stream: &TcpStream) -> Asked {
    let mut reader = BufReader::new(stream);
    let mut headers = String::new();
    while !headers.ends_with("\r\n\r\n") && reader.read_line(&mut headers).unwrap() > 0 {}
    let headers = headers.to_lowercase();
    let length = headers
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "))
        .map_or(0, |length| length.trim().parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    Asked { headers, body: serde_json::from_slice(&body).unwrap() }
}

/// A response of this status, with more header lines and a body.
pub(crate) fn response(status: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n{body}"
    )
}

/// A chat completion that says this.
pub(crate) fn says(text: &str) -> String {
    let choice = json!({ "message": { "content": text }, "finish_reason": "stop" });
    response("200 OK", "", &json!({ "choices": [choice] }).to_string())
}
