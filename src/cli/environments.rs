//! What the variables of this process say of environments: nothing else in the program reads them.

use crate::environment::{BrowserSearch, Environments, FontSource};

/// The variable that names the browser; its value is a path or a name on the PATH.
const BROWSER: &str = "PENTIMENTO_CHROMIUM";
/// The variable that says which fonts are used where the command line does not: `vendored`, as if
/// there were none, or `machine`.
const FONTS: &str = "PENTIMENTO_FONTS";

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
