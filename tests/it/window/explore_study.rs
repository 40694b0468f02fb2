//! The figure of a study in *Explore*: a row and a dot of it select their runs, by pointer and by keys.

use egui_kittest::kittest::Queryable as _;

use pentimento::workbench::{ExplorePanel, Fetched};

use super::harness::{copied_text, window};
use crate::study_explore::{explored, simulated};

#[test]
fn rows_and_dots_of_the_figure_select_their_runs() {
    let dir = tempfile::tempdir().unwrap();
    let study = simulated(dir.path());
    let session = explored(dir.path(), &study);
    let mut state = session.state().clone();
    drop(session);
    state.explore.view.panel = ExplorePanel::Plots;
    let Some(Fetched::Ready(counted)) = state.explored_study() else { panic!("it is counted") };
    let counted = std::sync::Arc::clone(counted);
    let figure = counted.figure.as_ref().unwrap();
    let row = figure.marks.iter().find(|mark| mark.person.is_none()).unwrap().clone();
    let dot = figure.marks.iter().find(|mark| mark.person.is_some()).unwrap().clone();
    let mut harness = window(state, [1440.0, 900.0]);
    let label = |words: &str| format!("Select {words}");

    harness.get_by_label(&label(&row.words)).click();
    harness.run_ok();
    let all = harness.state().state.explore.selected.clone();
    assert_eq!(all.len(), counted.of.results.cells[row.cell].attempts);

    // The same person has a dot in both halves.
    harness.get_all_by_label(&label(&dot.words)).next().unwrap().click();
    harness.run_ok();
    let own = harness.state().state.explore.selected.clone();
    let cell = &counted.of.results.cells[dot.cell];
    assert_eq!(own.len(), cell.individuals[dot.person.unwrap()].attempts);

    harness.get_by_label("Copy the attempts").click_accesskit();
    harness.step();
    assert_eq!(copied_text(&harness).expect("nothing was copied").lines().count(), 1 + 36);
}
