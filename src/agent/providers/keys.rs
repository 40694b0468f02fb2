//! Where keys are: environment variables and the system's keyring, never a file of ours.

use std::collections::BTreeMap;
use std::sync::Arc;

use keyring::Entry;
use serde::{Deserialize, Serialize};

use crate::base::Variables;
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
    #[error("there is no key: set the environment variable {variable}{}", or_store(entry.as_deref()))]
    NoVariable {
        /// The variable.
        variable: String,
        /// The keyring's entry that would do as well.
        entry: Option<String>,
    },
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
    pub fn take(&self, variables: &Variables) -> Result<Option<ApiKey>, KeyError> {
        match self {
            Self::None => Ok(None),
            Self::AwsDefault => Ok(Some(AwsEnvironment::from_variables(variables)?.key(None)?)),
            Self::AwsProfile(profile) => {
                Ok(Some(AwsEnvironment::from_variables(variables)?.key(Some(profile))?))
            }
            Self::Environment(variable) => {
                let key = ApiKey::from_variable(variables, variable)?;
                key.map(Some)
                    .ok_or_else(|| KeyError::NoVariable { variable: variable.clone(), entry: None })
            }
            Self::Keyring(name) => {
                let password = entry(name)?.get_password().map_err(|error| failed(name, &error))?;
                let key = ApiKey::new(&password, &format!("the keyring's entry {name:?}"))?;
                key.map(Some).ok_or_else(|| KeyError::NoEntry(name.clone()))
            }
        }
    }
}

fn or_store(entry: Option<&str>) -> String {
    entry.map_or_else(String::new, |entry| {
        format!(", or store a key with `pentimento key store {entry}`")
    })
}

/// Where a key in use comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyPlace {
    /// This environment variable.
    Environment(String),
    /// This entry of the system's keyring.
    Keyring(String),
    /// It was typed, and is kept until the program ends.
    Session,
    /// What AWS's own tools take: its variables, or this profile.
    Aws(Option<String>),
    /// None is sent.
    None,
}

impl KeySource {
    /// Where a key from here is.
    pub(super) fn place(&self) -> KeyPlace {
        match self {
            Self::Environment(variable) => KeyPlace::Environment(variable.clone()),
            Self::Keyring(entry) => KeyPlace::Keyring(entry.clone()),
            Self::AwsDefault => KeyPlace::Aws(None),
            Self::AwsProfile(profile) => KeyPlace::Aws(Some(profile.clone())),
            Self::None => KeyPlace::None,
        }
    }
}

/// Keys that were typed and are kept until the program ends, by the names that the keyring would have
/// for them. In no file and no record.
#[derive(Clone, Default)]
pub struct SessionKeys(Arc<BTreeMap<String, ApiKey>>);

impl SessionKeys {
    /// The same with one more, or another in place of the one of this name.
    #[must_use]
    pub fn with(&self, entered: &EnteredKey) -> Self {
        let mut keys = BTreeMap::clone(&self.0);
        keys.insert(entered.entry.clone(), entered.key.clone());
        Self(Arc::new(keys))
    }

    pub(super) fn get(&self, entry: &str) -> Option<&ApiKey> {
        self.0.get(entry)
    }
}

// Keys are not compared: what is the same map is the same.
impl PartialEq for SessionKeys {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || (self.0.is_empty() && other.0.is_empty())
    }
}

impl Eq for SessionKeys {}

impl std::fmt::Debug for SessionKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

/// A key that was typed, and the name it is to have. Told from others by its number.
#[derive(Clone, Debug)]
pub struct EnteredKey {
    number: u64,
    entry: String,
    key: ApiKey,
}

impl EnteredKey {
    /// What was typed; `None` if it is blank.
    pub fn new(number: u64, entry: &str, typed: &str) -> Result<Option<Self>, KeyError> {
        let key = ApiKey::new(typed, &format!("the field for {entry}"))?;
        Ok(key.map(|key| Self { number, entry: entry.to_owned(), key }))
    }

    /// The name that the keyring is to have for it.
    pub fn entry(&self) -> &str {
        &self.entry
    }

    /// Puts it into the system's keyring, in place of one that may be there.
    pub fn store(&self) -> Result<(), KeyError> {
        let name = &self.entry;
        let keyring = entry(name)?;
        self.key.store(|text| keyring.set_password(text)).map_err(|error| failed(name, &error))
    }
}

impl PartialEq for EnteredKey {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Eq for EnteredKey {}

impl PartialOrd for EnteredKey {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for EnteredKey {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.number.cmp(&other.number)
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
        let source = KeySource::Environment("PENTIMENTO_TEST_KEY".to_owned());
        let set = Variables::new([("PENTIMENTO_TEST_KEY".into(), "sk-of-a-test".into())], None);
        assert!(source.take(&set).unwrap().is_some());
        let error = source.take(&Variables::default()).unwrap_err();
        assert!(error.to_string().contains("PENTIMENTO_TEST_KEY"), "{error}");
        assert!(KeySource::None.take(&Variables::default()).unwrap().is_none());
    }

    #[test]
    fn typed_keys_are_shown_by_name_alone() {
        let entered = EnteredKey::new(1, "anthropic", " sk-topsecret-1\n").unwrap().unwrap();
        let keys = SessionKeys::default().with(&entered);
        assert_eq!(format!("{keys:?}"), "{\"anthropic\"}");
        assert!(!format!("{entered:?}").contains("topsecret"));
        assert!(keys.get("anthropic").is_some() && keys.get("openai").is_none());
        assert_ne!(keys, SessionKeys::default());
        assert_eq!(keys, keys.clone());
        assert!(EnteredKey::new(1, "a", "  ").unwrap().is_none());
        assert!(EnteredKey::new(1, "a", "sk \u{e9}").is_err());
    }

    #[test]
    fn a_keyring_that_is_not_there_is_an_error_that_names_the_entry() {
        // Whether the machine has a keyring or not: it has no such entry.
        let source = KeySource::Keyring("no-such-entry-of-a-test".to_owned());
        let error = source.take(&Variables::default()).unwrap_err().to_string();
        assert!(error.contains("no-such-entry-of-a-test"), "{error}");
    }
}
