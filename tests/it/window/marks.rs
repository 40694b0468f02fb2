//! What people said of steps, as marks on the timeline.

use egui::pos2;
use egui_kittest::SnapshotResults;
use egui_kittest::kittest::Queryable as _;

use pentimento::label::WriterId;
use pentimento::store::labels::LabelFile;
use pentimento::workbench::{AnnotateCommand, Command, Settings, Workspace, views};

use super::harness::add_look_at;
use super::labelling::{THEMES, WIDE, dressed, is_listed, open, state, until, window};
use crate::first_study::{copied, label};

#[test]
fn labels_of_steps_are_marks_on_the_timeline_and_look() {
    let mut results = SnapshotResults::new();
    let dir = copied();
    let mut line = vec!["new", "steps.labels", "runs/own-samples/now-playing", "--tasks", "."];
    line.extend(["--form", "plan-errors", "--person", "ada", "--not-blind"]);
    label(dir.path(), &line);
    let items =
        LabelFile::open(&dir.path().join("steps.labels"), WriterId(4)).unwrap().items().unwrap();
    let folder = &items[0].runs[0].path;
    let mut csv = "person,item,errors\n".to_owned();
    for (person, step, errors) in [
        ("ada", 1, "invalid_expert"),
        ("ada", 3, "inconsistency|invalid_tool"),
        ("bo", 3, "inconsistency"),
        ("ada", 4, "none"),
        ("bo", 5, "dependency_local"),
    ] {
        let of = items.iter().find(|it| it.step == Some(step) && it.runs[0].path == *folder);
        csv.extend([person, ",", &of.unwrap().id.0, ",", errors, "\n"]);
    }
    std::fs::write(dir.path().join("steps.csv"), csv).unwrap();
    label(dir.path(), &["import", "steps.labels", "steps.csv"]);

    let mut harness = window(Settings::default(), WIDE);
    open(&mut harness, &dir.path().join("steps.labels"));
    harness.state_mut().session.carry_out(Command::Open(vec![dir.path().to_path_buf()]));
    let wanted = dir.path().join(folder);
    until(&mut harness, "the library is listed", |state| {
        is_listed(state) && state.library.runs.values().any(|run| run.dir == wanted)
    });
    let mut runs = state(&harness).library.runs.iter();
    let run = *runs.find(|(_, run)| run.dir == wanted).unwrap().0;
    for command in
        [Command::Annotate(AnnotateCommand::Show(Workspace::Inspect)), Command::SelectRun(run)]
    {
        harness.state_mut().session.carry_out(command);
    }
    until(&mut harness, "the timeline has the run", |state| {
        let timeline = views::timeline(state);
        timeline.is_some_and(|it| it.steps.iter().any(|step| !step.labels.is_empty()))
            && state.jobs.active().next().is_none()
    });
    harness.remove_cursor();
    harness.run_steps(4);
    let said = |step: usize| {
        let timeline = views::timeline(state(&harness)).unwrap();
        timeline.steps[step].labels.iter().map(|it| (it.people, it.asked)).collect::<Vec<_>>()
    };
    // Who says that nothing is wrong marks nothing.
    assert_eq!((said(1), said(3).len(), said(4).len()), (vec![(1, 1)], 2, 0));
    for (theme, suffix) in THEMES {
        dressed(&mut harness, theme);
        let row = harness.get_by_label_contains("Calls of the steps").rect();
        let alone = egui::Rect::from_min_max(
            pos2(row.left() - 8.0, row.top() - 6.0),
            pos2(row.right() + 8.0, row.bottom() + 2.0),
        );
        add_look_at(&mut results, &mut harness, &format!("timeline_labels_{suffix}"), alone);
    }
}
