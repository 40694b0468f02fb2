//! The room with the table over all runs: filtered, sorted, selected and opened by keys, and as it looks.

use std::collections::BTreeSet;
use std::sync::Arc;

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, SnapshotResults};

use pentimento::environment::{FailureClass, ToolCategory};
use pentimento::evaluate::figures::FIGURES;
use pentimento::evaluate::groups::GroupSide;
use pentimento::evaluate::{Failed, RunDigest, StepDigest, ToolCount};
use pentimento::run::Outcome;
use pentimento::study::SCRIPTED_PARTICIPANT_KIND;
use pentimento::workbench::{
    Against, AnnotateCommand, Column, Command, DigestState, ExploreCommand, ExplorePanel, PairCell,
    RunId, RunState, Selecting, Slot, SortKey, StageView, State, ThemeChoice, Workspace, handle,
};

use super::fixture;
use super::harness::{Host, Part, add_look, copied_text, looks, themed, window};

const WIDE: [f32; 2] = [1440.0, 900.0];

/// Calls of two tools, of which some failed.
fn digest(failed: u32) -> RunDigest {
    let failure = Failed::Class(FailureClass::UnknownNode);
    let step = |tool: u16, at: u32| StepDigest {
        tool,
        turn: at,
        category: ToolCategory::Creation,
        failure: (at <= failed).then_some(failure),
        expert: None,
    };
    let tool = |name: &str, calls| ToolCount {
        name: name.into(),
        category: ToolCategory::Creation,
        calls,
        failures: failed,
    };
    RunDigest {
        steps: (1..=4).map(|at| step(u16::from(at == 4), at)).collect(),
        tools: vec![tool("create_text", 3), tool("set_layout_mode", 1)],
        turn_ends: vec![1, 2, 3, 4],
        is_pictures: false,
        ..RunDigest::default()
    }
}

/// The room over many runs, with what the worker would have told of them.
pub(super) fn room() -> State {
    let mut state = fixture::full();
    for (at, (_, run)) in (0_u32..).zip(&mut state.library.runs) {
        run.manifest.totals.turns = 8 + at * 7 % 19;
        run.manifest.totals.calls = 12 + at * 11 % 31;
        run.manifest.totals.failures = at % 3;
        run.digest = DigestState::Read(Arc::new(digest(at % 3)));
        let wave = f64::from(at * 37 % 100) / 400.0;
        run.last_score = Some(pentimento::metric::Score::Value(0.55 + wave));
    }
    drop(handle(&mut state, Command::Annotate(AnnotateCommand::Show(Workspace::Explore))));
    state
}

fn open<'a>() -> Harness<'a, Host> {
    window(room(), WIDE)
}

fn state<'a>(harness: &'a Harness<'_, Host>) -> &'a State {
    &harness.state().state
}

fn shown(harness: &Harness<'_, Host>) -> Vec<RunId> {
    state(harness).explore.table.shown.clone()
}

fn send(state: &mut State, command: ExploreCommand) {
    drop(handle(state, Command::Explore(command)));
}

#[test]
fn a_filter_is_typed_completed_with_tab_and_left_with_escape() {
    let mut harness = open();
    let all = shown(&harness).len();
    harness.key_press(Key::Slash);
    harness.run_ok();
    harness.get_by_label("Filter the table").type_text("model:gpt-4.");
    harness.run_ok();
    harness.key_press(Key::Tab);
    harness.run_ok();
    assert_eq!(state(&harness).explore.view.filter, "model:gpt-4.1");
    let left = shown(&harness);
    assert!(!left.is_empty() && left.len() < all);
    for run in &left {
        assert_eq!(state(&harness).library.runs[run].manifest.agent.name, "gpt-4.1");
    }
    harness.get_by_label("Filter the table").type_text(" nonsense:x");
    harness.run_ok();
    let problem = state(&harness).explore.table.problem.clone().expect("it is wrong");
    assert!(problem.message.contains("`nonsense` is not known here"), "{}", problem.message);
    assert_eq!(shown(&harness).len(), all, "a filter that is wrong hides nothing");
    harness.key_press(Key::Escape);
    harness.run_ok();
    harness.key_press_modifiers(Modifiers::ALT, Key::ArrowUp);
    harness.run_ok();
}

#[test]
fn runs_are_selected_by_keys_and_enter_shows_the_one_under_the_arrows() {
    let mut harness = open();
    let rows = shown(&harness);
    harness.key_press(Key::ArrowDown);
    harness.key_press(Key::ArrowDown);
    harness.key_press(Key::Space);
    harness.run_ok();
    assert_eq!(state(&harness).explore.cursor, Some(rows[1]));
    assert_eq!(state(&harness).explore.selected, BTreeSet::from([rows[1]]));
    harness.key_press_modifiers(Modifiers::SHIFT, Key::ArrowDown);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::ArrowDown);
    harness.run_ok();
    assert_eq!(state(&harness).explore.selected, rows[1..4].iter().copied().collect());
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.run_ok();
    assert_eq!(state(&harness).explore.selected.len(), rows.len());
    harness.key_press(Key::Escape);
    harness.run_ok();
    assert!(state(&harness).explore.selected.is_empty());
    harness.key_press(Key::Enter);
    harness.run_ok();
    assert_eq!(state(&harness).workspace, Workspace::Inspect);
    assert_eq!(state(&harness).selection.run, Some(rows[3]));
}

#[test]
fn all_selected_runs_of_a_task_open_beside_each_other_and_the_others_are_counted() {
    let mut state = room();
    let first = state.library.runs[&state.explore.table.shown[0]].clone();
    for number in 900..907 {
        state.library.runs.insert(RunId(number), first.clone());
    }
    send(&mut state, ExploreCommand::SetFilter(String::new()));
    let is_of_task = |run: &RunId| state.library.runs[run].task == first.task;
    let shown = state.explore.table.shown.iter().copied();
    let (of_task, others): (Vec<RunId>, Vec<RunId>) = shown.partition(is_of_task);
    let beside = |runs: &[RunId]| -> Vec<Slot> {
        runs.iter().map(|run| Slot::Run { run: *run, pinned: None }).collect()
    };
    let notices = state.notices.len();

    send(&mut state, ExploreCommand::Select(Selecting::These(of_task[..2].to_vec())));
    send(&mut state, ExploreCommand::Open);
    assert_eq!((state.workspace, state.selection.run), (Workspace::Inspect, Some(of_task[0])));
    assert_eq!(state.stage.slots, beside(&of_task[1..2]));
    assert_eq!((state.stage.against, state.notices.len()), (Against::Slot(0), notices));

    let runs = [&of_task[..8], &others[..1]].concat();
    send(&mut state, ExploreCommand::Select(Selecting::These(runs)));
    send(&mut state, ExploreCommand::Open);
    assert_eq!(state.selection.run, Some(of_task[0]));
    assert_eq!(state.stage.slots, beside(&of_task[1..6]));
    assert_eq!(state.stage.against, Against::GroundTruth);
    let told = state.notices.last().map(|notice| notice.text.as_str());
    let words = "Not opened of the selected runs: 1 of another task, 2 for which there is no room \
                 beside the run.";
    assert_eq!(told, Some(words));

    // One alone leaves beside it what stands there.
    send(&mut state, ExploreCommand::Select(Selecting::These(of_task[..1].to_vec())));
    send(&mut state, ExploreCommand::Open);
    assert_eq!(state.stage.slots, beside(&of_task[1..6]));
}

/// Clicks there, and gives what is selected then.
fn select_at(harness: &mut Harness<'_, Host>, pos: egui::Pos2) -> BTreeSet<RunId> {
    harness.input_mut().events.push(egui::Event::PointerMoved(pos));
    harness.step();
    for pressed in [true, false] {
        let (button, modifiers) = (egui::PointerButton::Primary, Modifiers::NONE);
        let event = egui::Event::PointerButton { pos, button, pressed, modifiers };
        harness.input_mut().events.push(event);
        harness.step();
    }
    harness.run_ok();
    state(harness).explore.selected.clone()
}

#[test]
fn a_click_on_a_bin_of_the_distribution_selects_its_runs_and_one_beside_all_none() {
    use egui::accesskit::Role;

    let mut harness = window(room(), [1440.0, 1500.0]);
    let now = state(&harness);
    let metric = now.explore.view.metric.clone();
    let value = |run: &RunId| now.explore.table.number(*run, &metric);
    let shown = now.explore.table.shown.iter();
    let values: Vec<(RunId, f64)> = shown.filter_map(|run| Some((*run, value(run)?))).collect();
    let name = format!("Distribution of {} by model", now.column_heading(&metric));
    let rect = harness.get_by_role_and_label(Role::Image, &name).rect();
    let mut found = 0;
    for share in 1_u8..20 {
        let x = rect.left() + rect.width() * f32::from(share) / 20.0;
        let pos = egui::pos2(x, rect.center().y);
        let selected = select_at(&mut harness, pos);
        let of_bin = values.iter().filter(|(run, _)| selected.contains(run)).map(|(_, it)| *it);
        let (low, high) = of_bin.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), it| {
            (it.min(low), it.max(high))
        });
        let between = values.iter().filter(|(_, value)| (low..=high).contains(value));
        let between: BTreeSet<RunId> = between.map(|(run, _)| *run).collect();
        assert_eq!(between, selected);
        found += usize::from(!selected.is_empty());
    }
    assert!(found > 2, "{found} bins had runs");
    assert!(select_at(&mut harness, rect.left_top() + egui::vec2(1.0, 1.0)).is_empty());
}

#[test]
fn a_click_on_a_curve_selects_the_runs_that_it_is_the_mean_of() {
    use egui::accesskit::Role;

    let mut harness = window(room(), [1440.0, 1500.0]);
    let curves = state(&harness).explore_curves();
    let runs: Vec<BTreeSet<RunId>> =
        curves.iter().map(|of| of.values.iter().map(|(run, _)| *run).collect()).collect();
    let all: usize = runs.iter().map(BTreeSet::len).sum();
    let name = format!("Mean score by step of {all} run{}", if all == 1 { "" } else { "s" });
    let rect = harness.get_by_role_and_label(Role::Image, &name).rect();
    let mut found: Vec<BTreeSet<RunId>> = Vec::new();
    for share in 1_u8..24 {
        let y = rect.top() + rect.height() * f32::from(share) / 24.0;
        found.push(select_at(&mut harness, egui::pos2(rect.center().x, y)));
    }
    found.retain(|selected| !selected.is_empty());
    assert!(!found.is_empty() && found.iter().all(|selected| runs.contains(selected)));
}

#[test]
fn a_head_sorts_and_shift_adds_a_second_column() {
    let mut harness = open();
    harness.get_by_label("Sort by Failed").click();
    harness.run_ok();
    let key = |column: Column, is_descending| SortKey { column, is_descending };
    assert_eq!(state(&harness).explore.view.sort, [key(Column::Failures, true)]);
    harness.get_by_label("Sort by Turns").click_modifiers(Modifiers::SHIFT);
    harness.run_ok();
    assert_eq!(
        state(&harness).explore.view.sort,
        [key(Column::Failures, true), key(Column::Turns, true)]
    );
    let numbers: Vec<(u32, u32)> = shown(&harness)
        .iter()
        .map(|run| &state(&harness).library.runs[run].manifest.totals)
        .map(|totals| (totals.failures, totals.turns))
        .collect();
    let mut sorted = numbers.clone();
    sorted.sort_by(|a, b| b.cmp(a));
    assert_eq!(numbers, sorted);
}

#[test]
fn a_cell_of_two_models_selects_their_runs_at_those_tasks() {
    let mut harness = open();
    let counts = state(&harness).explore_contingency().expect("there are two models");
    let pair = state(&harness).explore.table.pair.clone().expect("there are two models");
    assert_eq!(counts.tasks() as usize, pair.both().count());
    let label = format!("both fail: {} tasks", counts.neither);
    harness.get_by_label(&label).click_accesskit();
    harness.run_ok();
    let selected = &state(&harness).explore.selected;
    assert_eq!(selected.len() as u64, 2 * counts.neither);
    for run in selected {
        let name = &state(&harness).library.runs[run].manifest.agent.name;
        assert!(**name == *pair.first || **name == *pair.second);
    }
}

#[test]
fn two_models_are_tested_task_by_task_with_what_holm_makes_of_both_tests() {
    use pentimento::workbench::{Difference, Fetched, Statistics};

    let mut state = room();
    let pair = state.explore.table.pair.clone().expect("there are two models");
    // Passed by one of them alone at a task, so that there is something to test.
    let apart = pair.both().find(|(first, second)| first != second).expect("they are not equal");
    send(&mut state, ExploreCommand::PassesFrom(Some(f64::midpoint(apart.0, apart.1))));
    let key = pair.difference.clone().expect("there are tasks of both");
    let found = Statistics::Difference(Difference::of(&key.pairs));
    state.derived.statistics.insert(key, Fetched::Ready(Arc::new(found)));
    let harness = window(state, [1440.0, 1500.0]);
    harness.get_by_label_contains("McNemar, exact: p ");
    harness.get_by_label_contains("Wilcoxon, exact: p ");
    assert_eq!(harness.query_all_by_label_contains(", Holm ").count(), 2);
}

#[test]
fn from_which_value_a_run_passes_is_kept_for_each_metric_and_asked_where_nothing_says_it() {
    let ssim = Column::from("ssim/uniform7".to_owned());
    let mut known = room();
    assert_eq!(known.explore_pass_rule().map(|rule| rule.from), Some(0.7));
    send(&mut known, ExploreCommand::PassesFrom(Some(0.6)));
    send(&mut known, ExploreCommand::Metric(Column::Turns));
    let mut harness = window(known, [1440.0, 1500.0]);
    harness.get_by_label_contains("Nothing says up to which Turns a run passes");
    assert!(harness.query_by_label_contains("both pass: ").is_none());
    harness.get_by_label("Passes up to").set_value_accesskit(15.0);
    harness.run_ok();
    let now = state(&harness);
    let pair = now.explore.table.pair.clone().unwrap();
    let both = pair.both().filter(|(first, second)| *first <= 15.0 && *second <= 15.0).count();
    let neither = pair.both().filter(|(first, second)| *first > 15.0 && *second > 15.0).count();
    assert!(both + neither > 0, "the models differ at every task");
    let expected = [(ssim.clone(), 0.6), (Column::Turns, 15.0)];
    assert_eq!(now.explore.view.thresholds, expected.into_iter().collect());
    harness.get_by_label(&format!("both pass: {both} tasks"));
    harness.get_by_label(&format!("both fail: {neither} tasks"));
    harness.get_by_label("Reset who passes").click_accesskit();
    harness.run_ok();
    assert_eq!(state(&harness).explore_contingency(), None);
    send(&mut harness.state_mut().state, ExploreCommand::Metric(ssim));
    assert_eq!(state(&harness).explore_pass_rule().map(|rule| rule.from), Some(0.6));
}

/// Runs as `study simulate` makes them.
fn scripted() -> State {
    let mut state = room();
    drop(handle(&mut state, Command::Annotate(AnnotateCommand::Show(Workspace::Inspect))));
    state.explore = pentimento::workbench::Explore::default();
    for run in state.library.runs.values_mut() {
        SCRIPTED_PARTICIPANT_KIND.clone_into(&mut run.manifest.agent.kind);
        "P01 (scripted)".clone_into(&mut run.manifest.agent.name);
    }
    drop(handle(&mut state, Command::Annotate(AnnotateCommand::Show(Workspace::Explore))));
    state
}

#[test]
fn a_study_of_scripts_says_why_nothing_is_listed_and_lists_it() {
    let mut harness = window(scripted(), WIDE);
    assert!(shown(&harness).is_empty());
    let clearing = harness.query_all_by_label("Clear the filter").count();
    assert_eq!(clearing, 1, "there is none: only the field has its button, which is off");
    harness.get_by_label("Only scripted runs");
    harness.get_by_label("List scripted runs").click();
    harness.run_ok();
    assert_eq!(shown(&harness).len(), state(&harness).library.runs.len());
}

/// The same with the runs of two models as one experiment, and those of a third as another that left a task out.
fn experiments() -> State {
    let mut state = room();
    drop(handle(&mut state, Command::Annotate(AnnotateCommand::Show(Workspace::Inspect))));
    state.explore = pentimento::workbench::Explore::default();
    for run in state.library.runs.values_mut() {
        let name = match run.manifest.agent.name.as_str() {
            "gpt-4.1" | "gpt-4o" => "warm",
            "tracer" if run.task.id != "gid28-1" => "cold",
            _ => continue,
        };
        let temperature = if name == "warm" { 1.0 } else { 0.0 };
        (run.state, run.manifest.outcome) = (RunState::Finished, Outcome::Completed);
        let settings = &mut run.manifest.settings;
        settings.insert("experiment".to_owned(), serde_json::json!({"name": name, "repeat": 1}));
        settings.insert("model".to_owned(), serde_json::json!({"temperature": temperature}));
    }
    drop(handle(&mut state, Command::Annotate(AnnotateCommand::Show(Workspace::Explore))));
    send(&mut state, ExploreCommand::PairBy(Column::Experiment));
    state
}

#[test]
fn two_experiments_are_matched_task_by_task_with_repeats_and_who_is_missing() {
    let mut state = experiments();
    let pair = state.explore.table.pair.clone().expect("there are two");
    assert_eq!((&*pair.first, &*pair.second), ("warm", "cold"));
    assert_eq!((pair.tasks.len(), pair.both().count()), (5, 4));
    let [first, second] = GroupSide::BOTH;
    assert_eq!((pair.repeats(first), pair.repeats(second)), (2, 1));
    assert_eq!((pair.missing(first), pair.missing(second)), (0, 1));
    let score = |run: &RunId| state.library.runs[run].last_score.as_ref().unwrap().value().unwrap();
    for task in &pair.tasks {
        let runs = &task.side(first).runs;
        let mean = runs.iter().map(score).sum::<f64>() / runs.len() as f64;
        assert!((task.side(first).mean().unwrap() - mean).abs() < 1e-12);
    }
    // Any setting separates them as well, and each of the tasks is a filter.
    let temperature = Column::setting("model.temperature");
    assert!(state.explore.table.settings().any(|path| path == "model.temperature"));
    send(&mut state, ExploreCommand::PairBy(temperature));
    let pair = state.explore.table.pair.clone().unwrap();
    assert_eq!((&*pair.first, &*pair.second, pair.both().count()), ("1.0", "0.0", 4));
    send(&mut state, ExploreCommand::FilterCell(PairCell::Missing(second)));
    assert_eq!(state.explore.view.filter, "settings.model.temperature=1.0,0.0 task=gid28-1");
    assert_eq!(state.explore.table.problem, None);
    let shown = &state.explore.table.shown;
    let ids: BTreeSet<&str> =
        shown.iter().map(|run| state.library.runs[run].task.id.as_str()).collect();
    assert_eq!((shown.len(), ids), (2, BTreeSet::from(["gid28-1"])));
    send(&mut state, ExploreCommand::SetFilter("experiment:wa folder:pentimento".to_owned()));
    assert_eq!((state.explore.table.shown.len(), &state.explore.table.problem), (10, &None));
    send(&mut state, ExploreCommand::PairBy(Column::Task));
    assert_ne!(state.explore.view.pair_by, Column::Task, "tasks are what is matched");
}

#[test]
fn what_is_still_being_made_or_broke_off_has_no_result_among_two_experiments() {
    for unfinished in [RunState::Live, RunState::Interrupted] {
        let mut state = experiments();
        let mut cold = state.library.runs.values_mut().filter(|run| run.task.id == "gid6-27");
        cold.find(|run| run.manifest.agent.name == "tracer").unwrap().state = unfinished;
        send(&mut state, ExploreCommand::PairBy(Column::Experiment));
        let pair = state.explore.table.pair.as_ref().unwrap();
        assert_eq!((pair.tasks.len(), pair.both().count()), (5, 3));
        assert_eq!(GroupSide::BOTH.map(|side| pair.missing(side)), [0, 2]);
    }
}

#[test]
fn a_matched_task_is_selected_by_a_click_and_both_runs_open_by_a_double_click() {
    let mut harness = window(experiments(), [1440.0, 2600.0]);
    harness.get_by_label("Groups by: Experiment");
    harness.get_by_label("cold is missing at 1 task").click();
    harness.run_ok();
    let of_task = |harness: &Harness<'_, Host>| -> Vec<String> {
        let selected = &state(harness).explore.selected;
        selected.iter().map(|run| state(harness).library.runs[run].task.id.clone()).collect()
    };
    assert_eq!(of_task(&harness), ["gid28-1", "gid28-1"]);
    let pair = state(&harness).explore.table.pair.clone().unwrap();
    let task = pair.tasks.iter().find(|task| task.task.id == "gid6-27").unwrap();
    let expected = GroupSide::BOTH.map(|side| task.side(side).runs[0]);
    let pos = harness.get_by_label_contains("gid6-27: warm").rect().center();
    harness.get_by_label_contains("gid6-27: warm").click();
    harness.run_ok();
    assert_eq!(of_task(&harness), ["gid6-27"; 3]);
    // Twice in one frame, after a while in which the first click is forgotten.
    harness.run_steps(8);
    for pressed in [true, false, true, false] {
        let (button, modifiers) = (egui::PointerButton::Primary, Modifiers::NONE);
        let event = egui::Event::PointerButton { pos, button, pressed, modifiers };
        harness.input_mut().events.push(event);
    }
    harness.step();
    harness.run_ok();
    let state = state(&harness);
    assert_eq!((state.workspace, state.selection.run), (Workspace::Inspect, Some(expected[0])));
    assert_eq!(state.stage.slots, [Slot::Run { run: expected[1], pinned: None }]);
    assert_eq!(state.stage.view, StageView::SideBySide);
}

/// The figures of the papers, as the worker makes them.
fn with_figures() -> State {
    use pentimento::workbench::{Fetched, PaperFigures};

    let mut state = room();
    send(&mut state, ExploreCommand::Panel(ExplorePanel::Figures));
    let key = state.explore_figures_key().expect("every call is read");
    let figures = FIGURES.iter().map(|kind| state.explore_figure(kind.id)).collect();
    let made = Fetched::Ready(Arc::new(PaperFigures(figures)));
    state.derived.paper_figures.insert(key, made);
    state
}

#[test]
fn a_bar_of_a_figure_selects_its_runs_and_its_numbers_are_copied() {
    let mut harness = window(with_figures(), [1440.0, 1500.0]);
    harness.get_by_label_contains("Select replication · gpt-4.1: ").click();
    harness.run_ok();
    let runs = state(&harness).library.runs.iter();
    let of_model = runs.filter(|(_, run)| run.manifest.agent.name == "gpt-4.1");
    let of_model: BTreeSet<RunId> = of_model.map(|(id, _)| *id).collect();
    assert_eq!(state(&harness).explore.selected, of_model);
    let title = "CANVAS, Figure 4: calls a run, by kind of tool";
    harness.get_by_label(&format!("Copy the numbers of {title}")).click_accesskit();
    harness.step();
    let copied = copied_text(&harness).expect("nothing was copied");
    assert!(copied.starts_with("task\tmodel\truns\ttools a run\t"), "{copied}");

    let words = "Those of the runs that are shown now are being made…";
    assert!(harness.query_by_label(words).is_none());
    let filter = ExploreCommand::SetFilter("model:gpt-4o".to_owned());
    send(&mut harness.state_mut().state, filter);
    harness.run_ok();
    harness.get_by_label(words);
    harness.get_by_label_contains("Select replication · gpt-4.1: ");
}

#[test]
fn the_figures_of_the_papers_look_like_this() {
    looks("explore_figures", &with_figures(), WIDE, Part::Whole);
}

#[test]
fn the_matched_tasks_are_copied_and_saved_with_what_is_found_over_them() {
    use pentimento::workbench::{Browse, ExportedTable, Request, TableFile, TableFormat};

    let mut harness = window(experiments(), [1440.0, 1500.0]);
    harness.get_by_label("Copy the matched tasks").click_accesskit();
    harness.step();
    let copied = copied_text(&harness).expect("nothing was copied");
    let heads = "set\ttask\tmean of warm\truns of warm\tmean of cold\truns of cold\tdifference\n";
    assert!(copied.starts_with(heads), "{copied}");
    assert_eq!(copied.lines().count(), 1 + 5);
    harness.get_by_label("Save the matched tasks").click_accesskit();
    harness.run_ok();
    harness.get_by_label("LaTeX…").click();
    harness.run_ok();
    let latex = TableFile::Text(TableFormat::Latex);
    let browse = Command::Browse(Browse::Table(ExportedTable::MatchedTasks, latex));
    assert_eq!(harness.state().sent.last(), Some(&browse));

    let export = ExploreCommand::Export {
        table: ExportedTable::MatchedTasks,
        format: TableFile::Text(TableFormat::Csv),
        path: "/out/tasks.csv".into(),
    };
    let state = &mut harness.state_mut().state;
    let requests = handle(state, Command::Explore(export));
    let about = requests.iter().find_map(|request| match request {
        Request::SaveText { about, .. } => about.as_deref(),
        _ => None,
    });
    let about: serde_json::Value = serde_json::from_str(about.expect("it is written")).unwrap();
    assert_eq!(about["finding 1"], "4 tasks of both");
    assert_eq!(about["finding 2"], "cold is missing at 1: gid28-1");
    assert!(about["finding 4"].as_str().unwrap().starts_with("passing from 0.7: both "), "{about}");
    let command = about["command"].as_str().unwrap();
    let words = "--by=experiment --first=warm --second=cold --metric=ssim/uniform7 ";
    assert!(command.contains(words) && command.ends_with(" --table tasks.csv"), "{command}");
    // Nobody has tested the difference here.
    assert!(about.to_string().contains("Wilcoxon: it was not tested yet"), "{about}");
    state.explore.table.pair = None;
    let export = ExploreCommand::Export {
        table: ExportedTable::MatchedTasks,
        format: TableFile::Parquet,
        path: "/out/tasks.parquet".into(),
    };
    state.explore.view.pair_by = Column::Mode;
    let requests = handle(state, Command::Explore(export));
    assert!(!requests.iter().any(|it| matches!(it, Request::SaveTable { .. })));
    let notice = &state.notices.last().unwrap().text;
    assert!(notice.contains("there are no two groups"), "{notice}");
}

#[test]
fn two_experiments_look_like_this() {
    let mut results = SnapshotResults::new();
    let mut harness = window(themed(experiments(), ThemeChoice::Dark), [1440.0, 1500.0]);
    harness.run_ok();
    let by = harness.get_by_label("Groups by: Experiment").rect();
    let last = harness.get_by_label_contains("gid28-1: warm").rect();
    let side = egui::Rect::from_min_max(
        egui::pos2(last.left() - 12.0, by.top() - 36.0),
        egui::pos2(1440.0, last.bottom() + 12.0),
    );
    super::harness::add_look_at(&mut results, &mut harness, "explore_matched_dark", side);
}

#[test]
fn the_room_says_what_to_do_while_nothing_is_open_or_nothing_passes() {
    let mut state = fixture::empty();
    drop(handle(&mut state, Command::Annotate(AnnotateCommand::Show(Workspace::Explore))));
    let harness = window(state, WIDE);
    harness.get_by_label("No runs are open");
    let mut state = room();
    send(&mut state, ExploreCommand::SetFilter("turns>100000".to_owned()));
    let mut harness = window(state, WIDE);
    harness.get_by_label("Nothing to list");
    harness.get_all_by_label("Clear the filter").next().unwrap().click();
    harness.run_ok();
}

#[test]
fn the_table_with_its_plots_looks_like_this() {
    let mut state = room();
    send(&mut state, ExploreCommand::SetFilter("model:gpt,tracer ssim<0.78 error:".to_owned()));
    send(&mut state, ExploreCommand::SetFilter("model:gpt,tracer ssim<0.78".to_owned()));
    send(&mut state, ExploreCommand::Group(Some(Column::Model)));
    let sort = |column: Column, is_added| ExploreCommand::Sort { column, is_added };
    send(&mut state, sort(Column::Turns, false));
    let runs: Vec<RunId> = state.explore.table.shown.iter().copied().take(3).collect();
    send(&mut state, ExploreCommand::Select(pentimento::workbench::Selecting::These(runs)));
    looks("explore", &state, WIDE, Part::Whole);
}

#[test]
fn the_columns_to_choose_from_look_like_this() {
    let mut results = SnapshotResults::new();
    let mut harness = window(themed(room(), ThemeChoice::Light), [1024.0, 700.0]);
    harness.key_press(Key::C);
    harness.run_ok();
    add_look(&mut results, &mut harness, "explore_columns_light", Part::Whole);
    harness.get_by_label("Cost").click_accesskit();
    harness.run_ok();
    assert!(harness.state().state.explore.view.columns.contains(&Column::Cost));
}

#[test]
fn the_selected_runs_are_exported_as_what_was_chosen_last() {
    use pentimento::workbench::{Browse, ExportForm, Overlay, RunsExport};

    let mut harness = open();
    harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::ALT, Key::E);
    harness.run_ok();
    assert_eq!(state(&harness).overlay, Some(Overlay::Export));
    let runs = shown(&harness).len();
    harness.get_by_label(&format!("{runs} runs"));
    // Of several there is no contact sheet.
    assert!(harness.query_by_label("Contact sheet").is_none());
    harness.get_by_label("Grid of tasks and models");
    harness.get_by_label("LaTeX").click();
    harness.run_ok();
    harness.get_by_label("Pos@K below").click();
    harness.run_ok();
    harness.get_by_label("Export…").click();
    harness.run_ok();
    let browse = Command::Browse(Browse::Runs(RunsExport::Grid, ExportForm::Tex));
    assert_eq!(harness.state().sent.last(), Some(&browse));
    harness.key_press(Key::Escape);
    harness.run_ok();
    assert_eq!(state(&harness).overlay, None);
    // One selected run has other forms, and what was chosen for several is kept.
    let one = shown(&harness)[0];
    let mut known = state(&harness).clone();
    send(&mut known, ExploreCommand::Select(pentimento::workbench::Selecting::Only(one)));
    let mut harness = window(known, WIDE);
    harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::ALT, Key::E);
    harness.run_ok();
    harness.get_by_label("Animation").click();
    harness.run_ok();
    harness.get_by_label("MP4").click();
    harness.run_ok();
    harness.get_by_label_contains("Made by ffmpeg");
    harness.get_by_label("Page with a slider").click();
    harness.run_ok();
    let choices = &state(&harness).settings.export;
    assert_eq!(choices.form(RunsExport::Animation), ExportForm::Mp4);
    assert_eq!(choices.form(RunsExport::Grid), ExportForm::Tex);
    assert_eq!(choices.of_run, RunsExport::Page);
}

#[test]
fn enter_is_the_key_of_the_dialog_and_not_of_the_row_below_it() {
    use pentimento::workbench::{Browse, Overlay};

    let mut harness = open();
    harness.key_press(Key::ArrowDown);
    harness.run_ok();
    harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::ALT, Key::E);
    harness.run_ok();
    assert_eq!(state(&harness).overlay, Some(Overlay::Export));
    harness.key_press(Key::Enter);
    harness.run_ok();
    let exports = |command: &Command| matches!(command, Command::Browse(Browse::Runs(..)));
    assert!(harness.state().sent.iter().any(exports), "{:?}", harness.state().sent);
    assert_eq!(state(&harness).workspace, Workspace::Explore, "no row was opened");
}

#[test]
fn what_runs_are_exported_as_looks_like_this() {
    let mut state = fixture::full();
    state.settings.export.sheet = pentimento::workbench::ExportForm::Png;
    state.overlay = Some(pentimento::workbench::Overlay::Export);
    looks("export_run", &state, [1024.0, 700.0], Part::Whole);
}

#[test]
fn a_notice_of_what_was_written_shows_it_in_the_file_manager() {
    use pentimento::workbench::{Notice, NoticeLevel, NoticeSubject};

    let mut state = fixture::full();
    let folder = std::path::PathBuf::from("/home/someone/papers");
    state.notices.push(Notice {
        id: 7,
        level: NoticeLevel::Info,
        text: "saved /home/someone/papers/sheet.pdf".to_owned(),
        is_hidden: false,
        about: Some(NoticeSubject::Saved {
            file: "/home/someone/papers/sheet.pdf".to_owned(),
            folder: folder.clone(),
        }),
    });
    let mut harness = window(state, WIDE);
    harness.get_by_label("Show in file manager").click();
    harness.run_ok();
    assert!(harness.state().sent.contains(&Command::Reveal(folder)));
}

#[test]
fn how_two_columns_go_together_is_said_with_n_or_why_it_is_not() {
    use pentimento::base::CancelToken;
    use pentimento::workbench::{Fetched, Relation, Statistics};

    let mut harness = open();
    let key = state(&harness).explore.table.relation.clone().unwrap();
    let runs = key.pairs.len();
    let without = shown(&harness).len() - runs;
    let constant = vec![(1.0, 2.0); runs];
    for (pairs, words) in [
        (key.pairs.to_vec(), format!(" · n {runs} · {without} without both")),
        (constant, format!("No correlation: all {runs} runs have the same ")),
    ] {
        let relation = Relation::of(&pairs, &CancelToken::new()).unwrap();
        let found = Fetched::Ready(Arc::new(Statistics::Relation(relation)));
        harness.state_mut().state.derived.statistics.insert(key.clone(), found);
        harness.run_ok();
        harness.get_by_label_contains(&words);
    }
}

#[test]
fn yes_and_no_are_an_axis_too() {
    let mut harness = open();
    harness.get_by_label_contains("Upwards: ").click();
    harness.run_ok();
    harness.get_by_label("Success").click_accesskit();
    harness.run_ok();
    let axes = ExploreCommand::Axes(Column::Calls, Column::Success);
    assert!(harness.state().sent.contains(&Command::Explore(axes)));
}

#[test]
fn a_setting_that_is_a_number_is_an_axis_and_what_the_plots_are_coloured_by() {
    use egui::accesskit::Role;
    use pentimento::evaluate::figures::SCATTER;

    let temperature = Column::setting("model.temperature");
    let mut harness = window(experiments(), WIDE);
    let numbers = ["experiment.repeat", "max_turns", "model.temperature"];
    assert!(state(&harness).explore.table.number_settings().eq(numbers));
    harness.get_by_label_contains("To the right: ").click();
    harness.run_ok();
    harness.get_by_label("model.temperature").click_accesskit();
    harness.run_ok();
    assert_eq!(state(&harness).explore.view.axes.0, temperature);
    let key = state(&harness).explore.table.relation.clone().unwrap();
    assert_eq!(key.pairs.len(), 10 + 4, "the runs of both experiments have one");
    assert!(key.pairs.iter().all(|(x, _)| [0.0, 1.0].contains(x)), "{:?}", key.pairs);

    harness.get_by_label("Colors by: model").click();
    harness.run_ok();
    harness.get_by_role_and_label(Role::RadioButton, "model.temperature").click_accesskit();
    harness.run_ok();
    let state = state(&harness);
    assert_eq!(state.explore.view.color_by, temperature);
    let series = state.explore.table.series.iter();
    let series: Vec<(&str, usize)> = series.map(|(name, runs)| (&**name, *runs)).collect();
    assert_eq!(series, [("1.0", 10), ("0.0", 4)]);
    let figure = state.explore_figure(SCATTER).unwrap();
    assert_eq!(figure.numbers[0][..2], ["settings.model.temperature", "model.temperature"]);
    assert!(figure.remarks.iter().any(|it| it == "Colors: by settings.model.temperature."));
    let command = state.explore_figure_command(SCATTER);
    let words =
        "--x settings.model.temperature --y ssim/uniform7 --color settings.model.temperature";
    assert!(command.contains(words), "{command}");
}

#[test]
fn a_plot_is_saved_as_what_its_menu_offers_and_copied() {
    use pentimento::base::Pixels;
    use pentimento::evaluate::figures::{DISTRIBUTION, MEAN_CURVES, SCATTER};
    use pentimento::workbench::{Browse, Event, StageForm, apply};

    let mut harness = open();
    for (button, id) in [
        ("Save the scatter", SCATTER),
        ("Save the distribution", DISTRIBUTION),
        ("Save the score by step", MEAN_CURVES),
    ] {
        harness.get_by_label(button).click_accesskit();
        harness.run_ok();
        harness.get_by_label("PDF…").click();
        harness.run_ok();
        let browse = Command::Browse(Browse::Figure(id, StageForm::Pdf));
        assert_eq!(harness.state().sent.last(), Some(&browse));
    }
    harness.get_by_label_contains("Mean score by step of ");
    harness.get_by_label("Save the score by step").click_accesskit();
    harness.run_ok();
    harness.get_by_label("Copy as a picture").click();
    harness.run_ok();
    let copy = Command::Explore(ExploreCommand::CopyFigure(MEAN_CURVES.to_owned()));
    assert_eq!(harness.state().sent.last(), Some(&copy));
    // What the worker draws then goes to the clipboard, once.
    let picture = Pixels::filled(3, 2, [1, 2, 3, 255]).unwrap();
    let drawn = Event::DrawingCopied(Ok(Arc::new(picture)));
    drop(apply(&mut harness.state_mut().state, drawn));
    for copied in [vec![[3, 2]], vec![]] {
        harness.step();
        let commands = harness.output().platform_output.commands.iter();
        let images = commands.filter_map(|command| match command {
            egui::OutputCommand::CopyImage(image) => Some(image.size),
            _ => None,
        });
        assert_eq!(images.collect::<Vec<_>>(), copied);
    }
}
