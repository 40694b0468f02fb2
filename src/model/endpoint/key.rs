//! The key of an endpoint, which must not be shown to anyone.

use reqwest::header::HeaderValue;

use super::EndpointError;

/// What stands in a text where the key stood.
const REDACTED: &str = "[key]";

/// A key. Cannot be printed, compared or written; [`ApiKey::redact`] takes it out of texts.
#[derive(Clone)]
pub(super) struct ApiKey(String);

impl ApiKey {
    /// The key in an environment variable; `None` if there is none, or a blank one.
    pub(super) fn from_variable(variable: &str) -> Result<Option<Self>, EndpointError> {
        let Some(key) = std::env::var_os(variable) else { return Ok(None) };
        let unusable = || EndpointError::UnusableKey { variable: variable.to_owned() };
        Self::new(key.to_str().ok_or_else(unusable)?, variable)
    }

    /// A key from its text; `None` if it is blank.
    pub(super) fn new(key: &str, variable: &str) -> Result<Option<Self>, EndpointError> {
        let key = key.trim();
        if key.is_empty() {
            return Ok(None);
        }
        let sendable = key.bytes().all(|byte| byte.is_ascii_graphic());
        let unusable = || EndpointError::UnusableKey { variable: variable.to_owned() };
        if sendable { Ok(Some(Self(key.to_owned()))) } else { Err(unusable()) }
    }

    /// The header that shows the key to the endpoint, marked so that no log shows it.
    pub(super) fn header(&self) -> Option<HeaderValue> {
        let mut value = HeaderValue::from_str(&format!("Bearer {}", self.0)).ok()?;
        value.set_sensitive(true);
        Some(value)
    }

    /// The text with the key taken out, wherever it stands.
    pub(super) fn redact(&self, text: &str) -> String {
        text.replace(&self.0, REDACTED)
    }
}

impl std::fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(REDACTED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_never_printed() {
        let key = ApiKey::new("sk-secret", "KEY").unwrap().unwrap();
        assert_eq!(format!("{key:?}"), "[key]");
        assert_eq!(key.redact("wrong key sk-secret!"), "wrong key [key]!");
        assert_eq!(format!("{:?}", key.header().unwrap()), "Sensitive");
    }

    #[test]
    fn a_blank_key_is_none_and_one_that_cannot_be_sent_is_named_by_its_variable() {
        assert!(ApiKey::new(" \n", "KEY").unwrap().is_none());
        let error = ApiKey::new("sk-\u{1f511}", "MY_KEY").unwrap_err().to_string();
        assert!(error.contains("MY_KEY") && !error.contains("sk-"), "{error}");
    }
}
