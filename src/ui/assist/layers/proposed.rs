//! What the tree shows of a proposal: layers that would be added, taken out or changed.

use egui::Color32;

use crate::design::hunk::HunkChange;
use crate::design::{Document, NodeId};
use crate::ui::theme::Tokens;
use crate::workbench::AssistantDesk;

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
            Self::Added => tokens.gain_ink,
            Self::Removed => tokens.loss,
            Self::Changed => tokens.warn,
        }
    }
}

/// What becomes of layers by what the assistant offers, while that is to be seen on the canvas.
pub(in crate::ui::assist) fn proposed_layers(assistant: &AssistantDesk) -> Vec<ProposedLayer> {
    let mut layers: Vec<ProposedLayer> = Vec::new();
    let offer = assistant.offer.as_ref().filter(|_| !assistant.ghost().is_empty());
    let Some(offer) = offer else { return layers };
    let ticked = offer.ticked.iter().filter_map(|at| offer.suggestion.hunks.get(*at));
    for hunk in ticked {
        if layers.iter().any(|layer| layer.node == hunk.node) {
            continue;
        }
        let mark = match &hunk.change {
            HunkChange::Insert { .. } => ProposedMark::Added,
            HunkChange::Remove => ProposedMark::Removed,
            _ => ProposedMark::Changed,
        };
        let disc = assistant.discs().iter().position(|node| *node == hunk.node);
        let number = disc.and_then(|at| u32::try_from(at + 1).ok());
        layers.push(ProposedLayer { node: hunk.node.clone(), mark, number });
    }
    layers
}

impl<'a> ProposedLayers<'a> {
    /// The rows of what the assistant offers. What would be taken out is in the design as it is, what would be added
    /// only in the one that would come of it: where both happen the rows are those of now.
    pub(in crate::ui::assist) fn of_offer(
        assistant: &'a AssistantDesk,
        layers: &'a [ProposedLayer],
    ) -> Self {
        let removes = layers.iter().any(|layer| layer.mark == ProposedMark::Removed);
        let offer = assistant.offer.as_ref().filter(|_| !layers.is_empty() && !removes);
        Self { document: offer.map(|offer| &offer.after), layers }
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
    fn what_would_be_added_can_be_read_on_a_chosen_row() {
        for tokens in [true, false].map(tokens_in) {
            assert_eq!(ProposedMark::Added.color(tokens), tokens.gain_ink);
        }
    }

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
