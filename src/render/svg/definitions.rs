//! What elements refer to: gradients, clips, masks, filters.

use std::collections::{BTreeMap, BTreeSet};

use super::markup::{Attributes, Markup};

/// What goes into `<defs>`. The same thing is there once.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    markup: Markup,
    /// Ids by what is defined.
    known: BTreeMap<String, String>,
    ids: Ids,
}

impl Definitions {
    /// Defines an element, and gives what refers to it: `url(#…)`.
    pub(super) fn add(
        &mut self,
        wanted_id: &str,
        tag: &str,
        attributes: &Attributes,
        inside: &Markup,
    ) -> String {
        let content = format!("{tag}{}{}", attributes.as_str(), inside.as_str());
        // By all that it says: two words under one gradient share it.
        if let Some(id) = self.known.get(&content) {
            return reference(id);
        }
        let id = self.ids.take(wanted_id);
        self.markup.around(tag, &Attributes::default().with("id", &id).and(attributes), inside);
        self.known.insert(content, id.clone());
        reference(&id)
    }

    /// An id that nothing else has.
    pub(super) fn take_id(&mut self, wanted: &str) -> String {
        self.ids.take(wanted)
    }

    pub(super) fn markup(&self) -> &Markup {
        &self.markup
    }
}

fn reference(id: &str) -> String {
    format!("url(#{id})")
}

/// The ids that are taken: unique in their document, and the same while the design is.
#[derive(Debug, Default)]
struct Ids(BTreeSet<String>);

impl Ids {
    /// `wanted` in the characters an id may have, with a number after it if it is taken.
    fn take(&mut self, wanted: &str) -> String {
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
    let clean = wanted.trim().chars().take(64).map(|c| {
        let is_unsafe = c.is_whitespace() || c.is_control() || "()'\"\\#%:;".contains(c);
        if is_unsafe { '_' } else { c }
    });
    let clean: String = clean.collect();
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
