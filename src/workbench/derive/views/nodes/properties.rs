//! Properties of nodes, as they are listed for people.

use crate::base::Rgba;

/// Properties that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct PropertyGroup {
    /// The heading.
    pub title: &'static str,
    /// In order; never empty.
    pub properties: Vec<Property>,
}

/// One property of a node, and of its partner.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// What people call it.
    pub label: String,
    /// Of the partner; `None` if it has none of the kind, or there is no partner.
    pub before: Option<PropertyValue>,
    /// Of the node; `None` if it has none of the kind.
    pub now: Option<PropertyValue>,
    /// Whether there are two nodes and they differ in it.
    pub differs: bool,
}

/// A value for people.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PropertyValue {
    /// In words.
    pub text: String,
    /// The colours of a paint: one, or those of a gradient in order. Empty for what has none.
    pub colors: Vec<Rgba>,
}

/// The properties of one node, in order.
#[derive(Debug, Default)]
pub(super) struct PropertyList(Vec<PropertyEntry>);

#[derive(Debug)]
struct PropertyEntry {
    group: &'static str,
    label: String,
    value: PropertyValue,
}

impl PropertyList {
    /// Adds a property.
    pub(super) fn put(
        &mut self,
        group: &'static str,
        label: impl Into<String>,
        value: impl Into<PropertyValue>,
    ) {
        self.0.push(PropertyEntry { group, label: label.into(), value: value.into() });
    }

    fn take(&mut self, group: &str, label: &str) -> Option<PropertyValue> {
        let at = self.0.iter().position(|entry| entry.group == group && entry.label == label)?;
        Some(self.0.remove(at).value)
    }
}

impl From<String> for PropertyValue {
    fn from(text: String) -> Self {
        Self { text, colors: Vec::new() }
    }
}

impl From<&str> for PropertyValue {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

/// Both lists in the order of the first; what only the second has comes after it in its group.
pub(super) fn merged(now: PropertyList, mut before: PropertyList) -> Vec<PropertyGroup> {
    let mut groups: Vec<PropertyGroup> = Vec::new();
    for PropertyEntry { group, label, value } in now.0 {
        // Taken out, so that what is left below is what only the partner has.
        let was = before.take(group, &label);
        let differs = was.as_ref() != Some(&value);
        add(&mut groups, group, Property { label, before: was, now: Some(value), differs });
    }
    for PropertyEntry { group, label, value } in before.0 {
        add(&mut groups, group, Property { label, before: Some(value), now: None, differs: true });
    }
    groups
}

fn add(groups: &mut Vec<PropertyGroup>, title: &'static str, property: Property) {
    match groups.iter_mut().find(|group| group.title == title) {
        Some(group) => group.properties.push(property),
        None => groups.push(PropertyGroup { title, properties: vec![property] }),
    }
}

/// A number as design tools show it: at most two decimals.
pub(super) fn number(value: f64) -> String {
    let rounded = (value * 100.0).round() / 100.0;
    // Adding zero makes −0 a 0.
    format!("{}", rounded + 0.0).replace('-', "−")
}

/// A share as a percentage.
pub(super) fn percent(share: f64) -> String {
    format!("{} %", number(share * 100.0))
}

/// `SPACE_BETWEEN` as people write it: `space between`.
pub(super) fn words(name: &str) -> String {
    name.to_lowercase().replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(entries: &[(&'static str, &str, &str)]) -> PropertyList {
        let mut list = PropertyList::default();
        for (group, label, value) in entries {
            list.put(group, *label, *value);
        }
        list
    }

    #[test]
    fn numbers_have_at_most_two_decimals_and_no_negative_zero() {
        assert_eq!(number(12.0), "12");
        assert_eq!(number(12.346), "12.35");
        assert_eq!(number(-0.001), "0");
        assert_eq!(number(-3.5), "−3.5");
    }

    #[test]
    fn what_only_one_side_has_differs_and_stays_in_its_group() {
        let now = list(&[("Fill", "Fill", "#FFFFFF"), ("Text", "Size", "12")]);
        let before = list(&[("Fill", "Fill", "#FFFFFF"), ("Fill", "Fill 2", "#000000")]);
        let groups = merged(now, before);
        assert_eq!(groups.iter().map(|group| group.title).collect::<Vec<_>>(), ["Fill", "Text"]);
        let differs: Vec<bool> =
            groups.iter().flat_map(|group| &group.properties).map(|it| it.differs).collect();
        assert_eq!(differs, [false, true, true]);
        assert_eq!(groups[0].properties[1].now, None);
    }
}
