//! What the answers of a labelling project come to: wanted while somebody settles what people differ on.

use std::sync::Arc;

use crate::workbench::derive::views;
use crate::workbench::model::{FindingsKey, Inputs, LabelsInput, State, Urgency, Workspace};

use super::kind::DerivedKind;

impl DerivedKind for FindingsKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let is_shown = state.workspace == Workspace::Annotate && views::review(state).is_some();
        let key = Self(state.annotate.ledger.len());
        if is_shown { vec![(key, Urgency::Stage)] } else { Vec::new() }
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        let annotate = &state.annotate;
        let labels = Arc::clone(annotate.labels.as_ref()?);
        let input = LabelsInput { labels, ledger: Arc::clone(&annotate.ledger) };
        // Of what was done since, the next one is made.
        (annotate.ledger.len() == self.0)
            .then(|| Inputs { labels: Some(Arc::new(input)), ..Inputs::default() })
    }
}
