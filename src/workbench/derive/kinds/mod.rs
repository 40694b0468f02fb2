//! What of each kind of derived value a state wants, and what it is made of.
//!
//! The keys, the values and the table of kinds are in `model::values`; one file here says of one kind
//! when it is wanted. [`wanted`] and [`inputs_of`] are all that `reconcile` asks.

mod alignment;
mod asking;
mod assist_step;
mod checks;
mod design_picture;
mod evidence;
mod exchanges;
mod explore;
mod findings;
mod kind;
mod layers;
mod listings;
mod losses;
mod next_step;
mod node_drag;
mod pictures;
mod pixel_difference;
mod scores;
mod slot_map;
mod what_if;

// Clippy looks for these imports outside tests only.
#[cfg_attr(
    not(test),
    expect(clippy::wildcard_imports, reason = "the keys of the table, whichever they are")
)]
use crate::workbench::model::*;

use kind::DerivedKind as _;

pub(in crate::workbench) use checks::MOST_CHECKED;
pub(in crate::workbench) use kind::inputs_of_slot;
pub(in crate::workbench) use scores::{
    drop_needless_last_scores, is_stale, queue_filtered_scores, take_last_scores,
};
pub(in crate::workbench) use what_if::job_label;

macro_rules! ask_kinds {
    ($($(#[$doc:meta])+ $field:ident: $kind:ident($key:ty)),+ $(,)?) => {
        /// Whatever the state wants: the most urgent first, and of those in the order of the table,
        /// scores last.
        pub(crate) fn wanted(state: &State) -> Vec<(DerivedKey, Urgency)> {
            let mut wanted: Vec<(DerivedKey, Urgency)> = Vec::new();
            $(for (key, urgency) in <$key>::wanted(state) {
                wanted.push((DerivedKey::$kind(key), urgency));
            })+
            for (key, urgency) in ScoreKey::wanted(state) {
                wanted.push((DerivedKey::Scores(key), urgency));
            }
            wanted.sort_by_key(|(_, urgency)| *urgency);
            wanted
        }

        /// What a value is made of; `None` while that is not there.
        pub(crate) fn inputs_of(key: &DerivedKey, state: &State) -> Option<Inputs> {
            match key {
                $(DerivedKey::$kind(key) => key.inputs(state),)+
                DerivedKey::Scores(key) => key.inputs(state),
            }
        }
    };
}
derived_kinds!(ask_kinds);
