//! The key of an endpoint, which must not be shown to anyone.

use super::redactor::REDACTED;
use super::sigv4::{AwsCredentials, SigningScope, signature_headers};
use super::{Redactor, WireHeader, WireRequest};
use crate::base::Variables;

/// Fewest characters of a key that is taken out of texts. Servers of one's own want keys such as `x`
/// or `none`, which are no secrets, and taking them out would break every text.
const FEWEST_CHARS: usize = 8;

/// A key. Cannot be printed, compared or written; [`ApiKey::redact`] takes it out of texts, and
/// [`ApiKey::redactor`] out of bytes that come bit by bit.
///
/// For AWS it may be credentials: `ID:SECRET` or `ID:SECRET:TOKEN` ([`Self::signature`]).
#[derive(Clone)]
pub struct ApiKey(String);

/// A key holds characters that cannot be sent. Does not show it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the key in {place} holds characters that cannot be sent; set it again")]
pub struct UnusableKey {
    /// Where it comes from, such as the name of an environment variable.
    pub place: String,
}

impl ApiKey {
    /// The key in an environment variable; `None` if there is none, or a blank one.
    pub fn from_variable(
        variables: &Variables,
        variable: &str,
    ) -> Result<Option<Self>, UnusableKey> {
        let Some(key) = variables.get(variable) else { return Ok(None) };
        match key.to_str() {
            Some(key) => Self::new(key, variable),
            None => Err(UnusableKey { place: variable.to_owned() }),
        }
    }

    /// A key from its text; `None` if it is blank. `place` is where it comes from, for the error.
    pub fn new(key: &str, place: &str) -> Result<Option<Self>, UnusableKey> {
        let key = key.trim();
        if key.is_empty() {
            return Ok(None);
        }
        // A line break in a header would begin another one.
        if !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(UnusableKey { place: place.to_owned() });
        }
        Ok(Some(Self(key.to_owned())))
    }

    /// `authorization: Bearer KEY`, marked so that nothing shows it.
    pub fn bearer(&self) -> WireHeader {
        WireHeader::secret("authorization", &format!("Bearer {}", self.0))
    }

    /// A header that is the key, marked so that nothing shows it.
    pub fn header(&self, name: &str) -> WireHeader {
        WireHeader::secret(name, &self.0)
    }

    /// The headers that sign a request for AWS, each marked where it is a secret; `None` if the key is
    /// no credentials of AWS, which are `ID:SECRET` or `ID:SECRET:TOKEN`.
    ///
    /// To be made again for every try, as services take a signature for some minutes only.
    pub fn signature(
        &self,
        request: &WireRequest,
        scope: SigningScope<'_>,
    ) -> Option<Vec<WireHeader>> {
        Some(signature_headers(request, self.aws_credentials()?, scope))
    }

    fn aws_credentials(&self) -> Option<AwsCredentials<'_>> {
        let (access_key_id, rest) = self.0.split_once(':')?;
        let (secret_access_key, session_token) = match rest.split_once(':') {
            Some((secret, token)) => (secret, Some(token)),
            None => (rest, None),
        };
        let has_all = !access_key_id.is_empty() && !secret_access_key.is_empty();
        let session_token = session_token.filter(|token| !token.is_empty());
        has_all.then_some(AwsCredentials { access_key_id, secret_access_key, session_token })
    }

    /// Hands the key to whoever keeps keys, such as a system's keyring; to nobody else.
    pub fn store<E>(&self, keep: impl FnOnce(&str) -> Result<(), E>) -> Result<(), E> {
        keep(&self.0)
    }

    /// The text with the key taken out, wherever it stands.
    pub fn redact(&self, text: &str) -> String {
        let secrets = self.secrets();
        secrets.into_iter().fold(text.to_owned(), |text, secret| text.replace(secret, REDACTED))
    }

    /// Takes the key out of bytes that come bit by bit.
    pub fn redactor(&self) -> Redactor {
        Redactor::new(self.secrets())
    }

    /// What must not be shown: the key, and of credentials the secret and the token by themselves, as
    /// they are never sent as one.
    fn secrets(&self) -> Vec<&str> {
        let mut secrets = vec![self.0.as_str()];
        if let Some(credentials) = self.aws_credentials() {
            secrets.push(credentials.secret_access_key);
            secrets.extend(credentials.session_token);
        }
        secrets.retain(|secret| secret.len() >= FEWEST_CHARS);
        secrets
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
        assert_eq!(format!("{:?}", key.bearer()), "authorization: [secret]");
        assert_eq!(format!("{:?}", key.header("x-plain")), "x-plain: [secret]");
    }

    #[test]
    fn a_blank_key_is_none_and_one_that_cannot_be_sent_is_named_by_its_variable() {
        assert!(ApiKey::new(" \n", "KEY").unwrap().is_none());
        let error = ApiKey::new("sk-\u{1f511}", "MY_KEY").unwrap_err().to_string();
        assert!(error.contains("MY_KEY") && !error.contains("sk-"), "{error}");
    }

    #[test]
    fn of_credentials_neither_the_secret_nor_the_token_is_shown() {
        let key = ApiKey::new("AKID:secret/secret+:token-token", "KEY").unwrap().unwrap();
        assert_eq!(key.redact("AKID secret/secret+ x token-token"), "AKID [key] x [key]");
        for text in ["sk-secret", "AKID:", ":secret", ""] {
            let key = ApiKey(text.to_owned());
            assert!(key.aws_credentials().is_none(), "{text}");
        }
    }

    #[test]
    fn a_made_up_key_does_not_break_the_texts_it_happens_to_stand_in() {
        let key = ApiKey::new("none", "KEY").unwrap().unwrap();
        assert_eq!(key.redact("nonetheless"), "nonetheless");
    }
}
