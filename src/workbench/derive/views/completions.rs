//! How a typed path may go on.

use crate::workbench::model::{Fetched, FolderEntry, State};

/// Most that are given.
const MOST: usize = 50;

/// A way a typed path may go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The name in its folder; of a folder with the separator at its end.
    pub name: String,
    /// All of the path, as it would have been typed.
    pub text: String,
}

/// A typed path as the folder it is in, with its separator, and the beginning of a name; `None` if it
/// has no folder.
pub fn typed_folder(typed: &str) -> Option<(&str, &str)> {
    let typed = typed.trim_start();
    let at = typed.rfind(['/', '\\'])?;
    Some(typed.split_at(at + 1))
}

/// How a typed path may go on, folders first; empty until its folder was read. What begins with a dot
/// is given only if that was typed.
pub fn completions(state: &State, typed: &str) -> Vec<Completion> {
    let Some((folder, start)) = typed_folder(typed) else { return Vec::new() };
    let Some(completing) = state.completing.as_ref().filter(|it| it.typed.as_os_str() == folder)
    else {
        return Vec::new();
    };
    let listed = state.derived.folders.get(completing.folder.as_path());
    let Some(Fetched::Ready(entries)) = listed else { return Vec::new() };
    let start = start.to_lowercase();
    let mut fitting: Vec<&FolderEntry> = entries.iter().collect();
    fitting.retain(|entry| {
        let is_shown = !entry.name.starts_with('.') || start.starts_with('.');
        is_shown && entry.name.to_lowercase().starts_with(&start)
    });
    // They come by name; the order within each half stays.
    fitting.sort_by_key(|entry| !entry.is_folder);
    let separator = folder.chars().last().unwrap_or('/');
    let completions = fitting.into_iter().take(MOST).map(|entry| {
        let mut name = entry.name.clone();
        if entry.is_folder {
            name.push(separator);
        }
        Completion { text: format!("{folder}{name}"), name }
    });
    completions.collect()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Arc;

    use super::*;
    use crate::workbench::model::{Completing, FolderKey};

    #[test]
    fn a_path_goes_on_with_what_its_folder_holds() {
        let mut state = State::default();
        let folder = PathBuf::from("/home/a/sets");
        state.completing = Some(Completing { typed: "~/sets/".into(), folder: folder.clone() });
        let entry = |name: &str, is_folder| FolderEntry { name: name.into(), is_folder };
        let entries = vec![entry(".git", true), entry("Canvas.json", false), entry("canvas", true)];
        state.derived.folders.insert(FolderKey(folder), Fetched::Ready(Arc::new(entries)));
        let texts = |typed: &str| {
            completions(&state, typed).into_iter().map(|it| it.text).collect::<Vec<_>>()
        };
        assert_eq!(texts("~/sets/ca"), ["~/sets/canvas/", "~/sets/Canvas.json"]);
        assert_eq!(texts("~/sets/."), ["~/sets/.git/"]);
        assert_eq!(texts("~/sets/").len(), 2);
        assert!(texts("~/other/ca").is_empty() && texts("canvas").is_empty());
    }
}
