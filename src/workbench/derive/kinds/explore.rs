//! What the table over all runs needs of the worker: calls of runs that nobody has read, statistics, figures,
//! thumbnails.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::workbench::derive::explore::namesakes;
use crate::workbench::derive::views::Filter;
use crate::workbench::model::{
    DigestsKey, ExploredStudyKey, FiguresKey, Inputs, PictureKey, RunState, State, StatisticsKey,
    TaskContentsKey, Urgency,
};

use super::kind::DerivedKind;

/// How many blocks of runs are read at a time.
const BLOCKS_AT_ONCE: usize = 4;
/// Most thumbnails that are wanted: more rows than a window has.
const MOST_THUMBNAILS: usize = 60;

impl DerivedKind for DigestsKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let filter = &state.library.filter;
        let is_wanted = state.shows_explore()
            || (!filter.is_empty()
                && Filter::parse(filter, &state.variants).is_ok_and(|it| it.asks_for_calls()));
        if !is_wanted {
            return Vec::new();
        }
        let mut blocks = BTreeSet::new();
        for run in state.in_flight.unread.iter() {
            blocks.insert(Self::of(run));
            // A few at a time: thousands of keys waiting in line would be built anew after every change.
            if blocks.len() == BLOCKS_AT_ONCE {
                break;
            }
        }
        blocks.into_iter().map(|block| (block, Urgency::Table)).collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        let runs = state.library.runs.range(self.runs());
        let unread = runs.filter(|(_, entry)| entry.awaits_calls());
        let unread = unread.map(|(run, entry)| (*run, entry.dir.clone())).collect();
        Some(Inputs { unread, ..Inputs::default() })
    }
}

impl DerivedKind for StatisticsKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        if !state.shows_explore() {
            return Vec::new();
        }
        let (view, table) = (&state.explore.view, &state.explore.table);
        let (x, y) = &view.axes;
        let relation = table.relation.iter();
        let relation =
            // While scores still come in, each would change the result: it is computed of all of them once.
            relation.filter(|_| !state.awaits_scores_in(x) && !state.awaits_scores_in(y));
        let difference = table.pair.iter().filter_map(|pair| pair.difference.as_ref());
        let difference = difference.filter(|_| !state.awaits_scores_in(&view.metric));
        let keys = relation.chain(difference);
        keys.cloned().map(|key| (key, Urgency::Table)).collect()
    }

    fn inputs(&self, _: &State) -> Option<Inputs> {
        Some(Inputs::default())
    }
}

impl DerivedKind for ExploredStudyKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        if !state.shows_explore() {
            return Vec::new();
        }
        let key = state.explore.table.study.iter().cloned();
        key.map(|key| (key, Urgency::Table)).collect()
    }

    fn inputs(&self, _: &State) -> Option<Inputs> {
        Some(Inputs::default())
    }
}

impl DerivedKind for FiguresKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let key = state.explore_figures_key();
        key.into_iter().map(|key| (key, Urgency::Table)).collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        // Of what has changed since, the next ones are made.
        let is_now = state.explore_figures_key() == Some(*self);
        let figures = is_now.then(|| Arc::new(state.explore_figure_input()))?;
        Some(Inputs { figures: Some(figures), ..Inputs::default() })
    }
}

impl DerivedKind for TaskContentsKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        if !state.shows_explore() {
            return Vec::new();
        }
        let keys = namesakes(&state.library).map(|entry| Self::of(&entry.set));
        keys.map(|key| (key, Urgency::Table)).collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        let set = Some(Arc::clone(&state.library.set(&self.0)?.set));
        Some(Inputs { set, ..Inputs::default() })
    }
}

/// Small pictures of how the runs in sight ended.
pub(super) fn wanted_thumbnails(state: &State) -> Vec<(PictureKey, Urgency)> {
    let in_sight = state.explore.in_sight.iter().take(MOST_THUMBNAILS);
    let keys = in_sight.filter_map(|run| {
        let entry = state.library.runs.get(run)?;
        let can_be_read = !matches!(entry.state, RunState::Live | RunState::Unreadable(_));
        can_be_read.then_some(PictureKey::Thumbnail(*run, entry.steps))
    });
    keys.map(|key| (key, Urgency::Timeline)).collect()
}
