//! What the variables of this process say: nothing else in the program reads them, but for the window's
//! home folder (`app`) and options that name a variable of their own.

use std::path::PathBuf;

use crate::base::Variables;
use crate::environment::{BrowserSearch, Environments, FontSource};

/// The variable that names the browser; its value is a path or a name on the PATH.
const BROWSER: &str = "PENTIMENTO_CHROMIUM";
/// The variable that says which fonts are used where the command line does not: `vendored`, as if
/// there were none, or `machine`.
const FONTS: &str = "PENTIMENTO_FONTS";
/// The variable that names the workspace's file, or is empty for none.
const WORKSPACE: &str = "PENTIMENTO_WORKSPACE";

/// All of them, as models and endpoints look for their keys in them.
pub(super) fn variables() -> Variables {
    Variables::new(std::env::vars_os(), std::env::home_dir())
}

/// Environments with the browser of this process.
pub(super) fn environments() -> Environments {
    // Set to nothing is how a shell takes a variable back for one command.
    let named = std::env::var_os(BROWSER).filter(|name| !name.is_empty());
    let folders = std::env::var_os("PATH");
    let folders = folders.iter().flat_map(std::env::split_paths).collect();
    Environments::new(BrowserSearch { named, folders })
}

/// Which fonts are used: those asked for, or else what the variable says.
pub(super) fn fonts(asked: Option<FontSource>) -> FontSource {
    // A value that is neither word counts as none: unlike an option it may have been set for others.
    asked.or_else(|| FontSource::from_name(std::env::var(FONTS).ok()?.trim())).unwrap_or_default()
}

/// The workspace's file: what its variable says, or `Pentimento/workspace.sqlite` in the home folder.
/// `None` if there is no home, or the variable is empty.
///
/// In the home folder in sight, on every system: it is a folder that people copy and look into, runs among it,
/// and not one of the hidden ones that the crate `directories` names.
pub(super) fn workspace() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os(WORKSPACE) {
        return (!named.is_empty()).then(|| PathBuf::from(named));
    }
    let home = std::env::home_dir().filter(|home| home.is_dir())?;
    Some(home.join("Pentimento").join("workspace.sqlite"))
}
