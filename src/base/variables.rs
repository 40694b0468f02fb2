//! The environment variables of the process, handed down from where it starts.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The environment variables that the program was started with, and the home folder of its user; without
/// any by default. Only `cli` and `app` ask the system for them. Cheap to clone.
#[derive(Clone, Default)]
pub struct Variables(Arc<Known>);

#[derive(Default)]
struct Known {
    variables: BTreeMap<OsString, OsString>,
    home: Option<PathBuf>,
}

impl Variables {
    /// These variables and this home folder.
    pub fn new(
        variables: impl IntoIterator<Item = (OsString, OsString)>,
        home: Option<PathBuf>,
    ) -> Self {
        let variables =
            variables.into_iter().map(|(name, value)| (written(&name), value)).collect();
        Self(Arc::new(Known { variables, home }))
    }

    /// The value of a variable; `None` if it is not set.
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        self.0.variables.get(&written(OsStr::new(name))).map(OsString::as_os_str)
    }

    /// The same if it is text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name)?.to_str()
    }

    /// The home folder of whoever started the program.
    pub fn home(&self) -> Option<&Path> {
        self.0.home.as_deref()
    }
}

/// The name as it is kept: Windows takes `Path` for `PATH`.
fn written(name: &OsStr) -> OsString {
    if cfg!(windows) { name.to_ascii_uppercase() } else { name.to_owned() }
}

impl std::fmt::Debug for Variables {
    /// Values may be secrets: shows how many there are.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Variables").field("count", &self.0.variables.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_is_known_by_its_name_and_its_value_is_not_shown() {
        let variables =
            Variables::new([("KEY".into(), "sk-secret".into())], Some("/home/ada".into()));
        assert_eq!(variables.text("KEY"), Some("sk-secret"));
        assert_eq!(
            (variables.get("OTHER"), variables.home()),
            (None, Some(Path::new("/home/ada")))
        );
        assert!(!format!("{variables:?}").contains("secret"));
        assert!(Variables::default().get("PATH").is_none(), "nothing is asked of the system");
    }
}
