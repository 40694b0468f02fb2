//! AWS Signature Version 4: says who asks without sending the secret (AWS, "Create a signed AWS API
//! request", docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html).
//!
//! Our own: five HMACs over a text that the documentation spells out, held to AWS's published vectors.
//! The crate `aws-sigv4` would bring eight more (`aws-smithy-*`, `aws-credential-types`) with a runtime's
//! types of their own; `sha2` and `hmac` are in the program already, for the system's keyring.

use hmac::{Hmac, KeyInit as _, Mac as _};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use sha2::{Digest as _, Sha256};

use super::{WireHeader, WireRequest};

/// The name of the way of signing.
const ALGORITHM: &str = "AWS4-HMAC-SHA256";

/// Who asks for AWS.
#[derive(Clone, Copy)]
pub(super) struct AwsCredentials<'a> {
    pub(super) access_key_id: &'a str,
    pub(super) secret_access_key: &'a str,
    /// What credentials that end have beside the two.
    pub(super) session_token: Option<&'a str>,
}

/// What a signature is good for.
#[derive(Clone, Copy, Debug)]
pub struct SigningScope<'a> {
    /// The region, such as `us-east-1`.
    pub region: &'a str,
    /// The service's name in signatures, such as `bedrock`.
    pub service: &'a str,
    /// When it is signed; services take it for some minutes.
    pub at: Timestamp,
}

/// A request as far as a signature is about it.
struct Signable<'a> {
    method: &'a str,
    /// The path as it is sent.
    path: &'a str,
    /// The query as it is sent, without its question mark.
    query: &'a str,
    /// The headers that are signed, names in lower case.
    headers: Vec<(String, String)>,
    body: &'a [u8],
}

/// The headers that sign a POST: the time, the session's token if there is one, and the signature. Its
/// `content-type`, its host and every `x-amz-` header are signed, the others may change on their way.
pub(super) fn signature_headers(
    request: &WireRequest,
    credentials: AwsCredentials<'_>,
    scope: SigningScope<'_>,
) -> Vec<WireHeader> {
    let rest = request.url.split_once("://").map_or("", |(_, rest)| rest);
    let (host, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let mut added = vec![WireHeader::new("x-amz-date", &long_date(scope.at))];
    if let Some(token) = credentials.session_token {
        added.push(WireHeader::secret("x-amz-security-token", token));
    }
    let signed = request.headers.iter().chain(&added);
    let signed = signed.filter(|it| it.name == "content-type" || it.name.starts_with("x-amz-"));
    let mut headers: Vec<(String, String)> =
        signed.map(|header| (header.name.clone(), header.value.clone())).collect();
    headers.push(("host".to_owned(), host.to_owned()));
    let signable = Signable { method: "POST", path, query, headers, body: &request.body };
    added.push(WireHeader::secret("authorization", &signable.authorization(credentials, scope)));
    added
}

impl Signable<'_> {
    fn authorization(&self, credentials: AwsCredentials<'_>, scope: SigningScope<'_>) -> String {
        let to_sign = self.string_to_sign(scope);
        // Each key is good for less than the one before: the secret, a day, a region, a service.
        let secret = format!("AWS4{}", credentials.secret_access_key);
        let mut key = hmac(secret.as_bytes(), short_date(scope.at).as_bytes());
        for part in [scope.region, scope.service, "aws4_request"] {
            key = hmac(&key, part.as_bytes());
        }
        let signature = hex(&hmac(&key, to_sign.as_bytes()));
        format!(
            "{ALGORITHM} Credential={}/{}, SignedHeaders={}, Signature={signature}",
            credentials.access_key_id,
            scope_text(scope),
            self.signed_names(),
        )
    }

    fn string_to_sign(&self, scope: SigningScope<'_>) -> String {
        let canonical = hex(&Sha256::digest(self.canonical_request().as_bytes()));
        format!("{ALGORITHM}\n{}\n{}\n{canonical}", long_date(scope.at), scope_text(scope))
    }

    fn canonical_request(&self) -> String {
        let mut headers = String::new();
        for (name, values) in self.canonical_headers() {
            headers.extend([name, ":", &values.join(","), "\n"]);
        }
        format!(
            "{}\n{}\n{}\n{headers}\n{}\n{}",
            self.method,
            canonical_path(self.path),
            canonical_query(self.query),
            self.signed_names(),
            hex(&Sha256::digest(self.body)),
        )
    }

    /// By name; the values of one name stay in their order.
    fn canonical_headers(&self) -> Vec<(&str, Vec<String>)> {
        let mut sorted: Vec<_> = self.headers.iter().collect();
        sorted.sort_by(|a, b| a.0.cmp(&b.0));
        let mut headers: Vec<(&str, Vec<String>)> = Vec::new();
        for (name, value) in sorted {
            // Blanks around a value and rows of them within it are one to whoever reads it.
            let value = value.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
            match headers.last_mut() {
                Some((last, values)) if *last == name => values.push(value),
                _ => headers.push((name, vec![value])),
            }
        }
        headers
    }

    fn signed_names(&self) -> String {
        let headers = self.canonical_headers();
        headers.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(";")
    }
}

/// The path with what is encoded in it encoded once more, as every service but S3 wants it; without
/// empty segments, `.` and `..`.
fn canonical_path(path: &str) -> String {
    let mut segments: Vec<&str> = Vec::new();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => drop(segments.pop()),
            segment => segments.push(segment),
        }
    }
    let is_folder = ["/", "/.", "/.."].iter().any(|end| path.ends_with(end));
    let slash = if is_folder && !segments.is_empty() { "/" } else { "" };
    format!("/{}{slash}", encode_bytes(segments.join("/").as_bytes(), "/"))
}

/// The query's fields by name and value, encoded as signatures want them however they were sent.
fn canonical_query(query: &str) -> String {
    let fields = query.split('&').filter(|field| !field.is_empty());
    let mut fields: Vec<(String, String)> = fields
        .map(|field| field.split_once('=').unwrap_or((field, "")))
        .map(|(name, value)| (encode_bytes(&decode(name), ""), encode_bytes(&decode(value), "")))
        .collect();
    fields.sort_unstable();
    fields.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("&")
}

/// What percent-encoded text stands for; a `%` that begins no byte stands for itself.
fn decode(text: &str) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let mut ahead = bytes.clone();
        let digits = [ahead.next(), ahead.next()]
            .map(|digit| digit.and_then(|it| char::from(it).to_digit(16)));
        match (byte, digits) {
            (b'%', [Some(high), Some(low)]) => {
                decoded.push((high * 16 + low) as u8);
                bytes = ahead;
            }
            _ => decoded.push(byte),
        }
    }
    decoded
}

/// Percent-encoding as RFC 3986 has it: letters, digits and `-._~` stay, and what is in `also`.
fn encode_bytes(bytes: &[u8], also: &str) -> String {
    let mut encoded = String::with_capacity(bytes.len());
    for &byte in bytes {
        if byte.is_ascii_alphanumeric()
            || b"-._~".contains(&byte)
            || also.as_bytes().contains(&byte)
        {
            encoded.push(char::from(byte));
        } else {
            encoded.push('%');
            encoded.push_str(&hex(&[byte]).to_uppercase());
        }
    }
    encoded
}

/// A part of a path with everything encoded that is not plain, slashes and colons among it: names of
/// models may be ARNs.
pub fn encode_path_segment(text: &str) -> String {
    encode_bytes(text.as_bytes(), "")
}

fn scope_text(scope: SigningScope<'_>) -> String {
    format!("{}/{}/{}/aws4_request", short_date(scope.at), scope.region, scope.service)
}

fn short_date(at: Timestamp) -> String {
    at.to_zoned(TimeZone::UTC).strftime("%Y%m%d").to_string()
}

fn long_date(at: Timestamp) -> String {
    at.to_zoned(TimeZone::UTC).strftime("%Y%m%dT%H%M%SZ").to_string()
}

fn hmac(key: &[u8], message: &[u8]) -> Vec<u8> {
    // Keys of any length are taken: what is longer than a block is hashed first.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else { return Vec::new() };
    mac.update(message);
    mac.finalize().into_bytes().to_vec()
}

fn hex_digit(value: u8) -> char {
    char::from_digit(u32::from(value), 16).unwrap_or('0')
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(hex_digit).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn text(value: &Value) -> &str {
        value.as_str().unwrap()
    }

    #[test]
    fn the_published_vectors_are_signed_as_published() {
        let vectors: Value =
            serde_json::from_str(include_str!("../../../tests/data/sigv4.json")).unwrap();
        let credentials = AwsCredentials {
            access_key_id: text(&vectors["access_key_id"]),
            secret_access_key: text(&vectors["secret_access_key"]),
            session_token: None,
        };
        let cases = vectors["cases"].as_array().unwrap();
        assert!(cases.len() > 25, "{}", cases.len());
        for case in cases {
            let name = text(&case["name"]);
            let headers = case["headers"].as_array().unwrap().iter();
            let headers = headers.map(|it| (text(&it[0]).to_owned(), text(&it[1]).to_owned()));
            let signable = Signable {
                method: text(&case["method"]),
                path: text(&case["path"]),
                query: text(&case["query"]),
                headers: headers.collect(),
                body: text(&case["body"]).as_bytes(),
            };
            let scope = SigningScope {
                region: text(&case["region"]),
                service: text(&case["service"]),
                at: text(&case["at"]).parse().unwrap(),
            };
            assert_eq!(signable.canonical_request(), text(&case["canonical_request"]), "{name}");
            assert_eq!(signable.string_to_sign(scope), text(&case["string_to_sign"]), "{name}");
            let authorization = signable.authorization(credentials, scope);
            assert_eq!(authorization, text(&case["authorization"]), "{name}");
        }
    }

    #[test]
    fn a_model_named_by_its_arn_is_one_segment_encoded_twice() {
        let segment =
            encode_path_segment("arn:aws:bedrock:eu-west-1:1:inference-profile/eu.m-v1:0");
        assert_eq!(
            segment,
            "arn%3Aaws%3Abedrock%3Aeu-west-1%3A1%3Ainference-profile%2Feu.m-v1%3A0"
        );
        let path = canonical_path(&format!("/model/{segment}/converse"));
        assert!(
            path.starts_with("/model/arn%253Aaws%253A") && path.ends_with("/converse"),
            "{path}"
        );
    }

    #[test]
    fn signed_are_the_host_the_type_and_what_is_amazons() {
        let request = WireRequest {
            url: "https://bedrock-runtime.eu-west-1.amazonaws.com:8443/model/m/converse".to_owned(),
            headers: vec![
                WireHeader::new("content-type", "application/json"),
                WireHeader::new("x-project", "study"),
            ],
            body: b"{}".to_vec(),
        };
        let credentials = AwsCredentials {
            access_key_id: "AKID",
            secret_access_key: "secret-secret",
            session_token: Some("token-token"),
        };
        let at = "2026-01-02T03:04:05Z".parse().unwrap();
        let scope = SigningScope { region: "eu-west-1", service: "bedrock", at };
        let headers = signature_headers(&request, credentials, scope);
        let names: Vec<&str> = headers.iter().map(|header| header.name.as_str()).collect();
        assert_eq!(names, ["x-amz-date", "x-amz-security-token", "authorization"]);
        assert_eq!(headers[0].value, "20260102T030405Z");
        let signature = &headers[2].value;
        assert!(
            signature.contains("Credential=AKID/20260102/eu-west-1/bedrock/aws4_request")
                && signature
                    .contains("SignedHeaders=content-type;host;x-amz-date;x-amz-security-token"),
            "{signature}"
        );
        assert!(!format!("{headers:?}").contains("token-token"));
        let moved = WireRequest { body: b"{ }".to_vec(), ..request };
        assert_ne!(&signature_headers(&moved, credentials, scope)[2].value, signature);
    }
}
