//! What a model was asked and answered: wanted while it is looked at.

use crate::workbench::derive::views;
use crate::workbench::model::{
    ExchangeKey, ExchangeListKey, Inputs, Overlay, PictureKey, State, Urgency,
};

use super::kind::{DerivedKind, inputs_of_slot};

impl DerivedKind for ExchangeListKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let is_shown = state.overlay == Some(Overlay::Exchanges);
        let key = state.exchange_list_key().filter(|_| is_shown);
        key.map(|key| (key, Urgency::Stage)).into_iter().collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        inputs_of_slot(state, &PictureKey::Step(self.run, 0))
    }
}

impl DerivedKind for ExchangeKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let is_shown = state.overlay == Some(Overlay::Exchanges);
        let key = views::exchanges(state).and_then(|it| it.key).filter(|_| is_shown);
        key.map(|key| (key, Urgency::Stage)).into_iter().collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        inputs_of_slot(state, &PictureKey::Step(self.run, 0))
    }
}
