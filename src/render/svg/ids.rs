//! Ids that are unique in their document and stay the same while the design does.

use std::collections::BTreeSet;

/// The ids that are taken.
#[derive(Debug, Default)]
pub(super) struct Ids(BTreeSet<String>);

impl Ids {
    /// `wanted` in the characters an id may have, with a number after it if it is taken.
    pub(super) fn take(&mut self, wanted: &str) -> String {
        let wanted = cleaned(wanted);
        let numbered = (2..).map(|number| format!("{wanted}_{number}"));
        let mut tried = std::iter::once(wanted.clone()).chain(numbered);
        let free = tried.find(|id| !self.0.contains(id)).unwrap_or(wanted);
        self.0.insert(free.clone());
        free
    }
}

/// Space and what would end a `url(#…)` become `_`.
fn cleaned(wanted: &str) -> String {
    let is_unsafe = |c: char| c.is_whitespace() || c.is_control() || "()'\"\\#%:;".contains(c);
    let clean: String =
        wanted.trim().chars().take(64).map(|c| if is_unsafe(c) { '_' } else { c }).collect();
    if clean.is_empty() { "_".to_owned() } else { clean }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_name_gets_a_number() {
        let mut ids = Ids::default();
        let taken: Vec<_> = ["Main Screen", "Main Screen", "Main_Screen", ""]
            .into_iter()
            .map(|name| ids.take(name))
            .collect();
        assert_eq!(taken, ["Main_Screen", "Main_Screen_2", "Main_Screen_3", "_"]);
    }

    #[test]
    fn a_name_cannot_end_a_reference() {
        assert_eq!(Ids::default().take("a)'#b"), "a___b");
    }
}
