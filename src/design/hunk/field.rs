//! The fields that hunks change.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::base::{Affine, Point};
use crate::design::diff::{Change, StyleField, is_near};
use crate::design::node::Node;

/// Entries of a turn that differ by no more are the same, as in [`diff`](crate::design::diff).
const TURN_TOLERANCE: f64 = 1e-5;

/// A field of a node, as people tell changes apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// Whether the node is there.
    Existence,
    /// What it lies in.
    Parent,
    /// Its place among its siblings.
    Order,
    /// The left top corner of its box in its parent.
    Place,
    /// How it is turned, flipped or skewed.
    Rotation,
    /// Its size in its own space.
    Size,
    /// What a text says.
    Words,
    /// Its name.
    Name,
    /// What kind of node it is.
    Kind,
    /// A field of its look.
    Style(StyleField),
}

impl Field {
    /// Every field.
    pub const ALL: [Self; 27] = {
        let own = [
            Self::Existence,
            Self::Parent,
            Self::Order,
            Self::Place,
            Self::Rotation,
            Self::Size,
            Self::Words,
            Self::Name,
            Self::Kind,
        ];
        let mut all = [Self::Existence; 27];
        let mut at = 0;
        while at < all.len() {
            all[at] =
                if at < own.len() { own[at] } else { Self::Style(StyleField::ALL[at - own.len()]) };
            at += 1;
        }
        all
    };

    /// The fields that a difference is of.
    pub fn of_change(change: &Change) -> Vec<Self> {
        match change {
            Change::Added | Change::Removed => vec![Self::Existence],
            Change::Retyped { .. } => vec![Self::Kind],
            Change::Renamed { .. } => vec![Self::Name],
            Change::Reparented { .. } => vec![Self::Parent],
            Change::Reordered { .. } => vec![Self::Order],
            Change::Moved { .. } => vec![Self::Place],
            Change::Turned { .. } => vec![Self::Rotation],
            Change::Resized { .. } => vec![Self::Size],
            Change::Rewritten { .. } => vec![Self::Words],
            Change::Restyled { fields } => fields.iter().copied().map(Self::Style).collect(),
        }
    }

    /// What a difference in it counts in a distance: 3 for a node too many or missing, 2 for words, place, turn and
    /// size, 1 for anything else.
    pub fn weight(self) -> u32 {
        match self {
            Self::Existence => 3,
            Self::Place | Self::Rotation | Self::Size | Self::Words => 2,
            Self::Parent | Self::Order | Self::Name | Self::Kind | Self::Style(_) => 1,
        }
    }

    /// What people call it, and its name in files.
    pub fn label(self) -> &'static str {
        match self {
            Self::Existence => "layer",
            Self::Parent => "parent",
            Self::Order => "order",
            Self::Place => "position",
            Self::Rotation => "rotation",
            Self::Size => "size",
            Self::Words => "text",
            Self::Name => "name",
            Self::Kind => "type",
            Self::Style(field) => field.label(),
        }
    }

    /// Whether it is a value of the node itself, not its place in the tree.
    pub fn is_value(self) -> bool {
        !matches!(self, Self::Existence | Self::Parent | Self::Order)
    }

    /// Whether it means the same in two nodes, each taken in its own parent. The place in the tree is
    /// not compared.
    pub fn is_same(self, a: &Node, b: &Node) -> bool {
        match self {
            Self::Existence | Self::Parent | Self::Order => true,
            Self::Place => {
                let (a, b) = (corner(a), corner(b));
                is_near(a.x, b.x) && is_near(a.y, b.y)
            }
            Self::Rotation => {
                let (a, b) = (a.transform, b.transform);
                let linear = [(a.a, b.a), (a.b, b.b), (a.c, b.c), (a.d, b.d)];
                linear.iter().all(|(a, b)| (a - b).abs() <= TURN_TOLERANCE)
            }
            Self::Size => {
                is_near(a.size.width, b.size.width) && is_near(a.size.height, b.size.height)
            }
            Self::Words => {
                let words = [a, b].map(|node| node.text().map(|text| &text.characters));
                words[0] == words[1]
            }
            Self::Name => a.name == b.name,
            Self::Kind => a.kind.type_name() == b.kind.type_name(),
            Self::Style(field) => field.is_same(a, b),
        }
    }

    /// Gives a node what another has in this field. Turning and place keep or take the corner of the
    /// box; the size is set alone. The place in the tree is not touched.
    pub fn copy(self, from: &Node, to: &mut Node) {
        match self {
            Self::Existence | Self::Parent | Self::Order => {}
            Self::Place => {
                // Bit by bit where nothing else differs, so that undoing by hand is exact as well.
                if Self::Rotation.is_same(from, to) && Self::Size.is_same(from, to) {
                    (to.transform.e, to.transform.f) = (from.transform.e, from.transform.f);
                }
                move_corner(to, corner(from));
            }
            Self::Rotation => {
                let (e, f) = (to.transform.e, to.transform.f);
                to.transform = Affine { e, f, ..from.transform };
                // Turned about its middle, its box would have another corner: it gets the one it is
                // to have, so that turning and moving do not undo each other.
                move_corner(to, corner(from));
            }
            Self::Size => {
                let at = corner(to);
                to.size = from.size;
                move_corner(to, at);
            }
            Self::Words => {
                if let (Some(from), Some(to)) = (from.text(), to.text_mut()) {
                    to.characters.clone_from(&from.characters);
                    // What belongs to single letters and lines goes with them.
                    to.override_ids.clone_from(&from.override_ids);
                    to.line_types.clone_from(&from.line_types);
                    to.line_indents.clone_from(&from.line_indents);
                }
            }
            Self::Name => to.name.clone_from(&from.name),
            Self::Kind => to.kind.clone_from(&from.kind),
            Self::Style(field) => field.copy(from, to),
        }
    }
}

/// The left top corner of a node's box in its parent.
pub(super) fn corner(node: &Node) -> Point {
    node.transform.bounds_of(node.size).origin()
}

/// Moves a node so that the corner of its box in its parent is there.
pub(super) fn move_corner(node: &mut Node, to: Point) {
    let by = to.since(corner(node));
    // Not by dust, which would wear off digits.
    if by.x.abs() > f64::EPSILON || by.y.abs() > f64::EPSILON {
        (node.transform.e, node.transform.f) = (node.transform.e + by.x, node.transform.f + by.y);
    }
}

impl Serialize for Field {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.label())
    }
}

impl<'de> Deserialize<'de> for Field {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ByLabel;

        impl de::Visitor<'_> for ByLabel {
            type Value = Field;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a field, such as \"fill\"")
            }

            fn visit_str<E: de::Error>(self, label: &str) -> Result<Field, E> {
                let found = Field::ALL.into_iter().find(|field| field.label() == label);
                found.ok_or_else(|| E::invalid_value(de::Unexpected::Str(label), &self))
            }
        }

        deserializer.deserialize_str(ByLabel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_is_found_by_its_label() {
        for field in Field::ALL {
            let json = serde_json::to_string(&field).unwrap();
            assert_eq!(serde_json::from_str::<Field>(&json).unwrap(), field);
        }
        assert!(serde_json::from_str::<Field>("\"colour\"").is_err());
    }
}
