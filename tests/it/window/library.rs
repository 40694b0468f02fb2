//! The rows of the library.

use egui::{Rect, pos2};
use egui_kittest::SnapshotResults;

use pentimento::evaluate::PrimaryMetric;
use pentimento::metric::Score;
use pentimento::workbench::{Curves, RunId, ThemeChoice};

use super::fixture::{self, RUN, task_ref};
use super::harness::{add_look_at, themed, window};

#[test]
fn runs_of_one_agent_are_told_apart_in_a_wide_and_in_a_narrow_list() {
    let mut results = SnapshotResults::new();
    for (theme, width, right, name) in [
        (ThemeChoice::Dark, 1440.0, 246.0, "library_rows_dark"),
        (ThemeChoice::Light, 1440.0, 246.0, "library_rows_light"),
        (ThemeChoice::Dark, 1024.0, 214.0, "library_rows_narrow_dark"),
    ] {
        let mut state = themed(fixture::full(), theme);
        let mut run = state.library.runs[&RUN].clone();
        state.library.runs.retain(|id, other| *id == RUN || other.task != task_ref("gid11-16"));
        for (at, agent) in ["tracer", "tracer", "tracer", "claude-3-5-sonnet"].iter().enumerate() {
            run.manifest.agent.name = (*agent).to_owned();
            let number = if at == 3 { 1 } else { at + 1 };
            run.dir = format!("/runs/gid11-16/{agent}-{number:02}").into();
            run.manifest.totals.failures = if at == 1 { 12 } else { 0 };
            // Nobody has opened them: some of their steps are known.
            run.loaded = None;
            let known = [0.3, 0.5, 0.45, 0.6 + 0.1 * at as f64];
            let mut scores = vec![None; 27];
            for (step, score) in [0, 8, 17, 26].into_iter().zip(known) {
                scores[step] = Some(Score::Value(score));
            }
            run.last_score = scores[26].clone();
            run.curves = Curves::of_one(PrimaryMetric::Similarity.variant(), scores);
            state.library.runs.insert(RunId(100 + at as u32), run.clone());
        }
        let mut harness = window(state, [width, 700.0]);
        harness.run_ok();
        let part = Rect::from_min_max(pos2(0.0, 80.0), pos2(right, 330.0));
        add_look_at(&mut results, &mut harness, name, part);
    }
}
