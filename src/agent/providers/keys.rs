//! Where keys are: environment variables and the system's keyring, never a file of ours.

use keyring::Entry;
use serde::{Deserialize, Serialize};

use crate::model::wire::{ApiKey, UnusableKey, in_one_line};

use super::aws::{AwsEnvironment, AwsError};

/// The service under which the system's keyring holds our keys.
pub const KEYRING_SERVICE: &str = "pentimento";

/// Where a key is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeySource {
    /// In this environment variable.
    Environment(String),
    /// In the system's keyring, under this name and the service [`KEYRING_SERVICE`].
    Keyring(String),
    /// Credentials of AWS, wherever AWS's own tools would find them.
    AwsDefault,
    /// Credentials of this profile of AWS's own tools.
    AwsProfile(String),
    /// There is none.
    None,
}

/// Why there is no key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// The environment variable is not set.
    #[error(
        "there is no key: set the environment variable {0}, or store one with `pentimento key store NAME`"
    )]
    NoVariable(String),
    /// The keyring has no such entry.
    #[error("there is no key: the system's keyring has no entry {0:?} of {KEYRING_SERVICE}")]
    NoEntry(String),
    /// The keyring cannot be asked.
    #[error("the system's keyring cannot be asked for {name:?}: {why}")]
    Keyring {
        /// The entry.
        name: String,
        /// What the system says.
        why: String,
    },
    /// It holds characters that cannot be sent.
    #[error(transparent)]
    Unusable(#[from] UnusableKey),
    /// There are no credentials of AWS, or no region.
    #[error(transparent)]
    Aws(#[from] AwsError),
}

impl KeySource {
    /// Takes the key from where it is; `None` for [`KeySource::None`] alone.
    pub fn take(&self) -> Result<Option<ApiKey>, KeyError> {
        match self {
            Self::None => Ok(None),
            Self::AwsDefault => Ok(Some(AwsEnvironment::of_process()?.key(None)?)),
            Self::AwsProfile(profile) => {
                Ok(Some(AwsEnvironment::of_process()?.key(Some(profile))?))
            }
            Self::Environment(variable) => {
                let key = ApiKey::from_variable(variable)?;
                key.map(Some).ok_or_else(|| KeyError::NoVariable(variable.clone()))
            }
            Self::Keyring(name) => {
                let password = entry(name)?.get_password().map_err(|error| failed(name, &error))?;
                let key = ApiKey::new(&password, &format!("the keyring's entry {name:?}"))?;
                key.map(Some).ok_or_else(|| KeyError::NoEntry(name.clone()))
            }
        }
    }
}

/// Puts a key into the system's keyring, in place of one that may be there.
pub fn store_key(name: &str, key: &str) -> Result<(), KeyError> {
    // Refused now rather than when it is needed.
    let usable = ApiKey::new(key, &format!("the keyring's entry {name:?}"))?;
    usable.ok_or_else(|| KeyError::NoEntry(name.to_owned()))?;
    // Keys that are copied end in a line break.
    entry(name)?.set_password(key.trim()).map_err(|error| failed(name, &error))
}

/// Takes a key out of the system's keyring for good.
pub fn forget_key(name: &str) -> Result<(), KeyError> {
    entry(name)?.delete_credential().map_err(|error| failed(name, &error))
}

fn entry(name: &str) -> Result<Entry, KeyError> {
    Entry::new(KEYRING_SERVICE, name).map_err(|error| failed(name, &error))
}

/// What the keyring says, in a form that never holds what it keeps: of its errors only those without
/// the secret's bytes are printed.
fn failed(name: &str, error: &keyring::Error) -> KeyError {
    let why = match error {
        keyring::Error::NoEntry => return KeyError::NoEntry(name.to_owned()),
        keyring::Error::BadEncoding(_) => "what it holds is not text".to_owned(),
        other => in_one_line(&other.to_string()),
    };
    KeyError::Keyring { name: name.to_owned(), why }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_that_is_not_set_is_named() {
        let source = KeySource::Environment("PENTIMENTO_TEST_NO_SUCH_KEY".to_owned());
        let error = source.take().unwrap_err();
        assert!(error.to_string().contains("PENTIMENTO_TEST_NO_SUCH_KEY"), "{error}");
        assert!(KeySource::None.take().unwrap().is_none());
    }

    #[test]
    fn a_keyring_that_is_not_there_is_an_error_that_names_the_entry() {
        // Whether the machine has a keyring or not: it has no such entry.
        let source = KeySource::Keyring("no-such-entry-of-a-test".to_owned());
        let error = source.take().unwrap_err().to_string();
        assert!(error.contains("no-such-entry-of-a-test"), "{error}");
    }
}
