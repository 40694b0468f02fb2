//! What is shown of the item.

use crate::workbench::derive::views::{GOLD, evidence_step, evidence_steps, gold_follows};
use crate::workbench::model::State;
use crate::workbench::protocol::EvidenceCommand;

/// Smallest and largest zoom, in points a pixel.
const ZOOM: (f32, f32) = (0.05, 64.0);

pub(super) fn view(state: &mut State, command: EvidenceCommand) {
    // Asked of the whole state before the desk is borrowed from it.
    let steps: Vec<(u8, u32, u32)> = (0..evidence_steps(state).len())
        .filter_map(|run| {
            let run = u8::try_from(run).ok()?;
            let last = evidence_steps(state).get(usize::from(run)).copied().flatten()?;
            Some((run, evidence_step(state, run)?, last))
        })
        .collect();
    let gold_follows = gold_follows(state);
    let gold = evidence_step(state, GOLD);
    let Some(desk) = &mut state.annotate.desk else { return };
    let view = &mut desk.view;
    match command {
        EvidenceCommand::Layout(layout) => view.layout = layout,
        EvidenceCommand::Fit => (view.zoom, view.center) = (None, [0.5, 0.5]),
        EvidenceCommand::View { zoom, center } if zoom.is_finite() => {
            view.zoom = Some(zoom.clamp(ZOOM.0, ZOOM.1));
            // A picture may be pushed aside, but never out of reach.
            view.center = center.map(|at| if at.is_finite() { at.clamp(-0.5, 1.5) } else { 0.5 });
        }
        EvidenceCommand::Step { run, step } => {
            if let Some((_, _, last)) = steps.iter().find(|(known, ..)| *known == run) {
                view.steps.insert(run, step.min(*last));
                // Where the gold trajectory was looked at by itself holds until the run moves.
                if gold_follows && run != GOLD {
                    view.steps.remove(&GOLD);
                }
            }
        }
        EvidenceCommand::StepBy(by) => {
            if gold_follows {
                view.steps.remove(&GOLD);
            }
            for (run, step, last) in steps.into_iter().filter(|it| !(gold_follows && it.0 == GOLD))
            {
                // In a wider number: a step back from the start must not wrap.
                let next = i64::from(step) + i64::from(by);
                view.steps.insert(run, next.clamp(0, i64::from(last)) as u32);
            }
        }
        EvidenceCommand::HoldTruth(is_held) => view.holds_truth = is_held,
        EvidenceCommand::Difference(is_on) => view.shows_difference = is_on,
        EvidenceCommand::Layers(is_on) => view.shows_layers = Some(is_on),
        EvidenceCommand::GoldFollows(follows) => {
            view.gold_follows = follows;
            // Let go, it stays where it is.
            match gold.filter(|_| gold_follows && !follows) {
                Some(step) => view.steps.insert(GOLD, step),
                None => view.steps.remove(&GOLD),
            };
        }
        EvidenceCommand::Divide(at) if at.is_finite() => view.divide = at.clamp(0.0, 1.0),
        EvidenceCommand::View { .. } | EvidenceCommand::Divide(_) => {}
    }
}
