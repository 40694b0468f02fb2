//! Addresses that people write.

use reqwest::Url;

/// An address that cannot be asked. Never shows it: it may hold a password.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an http or https address ({0})")]
pub struct AddressError(pub String);

/// The address of a path below a base address, such as `/chat/completions` below
/// `http://localhost:11434/v1/`. The path may have a query; the base's is kept beside it.
///
/// Refuses what is not http or https, and addresses with a name or a password in them.
pub fn checked_address(base: &str, path: &str) -> Result<String, AddressError> {
    let mut url = Url::parse(base.trim()).map_err(|error| AddressError(error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(AddressError("begin it with https://".to_owned()));
    }
    // Addresses are recorded and shown; a password in one would be too.
    if !url.username().is_empty() || url.password().is_some() {
        let why = "leave name and password out of it; keys go into the environment";
        return Err(AddressError(why.to_owned()));
    }
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let whole = format!("{}{path}", url.path().trim_end_matches('/'));
    url.set_path(&whole);
    url.set_fragment(None);
    let mut queries = vec![url.query().unwrap_or_default(), query];
    queries.retain(|query| !query.is_empty());
    let joined = queries.join("&");
    // None and not an empty one, which would leave a question mark.
    url.set_query(Some(joined.as_str()).filter(|query| !query.is_empty()));
    Ok(url.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_is_completed_whether_or_not_it_ends_in_a_slash() {
        for base in ["http://localhost:1/v1", " http://localhost:1/v1/ "] {
            let url = checked_address(base, "/chat/completions").unwrap();
            assert_eq!(url, "http://localhost:1/v1/chat/completions");
        }
    }

    #[test]
    fn queries_of_the_base_and_of_the_path_are_kept() {
        let url = checked_address("http://h/v1?version=2", "/m:stream?alt=sse").unwrap();
        assert_eq!(url, "http://h/v1/m:stream?version=2&alt=sse");
        assert_eq!(checked_address("http://h#f", "/a").unwrap(), "http://h/a");
    }

    #[test]
    fn what_is_no_part_of_a_path_is_written_as_one() {
        assert_eq!(checked_address("http://h", "/a b#c").unwrap(), "http://h/a%20b%23c");
    }

    #[test]
    fn addresses_that_cannot_be_asked_are_refused_without_showing_them() {
        for base in ["", "localhost", "file:///etc/passwd", "https://me:secret@host/v1"] {
            let error = checked_address(base, "/a").unwrap_err().to_string();
            assert!(!error.contains("secret"), "{error}");
        }
    }
}
