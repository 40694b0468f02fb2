//! The secret that clients over HTTP have to send.

use std::fmt;

use anyhow::Context as _;

/// The variable that may hold the token.
const VARIABLE: &str = "PENTIMENTO_MCP_TOKEN";
/// Fewest characters of a token of somebody's own.
const FEWEST: usize = 16;
/// Bytes of a token that is made here.
const BYTES: usize = 32;

/// A token, known by its hash: comparing hashes tells a clock nothing about the token.
pub(super) struct Token(blake3::Hash);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

impl Token {
    pub(super) fn new(secret: &str) -> Self {
        Self(blake3::hash(secret.as_bytes()))
    }

    /// Whether this is the token. Takes the same time for every wrong one of a length.
    pub(super) fn is(&self, given: &str) -> bool {
        // `blake3::Hash` is compared in constant time.
        self.0 == blake3::hash(given.as_bytes())
    }
}

/// The token of the environment variable, or a new one with its text, to be shown once.
pub(super) fn from_environment() -> anyhow::Result<(Token, Option<String>)> {
    match std::env::var(VARIABLE) {
        Ok(secret) => {
            let fit = secret.len() >= FEWEST && secret.bytes().all(|byte| byte.is_ascii_graphic());
            anyhow::ensure!(
                fit,
                "{VARIABLE} must have at least {FEWEST} characters, all of them visible ASCII"
            );
            Ok((Token::new(&secret), None))
        }
        Err(std::env::VarError::NotPresent) => {
            let secret = made()?;
            Ok((Token::new(&secret), Some(secret)))
        }
        Err(std::env::VarError::NotUnicode(_)) => anyhow::bail!("{VARIABLE} is not text"),
    }
}

fn made() -> anyhow::Result<String> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).context("the system gives no random bytes for a token")?;
    Ok(blake3::Hash::from_bytes(bytes).to_hex().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_token_is_the_token() {
        let token = Token::new("correct horse battery");
        assert!(token.is("correct horse battery"));
        assert!(!token.is("correct horse batterz") && !token.is("") && !token.is("correct"));
        assert_eq!(format!("{token:?}"), "Token");
    }

    #[test]
    fn made_tokens_are_long_and_differ() {
        let (one, other) = (made().unwrap(), made().unwrap());
        assert_eq!(one.len(), 64);
        assert_ne!(one, other);
    }
}
