//! Over TLS: a server is believed if an authority vouches for it that the system or `ca_file` names.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pentimento::agent::chat::{ChatError, RetryCause};
use pentimento::agent::providers::{Provider, ProviderKind, ProviderSettings};
use pentimento::base::Variables;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use super::asking::{ask, question, settings};
use super::server::stream;
use super::streams;

/// An authority that vouches for servers on this machine.
struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pem: String,
}

impl Authority {
    fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let pem = params.self_signed(&key).unwrap().pem();
        Self { issuer: Issuer::new(params, key), pem }
    }

    fn file(&self, dir: &Path, name: &str) -> PathBuf {
        let path = dir.join(name);
        std::fs::write(&path, &self.pem).unwrap();
        path
    }

    /// A server for `localhost` that answers everything with this; its address.
    fn server(&self, answer: String) -> String {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(
                vec![certificate.der().clone()],
                PrivateKeyDer::try_from(key.serialize_der()).unwrap(),
            )
            .unwrap();
        let config = Arc::new(config);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        // Lives until the test's process ends.
        std::thread::Builder::new()
            .spawn(move || {
                for stream in listener.incoming() {
                    let connection = ServerConnection::new(Arc::clone(&config)).unwrap();
                    let mut tls = StreamOwned::new(connection, stream.unwrap());
                    // A client that does not believe the certificate hangs up.
                    if read(&mut tls) {
                        tls.write_all(answer.as_bytes()).ok();
                        tls.conn.send_close_notify();
                        tls.flush().ok();
                    }
                }
            })
            .unwrap();
        format!("https://localhost:{port}/v1")
    }
}

/// Reads a request; whether there was one.
fn read(tls: &mut impl std::io::Read) -> bool {
    let mut reader = BufReader::new(tls);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).unwrap_or(0) == 0 {
            return false;
        }
    }
    let head = head.to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.map_or(0, |length| length.trim().parse().unwrap())];
    reader.read_exact(&mut body).is_ok()
}

fn asked(address: &str, ca_file: Option<PathBuf>) -> Result<String, ChatError> {
    let kind = ProviderKind::ChatCompletions;
    let settings = ProviderSettings {
        ca_file,
        attempts: 1,
        // Nobody's proxy stands between this machine and itself.
        proxy: Some(String::new()),
        ..settings(kind, address)
    };
    let provider = Provider::new(settings, &Variables::default()).unwrap();
    ask(&provider, &question("?")).0.map(|answer| answer.message.text)
}

#[test]
fn a_server_is_believed_if_the_file_of_authorities_vouches_for_it_and_refused_without() {
    let dir = tempfile::tempdir().unwrap();
    let (authority, other) = (Authority::new(), Authority::new());
    let address = authority.server(stream(&streams::of(ProviderKind::ChatCompletions)));
    let believed = asked(&address, Some(authority.file(dir.path(), "ca.pem")));
    assert_eq!(believed.unwrap(), "I draw it.");
    for ca_file in [None, Some(other.file(dir.path(), "other.pem"))] {
        let error = asked(&address, ca_file.clone()).unwrap_err();
        assert!(
            matches!(&error, ChatError::GaveUp { cause: RetryCause::Unreachable { .. }, .. }),
            "{error}"
        );
        assert!(error.to_string().contains("certificate"), "{ca_file:?}: {error}");
    }
    // The name it is called by has to be one that the authority vouches for, too.
    let by_number = address.replace("localhost", "127.0.0.1");
    let error = asked(&by_number, Some(authority.file(dir.path(), "ca.pem"))).unwrap_err();
    assert!(error.to_string().contains("certificate"), "{error}");
}

#[test]
fn a_file_of_authorities_that_is_none_is_said_before_anything_is_asked() {
    let dir = tempfile::tempdir().unwrap();
    let text = dir.path().join("notes.txt");
    std::fs::write(&text, "no certificate").unwrap();
    for (path, words) in [
        (dir.path().join("gone.pem"), "cannot be read"),
        (text, "there is no certificate in"),
        (dir.path().to_path_buf(), "it is a folder, not a file"),
    ] {
        let settings = ProviderSettings {
            ca_file: Some(path),
            ..settings(ProviderKind::Anthropic, "https://localhost:1/v1")
        };
        let error = Provider::new(settings, &Variables::default()).unwrap_err().to_string();
        assert!(error.contains("the file of authorities") && error.contains(words), "{error}");
    }
}
