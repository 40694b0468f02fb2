//! What the tree shows of a proposal: layers that would be added, taken out or changed.

use egui::Color32;

use crate::design::{Document, NodeId};
use crate::ui::theme::Tokens;

/// The layers as a proposal would leave them; nothing while there is none.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::ui::assist) struct ProposedLayers<'a> {
    /// The design with what would be added, and what would be taken out still in it.
    pub(in crate::ui::assist) document: Option<&'a Document>,
    /// What becomes of which layer, each once.
    pub(in crate::ui::assist) layers: &'a [ProposedLayer],
}

/// A layer that a proposal is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::ui::assist) struct ProposedLayer {
    /// Which.
    pub(in crate::ui::assist) node: NodeId,
    /// What becomes of it.
    pub(in crate::ui::assist) mark: ProposedMark,
    /// Its number in the words of the proposal.
    pub(in crate::ui::assist) number: Option<u32>,
}

/// What would become of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(test), expect(dead_code, reason = "the assistant's proposal makes them"))]
pub(in crate::ui::assist) enum ProposedMark {
    /// It would be there.
    Added,
    /// It would be gone.
    Removed,
    /// It would be another.
    Changed,
}

impl ProposedMark {
    /// The sign beside its colour.
    pub(super) fn sign(self) -> &'static str {
        match self {
            Self::Added => "+",
            Self::Removed => "−",
            Self::Changed => "~",
        }
    }

    /// What screen readers say.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Added => "would be added",
            Self::Removed => "would be removed",
            Self::Changed => "would be changed",
        }
    }

    /// Its colour.
    pub(super) fn color(self, tokens: &Tokens) -> Color32 {
        match self {
            Self::Added => tokens.gain,
            Self::Removed => tokens.loss,
            Self::Changed => tokens.warn,
        }
    }
}

impl ProposedLayers<'_> {
    /// What becomes of a layer.
    pub(super) fn of(&self, node: &NodeId) -> Option<&ProposedLayer> {
        self.layers.iter().find(|layer| layer.node == *node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::theme::tokens_in;

    #[test]
    fn what_becomes_of_a_layer_has_a_sign_and_words_beside_its_colour() {
        let marks = [ProposedMark::Added, ProposedMark::Removed, ProposedMark::Changed];
        let layers: Vec<ProposedLayer> = marks
            .into_iter()
            .zip(["1:1", "1:2", "1:3"])
            .map(|(mark, id)| ProposedLayer { node: id.into(), mark, number: Some(1) })
            .collect();
        let proposed = ProposedLayers { document: None, layers: &layers };
        for (at, layer) in layers.iter().enumerate() {
            let found = proposed.of(&layer.node).unwrap();
            assert_eq!(found, layer);
            for other in layers.iter().skip(at + 1) {
                assert_ne!(found.mark.sign(), other.mark.sign());
                assert_ne!(found.mark.words(), other.mark.words());
                for dark in [true, false] {
                    let tokens = tokens_in(dark);
                    assert_ne!(found.mark.color(tokens), other.mark.color(tokens));
                }
            }
        }
        assert_eq!(proposed.of(&"1:4".into()), None);
    }
}
