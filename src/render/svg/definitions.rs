//! What elements refer to: gradients, clips, masks, filters.

use std::collections::BTreeMap;

use super::ids::Ids;
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
