//! Studies in the window: how the pages look, and a questionnaire by keys. The states are made by hand: the clock of a
//! real one is never twice the same.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::{Key, Rect, pos2};
use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, SnapshotResults};

use pentimento::base::Pixels;
use pentimento::evaluate::figures::{
    Figure, Ink, STUDY, STUDY_PROGRESS, STUDY_RESULTS, Shape, VectorPicture,
};
use pentimento::evaluate::studies::{CountedRuns, StudyOfRuns};
use pentimento::label::form::builtin_form;
use pentimento::label::{AnswerValue, Form, text_hash};
use pentimento::run::{Outcome, TaskRef};
use pentimento::study::practice::PracticeTask;
use pentimento::study::{
    CandidateTask, Counted, Happening, NextThing, ParticipantKind, PauseReason, PersonProgress,
    PersonRecord, Preset, Stamp, StartChoice, StudyEvent, StudyPlan, StudyRecord, TrialFacts,
    planned_tasks,
};
use pentimento::workbench::{
    AnswerDraft, AssistCommand, Browse, Command, Event, ExploreCommand, ExportedTable,
    PracticeCheck, PracticeDesk, Request, Sitting, StageForm, State, StudyCommand, StudyCount,
    StudyDesk, StudyFindings, StudyNews, StudyOrder, StudyRows, StudySource, TableFile,
    TableFormat, ThemeChoice, TrialDesk, TrialPhase, Workspace, apply, handle,
};

use super::accessibility::assert_all_have_names;
use super::assist::{assist_state, card};
use super::harness::{Host, add_look_at, copied_text, themed, window};

const SIZES: [[f32; 2]; 2] = [[1440.0, 900.0], [1024.0, 700.0]];

fn plan() -> StudyPlan {
    let levels = ["easy", "medium", "hard"];
    let candidates = (0..12).map(|at| CandidateTask {
        set: "screens".to_owned(),
        id: format!("screen-{}", at + 1),
        difficulty: Some(levels[at % 3].to_owned()),
        has_checks: false,
    });
    let candidates: Vec<CandidateTask> = candidates.collect();
    let plan = Preset::Small.plan(&candidates, vec![], StartChoice::Given, 7).unwrap();
    StudyPlan {
        id: "novices-2026".to_owned(),
        title: "Novices with an assistant".to_owned(),
        consent: "# What happens\n\nYou do **twelve tasks** on a canvas.\n\n- You may stop at any time.\n- Nobody writes \
                  down your name.\n"
            .to_owned(),
        ..plan
    }
}

fn event(what: Happening) -> StudyEvent {
    let at = Stamp { wall: "2026-01-01T09:00:00Z".to_owned(), mono_ms: 0, process: 1 };
    StudyEvent { what, by: ParticipantKind::Person, at }
}

fn joined(participant: &str, row: u32) -> PersonRecord {
    let (study, name) = ("novices-2026".to_owned(), participant.to_owned());
    PersonRecord {
        participant: participant.to_owned(),
        by: ParticipantKind::Person,
        events: vec![event(Happening::Joined { study, participant: name, row })],
        trials: Vec::new(),
    }
}

/// A study that is open, with two who took part; nobody sits there.
fn lead() -> State {
    let plan = plan();
    let forms = plan.instruments.iter().map(|it| builtin_form(&it.form).unwrap().clone());
    let forms: Vec<Form> = forms.collect();
    let people = vec![joined("P01", 0), joined("P02", 1)];
    let record =
        StudyRecord { plan: plan.clone(), people, packed: Vec::new(), warnings: Vec::new() };
    let mut state = State { workspace: Workspace::Assist, ..State::default() };
    state.settings.hint_is_closed = true;
    state.assist.study.desk = Some(Box::new(StudyDesk {
        dir: PathBuf::from("/studies/novices"),
        plan: Arc::new(plan),
        forms: Arc::new(forms),
        tasks: Arc::default(),
        record: Arc::new(record),
        packet: None,
        warnings: Vec::new(),
        sitting: None,
        is_joining: false,
        shows_results: false,
        results: None,
        counted: Counted::ScriptedToo,
        counting: None,
        asking_withdrawal: None,
        unwritten: None,
    }));
    state
}

/// The same with P07 at what comes after these.
fn taking_part(events: &[Happening]) -> State {
    let mut state = lead();
    let desk = state.assist.study.desk.as_mut().unwrap();
    let mut progress = PersonProgress::new("P07", ParticipantKind::Person, 6);
    for what in events {
        progress.take_in(None, &event(what.clone()));
    }
    let next = progress.next(&desk.plan, &desk.forms);
    desk.sitting = Some(Sitting {
        planned: planned_tasks(&desk.plan, 6),
        progress,
        next,
        had_practice: true,
        is_waiting: false,
        trial: None,
        draft: AnswerDraft::default(),
    });
    state
}

fn consented() -> Happening {
    Happening::Consented { text: text_hash(&plan().consent) }
}

fn answered(form: &str) -> Happening {
    let form = builtin_form(form).unwrap();
    let (form, version) = (form.id.clone(), form.hash());
    Happening::Answer { form, version, condition: None, answer: None }
}

/// P07 at the load of the tasks, as if it were asked first.
fn asked_load() -> State {
    let mut state = taking_part(&[consented(), answered("background")]);
    let desk = state.assist.study.desk.as_mut().unwrap();
    let load = desk.forms.iter().position(|form| form.id == "nasa-tlx").unwrap();
    let due = pentimento::study::DueForm { instrument: load, condition: Some(0), position: None };
    desk.sitting.as_mut().unwrap().next = NextThing::Form(due);
    state
}

/// P07 at the third task, which stands still with less than a minute left.
fn paused() -> State {
    let mut state = taking_part(&[consented(), answered("background")]);
    let desk = state.assist.study.desk.as_mut().unwrap();
    let sitting = desk.sitting.as_mut().unwrap();
    let planned = sitting.planned[2];
    let limit_ms = (desk.plan.tasks[planned.task].limit_secs * 1_000.0) as u64;
    sitting.next = NextThing::Task(planned);
    sitting.trial = Some(TrialDesk {
        planned,
        place: None,
        desk: None,
        phase: TrialPhase::Paused(PauseReason::Button),
        active_ms: limit_ms - 48_000,
        stopped_ms: 3_000,
        had_input: true,
        is_away: false,
        asks_give_up: false,
        was_over: false,
        is_checking: false,
        told: pentimento::workbench::SuggestionLog::default(),
    });
    state
}

/// P07 behind the first task.
fn resting() -> State {
    let mut state = taking_part(&[consented(), answered("background")]);
    let sitting = state.assist.study.desk.as_mut().unwrap().sitting.as_mut().unwrap();
    let [first, second] = [sitting.planned[0], sitting.planned[1]];
    let trial = TrialFacts {
        study: "novices-2026".to_owned(),
        participant: "P07".to_owned(),
        row: 6,
        block: first.block,
        position: first.position,
        condition: "alone".to_owned(),
        set: "screens".to_owned(),
        task: "screen-1".to_owned(),
        difficulty: "easy".to_owned(),
        limit_secs: 300.0,
        distance: None,
        least_steps: None,
    };
    for what in [Happening::Begun { trial }, Happening::Shown, Happening::Done] {
        sitting.progress.take_in(Some(first.position), &event(what));
    }
    sitting.progress.pass_unchecked(first.position);
    assert_eq!(sitting.progress.done(), 1);
    sitting.next = NextThing::Task(second);
    state
}

/// P07, who is through.
fn at_the_end() -> State {
    let mut state = taking_part(&[consented(), answered("background")]);
    let sitting = state.assist.study.desk.as_mut().unwrap().sitting.as_mut().unwrap();
    sitting.next = NextThing::End;
    state
}

/// P07 at a task that was broken off.
fn recovered() -> State {
    let mut state = paused();
    let sitting = state.assist.study.desk.as_mut().unwrap().sitting.as_mut().unwrap();
    sitting.trial.as_mut().unwrap().phase = TrialPhase::Recovered;
    state
}

/// Somebody at the second task of practice, with one of its checks met.
fn practising() -> State {
    let mut state = assist_state(card());
    let check = |words: &str, holds| PracticeCheck { words: words.to_owned(), holds };
    state.assist.study.practice = Some(PracticeDesk {
        at: 1,
        seed: 1,
        task: Arc::clone(&PracticeTask::all()[1]),
        desk: Some(1),
        begun: None,
        checks: vec![check("The button is blue", true), check("Nothing else changed", false)],
        finished: vec![0],
    });
    state
}

/// The pages of who leads, then those of who takes part.
fn pages() -> Vec<(&'static str, State)> {
    vec![
        ("assist_study_lead", lead()),
        ("assist_study_results", counted()),
        ("assist_study_consent", taking_part(&[])),
        ("assist_study_load", asked_load()),
        ("assist_study_bar", paused()),
        ("assist_study_rest", resting()),
        ("assist_study_end", at_the_end()),
        ("assist_study_stopped", recovered()),
        ("assist_practice_bar", practising()),
    ]
}

/// What of the window a picture of a page is of.
fn seen_of(harness: &Harness<'_, Host>, page: &str) -> Rect {
    let all = harness.ctx.content_rect();
    let place = |label: &str| harness.get_by_label(label).rect();
    // In the middle, from its title to what is done at its foot.
    let between = |title: &str, foot: &str| {
        let middle = all.center().x;
        let down = place(title).top() - 32.0..=place(foot).bottom() + 32.0;
        Rect::from_x_y_ranges(middle - 288.0..=middle + 288.0, down)
    };
    match page {
        "assist_study_bar" => Rect::from_x_y_ranges(all.x_range(), 40.0..=80.0),
        "assist_study_rest" => between("Take a rest if you like", "Leave"),
        "assist_study_end" => between("Thank you", "Finish"),
        "assist_study_stopped" => between("The task was broken off", "Go on"),
        // Over the toolbar, which stands over the canvas.
        "assist_practice_bar" => {
            Rect::from_x_y_ranges(all.x_range(), 40.0..=place("Canvas").top() - 36.0)
        }
        "assist_study_results" => {
            let from = place("Count people").left_top() - egui::vec2(12.0, 8.0);
            let to = place("Save the figure of time and success").bottom() + 8.0;
            Rect::from_min_max(from.max(pos2(0.0, 40.0)), pos2(from.x + 520.0, to))
        }
        // What lies below the window's own bar.
        _ => all.with_min_y(40.0).with_max_y(all.bottom() - 24.0),
    }
}

/// The page of who leads, with what the study comes to.
fn counted() -> State {
    let mut state = lead();
    let desk = state.assist.study.desk.as_mut().unwrap();
    desk.shows_results = true;
    let record = StudyRecord::clone(&desk.record);
    let of = StudyOfRuns::of(record, CountedRuns::All, &[], Counted::ScriptedToo, 200);
    let bar = |at: usize, x: f64, height: f64| Shape::Rect {
        area: [x, 70.0 - height, 40.0, height],
        ink: Ink::Series(at),
    };
    let ground =
        Shape::Line { points: vec![[0.0, 70.0], [200.0, 70.0]], ink: Ink::Dim, width: 1.0 };
    let shapes = vec![bar(0, 20.0, 30.0), bar(1, 80.0, 60.0), bar(2, 140.0, 45.0), ground];
    let figure = |title| Figure {
        id: STUDY,
        title,
        drawing: VectorPicture { shapes: shapes.clone(), ..VectorPicture::new(200.0, 80.0) },
        numbers: vec![vec!["who".to_owned(), "success".to_owned()]],
        remarks: vec!["2 participants.".to_owned()],
    };
    desk.results = Some(Ok(Arc::new(StudyFindings {
        of: StudyCount { counted: Counted::ScriptedToo, agents: BTreeSet::new() },
        results: of.results,
        attempts: of.attempts,
        figure: Ok(figure("Time and success")),
        progress: Ok(figure("Distance left")),
    })));
    state
}

#[test]
fn the_figures_of_results_are_saved_copied_and_say_the_command_that_makes_them() {
    let mut harness = window(counted(), SIZES[0]);
    for (name, id) in [
        ("Save the figure of time and success", STUDY_RESULTS),
        ("Save the figure of the distance over time", STUDY_PROGRESS),
    ] {
        harness.get_by_label(name).scroll_to_me();
        harness.run_ok();
        harness.get_by_label(name).click_accesskit();
        harness.run_ok();
        harness.get_by_label("SVG…").click_accesskit();
        harness.run_ok();
        let browse = Command::Browse(Browse::Figure(id, StageForm::Svg));
        assert!(harness.state().sent.contains(&browse), "{name}");
    }
    harness.get_by_label("Copy the numbers of the figure of time and success");
    assert_all_have_names(&harness, "results");

    // What is written is that figure, with the command that makes it without a window.
    let mut state = harness.state().state.clone();
    let command = "pentimento study report /studies/novices --include-scripted --out figures";
    let path = PathBuf::from("/tmp/figure.svg");
    for (id, title) in [(STUDY_RESULTS, "Time and success"), (STUDY_PROGRESS, "Distance left")] {
        let save = ExploreCommand::SaveFigure {
            id: id.to_owned(),
            form: StageForm::Svg,
            path: path.clone(),
        };
        let requests = handle(&mut state, Command::Explore(save));
        let drawn = requests.iter().find_map(|request| match request {
            Request::SaveDrawing { svg, about, .. } => Some((svg, about)),
            _ => None,
        });
        let (svg, about) = drawn.unwrap();
        assert!(svg.contains(title) && svg.contains("study report"), "{svg}");
        assert!(about.starts_with(title) && about.ends_with(command), "{about}");
    }
    state.assist.study.desk.as_mut().unwrap().results = None;
    let copy = ExploreCommand::CopyFigure(STUDY_RESULTS.to_owned());
    let requests = handle(&mut state, Command::Explore(copy));
    let is_drawn = requests.iter().any(|request| matches!(request, Request::CopyDrawing { .. }));
    assert!(!is_drawn, "there is nothing to copy");
    let notice = &state.notices.last().unwrap().text;
    assert!(notice.contains("was not counted yet"), "{notice}");
}

#[test]
fn the_figures_of_results_go_to_the_clipboard_as_numbers_and_as_a_picture() {
    let mut harness = window(counted(), SIZES[0]);
    for (figure, id) in [
        ("the figure of time and success", STUDY_RESULTS),
        ("the figure of the distance over time", STUDY_PROGRESS),
    ] {
        harness.get_by_label(&format!("Copy the numbers of {figure}")).scroll_to_me();
        harness.run_ok();
        harness.get_by_label(&format!("Copy the numbers of {figure}")).click_accesskit();
        harness.step();
        assert_eq!(copied_text(&harness).as_deref(), Some("who\tsuccess\n"), "{figure}");
        harness.get_by_label(&format!("Save {figure}")).click_accesskit();
        harness.run_ok();
        harness.get_by_label("Copy as a picture").click_accesskit();
        harness.run_ok();
        let copy = Command::Explore(ExploreCommand::CopyFigure(id.to_owned()));
        assert!(harness.state().sent.contains(&copy), "{figure}");
        // In this room, too, what the worker draws then goes to the clipboard, once.
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
            assert_eq!(images.collect::<Vec<_>>(), copied, "{figure}");
        }
    }
}

#[test]
fn the_attempts_of_the_open_study_are_in_figures_of_the_papers_though_its_runs_are_not_open() {
    let dir = tempfile::tempdir().unwrap();
    let study = crate::study_explore::simulated(dir.path());
    let mut record = StudyRecord::open(&study).unwrap();
    let mut state = lead();
    let desk = state.assist.study.desk.as_mut().unwrap();
    desk.record = Arc::new(record.clone());
    let why = state.explore_figure("psbench-3").unwrap_err();
    assert!(why.contains("open a labelling project"), "scripts do not count: {why}");
    let before = state.explore_figures_revision();
    for person in &mut record.people {
        person.by = ParticipantKind::Person;
        for (_, trial) in &mut person.trials {
            trial.by = ParticipantKind::Person;
        }
    }
    state.assist.study.desk.as_mut().unwrap().record = Arc::new(record);
    assert_ne!(state.explore_figures_revision(), before, "the window makes them anew");
    for (id, place) in [("psbench-3", 2), ("psbench-4", 1)] {
        let figure = state.explore_figure(id).unwrap();
        let attempts = figure.numbers[1..].iter().map(|row| row[place].parse::<usize>().unwrap());
        assert_eq!(attempts.sum::<usize>(), 36, "{:?}", figure.numbers);
        let command = state.explore_figure_command(id);
        let words = format!("pentimento report figures /studies/novices --only {id} --out figures");
        assert_eq!(command, words);
    }
    // No other figure is of attempts, and nobody knows whether they pass a filter.
    let command = state.explore_figure_command("canvas-4");
    assert!(!command.contains("/studies/novices"), "{command}");
    state.explore.view.filter = "model:gpt".to_owned();
    state.explore_figure("psbench-3").unwrap_err();
    let command = state.explore_figure_command("psbench-3");
    assert!(!command.contains("/studies/novices"), "{command}");
}

#[test]
fn the_tables_of_results_are_copied_saved_and_say_the_command_that_makes_them() {
    let mut harness = window(counted(), SIZES[0]);
    let csv = TableFile::Text(TableFormat::Csv);
    for (what, table, heads, command) in [
        (
            "success and time",
            ExportedTable::Study(StudySource::Open, StudyRows::Levels),
            "level\tcondition\tunit\tpersons\t",
            "pentimento study report /studies/novices --include-scripted --table study.csv",
        ),
        (
            "the attempts",
            ExportedTable::Study(StudySource::Open, StudyRows::Attempts),
            "participant\tkind\tcondition\t",
            "pentimento study report /studies/novices --include-scripted --table attempts.csv --table-of attempts",
        ),
    ] {
        harness.get_by_label(&format!("Copy {what}")).click_accesskit();
        harness.step();
        let copied = copied_text(&harness).expect("nothing was copied");
        assert!(copied.starts_with(heads), "{what}");
        harness.get_by_label(&format!("Save {what}")).scroll_to_me();
        harness.run_ok();
        harness.get_by_label(&format!("Save {what}")).click_accesskit();
        harness.run_ok();
        harness.get_by_label("Parquet…").click_accesskit();
        harness.run_ok();
        let browse = Command::Browse(Browse::Table(table, TableFile::Parquet));
        assert!(harness.state().sent.contains(&browse), "{what}");
        let made = harness.state().state.exported_table(table, csv).unwrap();
        let about = made.about.iter().find(|(name, _)| name == "command");
        assert_eq!(about.unwrap().1, command);
        assert!(made.about.iter().any(|(_, value)| value == "Novices with an assistant"));
    }
    let mut state = harness.state().state.clone();
    state.assist.study.desk.as_mut().unwrap().results = None;
    let why = state
        .exported_table(ExportedTable::Study(StudySource::Open, StudyRows::Levels), csv)
        .unwrap_err();
    assert!(why.contains("was not counted yet"), "{why}");
}

#[test]
fn agents_are_put_beside_people_by_the_folders_that_are_open() {
    let open = |harness: &mut Harness<'_, Host>| {
        harness.get_by_label("Agents beside people…").click_accesskit();
        harness.run_ok();
    };
    let mut harness = window(counted(), SIZES[0]);
    open(&mut harness);
    harness.get_by_label_contains("No runs are open.");

    // One run is at a task of the study.
    let mut state = counted();
    state.library = crate::workbench::opened().0.library;
    state.library.opened = vec![PathBuf::from("/runs")];
    let first = *state.library.runs.keys().next().unwrap();
    let manifest = &mut state.library.runs.get_mut(&first).unwrap().manifest;
    manifest.task = TaskRef::new("screens", "screen-1");
    manifest.outcome = Outcome::Completed;
    manifest.totals.seconds = 1.0;
    let agent = format!("{} · {}: 1", manifest.agent.name, manifest.mode);
    let mut harness = window(state, SIZES[0]);
    open(&mut harness);
    harness.get_by_label(&agent);
    harness.get_by_label("Left out: 3 of other tasks");
    harness.get_by_label("/runs").click_accesskit();
    harness.run_ok();
    let toggle = StudyCommand::ToggleAgents(PathBuf::from("/runs"));
    let sent = &harness.state().sent;
    assert!(sent.contains(&Command::Assist(AssistCommand::Study(toggle))), "{sent:?}");
}

#[test]
fn agents_beside_people_are_counted_again_kept_and_named_by_the_command() {
    let mut state = counted();
    let toggle = StudyCommand::ToggleAgents(PathBuf::from("/runs"));
    let requests = handle(&mut state, Command::Assist(AssistCommand::Study(toggle.clone())));
    let agents = BTreeSet::from([PathBuf::from("/runs")]);
    let orders = requests.iter().filter_map(|request| match request {
        Request::Study(StudyOrder::Count(of)) => Some(of.clone()),
        _ => None,
    });
    let wanted = StudyCount { counted: Counted::ScriptedToo, agents: agents.clone() };
    assert_eq!(orders.collect::<Vec<_>>(), std::slice::from_ref(&wanted));
    let kept = state.session_to_save().explore.study_agents;
    assert_eq!(kept[Path::new("/studies/novices")], agents);

    // What was counted before is without them, and so is its command; what is counted next is with them.
    let command = state.explore_figure_command(STUDY_RESULTS);
    assert!(!command.contains("--agents"), "{command}");
    let desk = state.assist.study.desk.as_mut().unwrap();
    let Some(Ok(found)) = desk.results.clone() else { panic!("it was counted") };
    let mut found = StudyFindings::clone(&found);
    let counting = |state: &State| state.assist.study.desk.as_ref().unwrap().counting.clone();
    // Others were asked for since: neither what came of those before ends it, nor why nothing did.
    let before = found.of.clone();
    for news in [Ok(Arc::new(found.clone())), Err("their folder is gone".to_owned())] {
        drop(apply(&mut state, Event::Study(StudyNews::Counted(before.clone(), news))));
        assert_eq!(counting(&state).as_ref(), Some(&wanted));
        assert!(matches!(state.assist.study.desk.as_ref().unwrap().results, Some(Ok(_))));
    }
    // Whom to count is as it was asked for, also while it is being counted and after it failed.
    let count = StudyCommand::Count(Counted::People);
    drop(handle(&mut state, Command::Assist(AssistCommand::Study(count))));
    for _ in 0..2 {
        drop(handle(&mut state, Command::Assist(AssistCommand::Study(toggle.clone()))));
        let of = counting(&state).unwrap();
        assert_eq!(of.counted, Counted::People);
        let news = StudyNews::Counted(of, Err("no".to_owned()));
        drop(apply(&mut state, Event::Study(news)));
        assert_eq!(counting(&state), None);
    }
    let count = StudyCommand::Count(Counted::ScriptedToo);
    drop(handle(&mut state, Command::Assist(AssistCommand::Study(count))));
    assert_eq!(counting(&state).as_ref(), Some(&wanted));
    found.of = wanted.clone();
    let news = StudyNews::Counted(wanted, Ok(Arc::new(found)));
    drop(apply(&mut state, Event::Study(news)));
    assert_eq!(counting(&state), None);
    let command = state.explore_figure_command(STUDY_RESULTS);
    assert!(command.contains(" --include-scripted --agents /runs --out "), "{command}");
    drop(handle(&mut state, Command::Assist(AssistCommand::Study(toggle))));
    assert!(state.session_to_save().explore.study_agents.is_empty());
}

#[test]
fn counting_is_stopped_by_a_button_and_begun_again_by_another() {
    let mut results = SnapshotResults::new();
    let study = |command| Command::Assist(AssistCommand::Study(command));
    for (theme, suffix) in [(ThemeChoice::Dark, "dark"), (ThemeChoice::Light, "light")] {
        let mut state = themed(counted(), theme);
        let toggle = study(StudyCommand::ToggleAgents(PathBuf::from("/runs")));
        drop(handle(&mut state, toggle));
        let mut harness = window(state, SIZES[0]);
        harness.run_ok();
        let mut look = |harness: &mut Harness<'_, Host>, name: &str| {
            let from = harness.get_by_label("Count people").rect();
            let line = Rect::from_min_size(from.min, egui::vec2(620.0, from.height())).expand(8.0);
            add_look_at(&mut results, harness, &format!("{name}_{suffix}"), line);
        };
        look(&mut harness, "assist_study_counting");
        harness.get_by_label("Stop").click();
        harness.run_ok();
        assert!(harness.state().sent.contains(&study(StudyCommand::StopCounting)));
        drop(handle(&mut harness.state_mut().state, study(StudyCommand::StopCounting)));
        harness.run_ok();
        assert!(harness.query_by_label("Stop").is_none(), "nothing is counted");
        harness.remove_cursor();
        harness.run_ok();
        look(&mut harness, "assist_study_stopped_counting");
        harness.get_by_label("Count").click();
        harness.run_ok();
        assert!(harness.state().sent.contains(&study(StudyCommand::Count(Counted::ScriptedToo))));
    }
}

#[test]
fn the_pages_of_a_study_look() {
    let mut results = SnapshotResults::new();
    for (theme, suffix) in [(ThemeChoice::Dark, "dark"), (ThemeChoice::Light, "light")] {
        for (name, state) in pages() {
            let mut harness = window(themed(state, theme), SIZES[0]);
            harness.run_ok();
            let rect = seen_of(&harness, name);
            add_look_at(&mut results, &mut harness, &format!("{name}_{suffix}"), rect);
        }
    }
}

#[test]
fn everything_has_a_name_in_large_and_small_windows() {
    for size in SIZES {
        for (shown, state) in pages() {
            let mut harness = window(state, size);
            harness.run_ok();
            assert_all_have_names(&harness, shown);
        }
    }
}

#[test]
fn the_load_is_answered_by_keys() {
    let mut harness = window(asked_load(), SIZES[0]);
    let values = |harness: &egui_kittest::Harness<'_, super::harness::Host>| {
        let desk = harness.state().state.assist.study.desk.as_ref().unwrap();
        desk.sitting.as_ref().unwrap().draft.clone()
    };
    for key in [Key::ArrowRight, Key::ArrowRight, Key::ArrowDown, Key::ArrowLeft, Key::ArrowLeft] {
        harness.key_press(key);
        harness.run_ok();
    }
    let draft = values(&harness);
    assert_eq!(draft.answer.values.get("mental"), Some(&AnswerValue::Rating(11)));
    assert_eq!(draft.answer.values.get("physical"), Some(&AnswerValue::Rating(9)));
    assert_eq!(draft.focus, 1, "a mark stays in focus while it is moved");
    harness.key_press(Key::Enter);
    harness.run_ok();
    let draft = values(&harness);
    assert!(draft.problem.is_some(), "four are missing");
    assert_eq!(draft.focus, 2, "keys are at the first that is");
}

#[test]
fn who_takes_part_sees_nobody_else() {
    for (_, state) in pages().into_iter().skip(2) {
        let harness = window(state, SIZES[0]);
        assert!(harness.query_by_label_contains("P01").is_none());
        assert!(harness.query_by_label_contains("Results").is_none());
    }
}

#[test]
fn the_clock_is_let_go_on_by_a_button_and_held_by_a_key() {
    let mut harness = window(paused(), SIZES[0]);
    harness.get_by_label_contains("P07");
    harness.get_by_label("Go on").click();
    harness.run_ok();
    let resume = Command::Assist(AssistCommand::Study(StudyCommand::Resume));
    assert!(harness.state().sent.contains(&resume), "{:?}", harness.state().sent);
    harness.key_press(Key::F9);
    harness.run_ok();
    let pause = StudyCommand::Pause(PauseReason::Button);
    let pause = Command::Assist(AssistCommand::Study(pause));
    assert!(harness.state().sent.contains(&pause), "{:?}", harness.state().sent);
}

#[test]
fn the_first_page_begins_practice_and_studies() {
    let mut state = State { workspace: Workspace::Assist, ..State::default() };
    state.settings.hint_is_closed = true;
    let mut harness = window(state, SIZES[1]);
    for (label, browse) in
        [("Open a study…", Browse::Study), ("Open a packet…", Browse::StudyPacket)]
    {
        harness.get_by_label(label).click();
        harness.run_ok();
        let sent = Command::Browse(browse);
        assert!(harness.state().sent.contains(&sent), "{:?}", harness.state().sent);
    }
    harness.get_by_label("Practice, five minutes").click();
    harness.run_ok();
    let practise = Command::Assist(AssistCommand::Study(StudyCommand::Practise(0)));
    assert!(harness.state().sent.contains(&practise));
    let practice = harness.state().state.assist.study.practice.as_ref().unwrap();
    assert_eq!(practice.task.id, "move");
}
