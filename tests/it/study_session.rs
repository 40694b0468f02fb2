//! A study from the first page to the last, without a window: over real files, with the threads that keep them.

use std::path::Path;

use serde_json::{Value, json};

use pentimento::app::Session;
use pentimento::base::Point;
use pentimento::editor::{Act, ArrangeAct, SelectAct};
use pentimento::evaluate::studies::{StudyMaterial, pack_study};
use pentimento::label::AnswerValue;
use pentimento::run::reader;
use pentimento::study::{
    Ending, Happening, MergedAnswers, Moment, NextThing, Packet, PacketError, ParticipantKind,
    PauseReason, ReadLog, STUDY_FILE, Safety, StudyLog, StudyPlan, StudyRecord, person_dir,
    person_log, planned_tasks, trial_dir, withdraw,
};
use pentimento::task::TaskFinder;
use pentimento::workbench::{
    AssistCommand, Command, CommentCommand, Settings, Sitting, State, StudyCommand, TrialPhase,
};
use pentimento::worker::WorkerConfig;

use crate::cli::{program, stderr, stdout};
use crate::nodes::until;

fn shape(id: &str, [x, y, width, height]: [f64; 4], color: [f64; 3]) -> Value {
    let [r, g, b] = color;
    json!({
        "id": id, "name": format!("Card {id}"), "type": "RECTANGLE",
        "absoluteBoundingBox": {"x": x, "y": y, "width": width, "height": height},
        "fills": [{"type": "SOLID", "color": {"r": r, "g": g, "b": b, "a": 1.0}}],
    })
}

/// A study of three tasks, one under each condition; the third of whoever comes first is over after twelve seconds,
/// of which a machine at work leaves enough to break it off before.
pub(crate) fn set_up(dir: &Path) -> StudyPlan {
    let screen = json!({"document": {
        "id": "5:1", "name": "Screen", "type": "FRAME", "clipsContent": true,
        "absoluteBoundingBox": {"x": 0.0, "y": 0.0, "width": 400.0, "height": 400.0},
        "fills": [{"type": "SOLID", "color": {"r": 1.0, "g": 1.0, "b": 1.0, "a": 1.0}}],
        "children": [
            shape("5:2", [40.0, 40.0, 320.0, 140.0], [0.1, 0.3, 0.9]),
            shape("5:3", [40.0, 220.0, 120.0, 120.0], [0.9, 0.6, 0.1]),
        ],
    }});
    std::fs::create_dir_all(dir.join("tasks")).unwrap();
    std::fs::write(dir.join("tasks/screen.json"), screen.to_string()).unwrap();
    let tasks = ["one", "two", "three"].map(|id| {
        json!({
            "id": id, "environment": "canvas", "kind": "replication", "instruction": "Mend it",
            "difficulty": "easy", "ground_truth": {"document": "screen.json"},
            "canvas_size": {"width": 400, "height": 400},
        })
    });
    let set = json!({
        "format": "pentimento/taskset", "version": 1, "id": "small", "name": "Small",
        "tasks": tasks,
    });
    std::fs::write(dir.join("tasks/taskset.json"), set.to_string()).unwrap();
    let tasks: Vec<Value> = ["one", "two", "three"]
        .into_iter()
        .enumerate()
        .map(|(group, id)| {
            json!({
                "set": "small", "id": id, "difficulty": "easy", "limit_secs": 600.0, "group": group,
                "success": {"check": "distance", "at_most": 0.0},
                "start": {"kind": "changed_truth", "changes": 1},
            })
        })
        .collect();
    let plan = json!({
        "format": "pentimento/study", "version": 1, "id": "tried", "title": "Tried", "seed": 4,
        "arrangement": "within", "people": 6, "task_sets": ["tasks"], "tasks": tasks,
        "consent": "You may stop at any time.",
        "conditions": [
            {"id": "alone", "title": "Unassisted", "help": "none"},
            {"id": "web", "title": "Web", "help": "web"},
            {"id": "assisted", "title": "Assisted", "help": "assistant"},
        ],
        "instruments": [
            {"form": "confidence", "when": "after_task"},
            {"form": "nasa-tlx", "when": "after_condition"},
            {"form": "sus", "when": "after_study"},
        ],
    });
    let mut plan: StudyPlan = serde_json::from_value(plan).unwrap();
    let third = planned_tasks(&plan, 0)[2].task;
    plan.tasks[third].limit_secs = 12.0;
    plan.check().unwrap();
    let json = serde_json::to_string(&plan).unwrap();
    std::fs::write(dir.join(STUDY_FILE), json).unwrap();
    plan
}

fn study(session: &mut Session, command: StudyCommand) {
    session.carry_out(Command::Assist(AssistCommand::Study(command)));
}

fn act(session: &mut Session, act: Act) {
    session.carry_out(Command::Assist(AssistCommand::Act(Box::new(act))));
}

fn sitting(state: &State) -> Option<&Sitting> {
    state.assist.study.desk.as_ref()?.sitting.as_ref()
}

fn phase(state: &State) -> Option<TrialPhase> {
    Some(sitting(state)?.trial.as_ref()?.phase)
}

/// The application with the study in this folder.
fn opened(dir: &Path) -> Session {
    opened_with(Settings::default(), dir)
}

/// The same with settings of its own.
fn opened_with(settings: Settings, dir: &Path) -> Session {
    let state = State::new(settings, dir.join("runs"));
    let mut session = Session::start(state, WorkerConfig::default(), || {}).unwrap();
    study(&mut session, StudyCommand::Open(dir.to_path_buf()));
    until(&mut session, "the study is open", |state| state.assist.study.desk.is_some());
    session
}

/// The same with whoever comes first sitting there.
fn with_p01(dir: &Path) -> Session {
    let mut session = opened(dir);
    study(&mut session, StudyCommand::Join);
    until(&mut session, "P01 sits there", |state| sitting(state).is_some());
    session
}

/// The same with them sitting there again.
fn with_p01_again(dir: &Path) -> Session {
    let mut session = opened(dir);
    study(&mut session, StudyCommand::Continue("P01".to_owned()));
    until(&mut session, "P01 is back", |state| sitting(state).is_some());
    session
}

/// They agree, and come to their first task.
fn agree(session: &mut Session) {
    study(session, StudyCommand::Consent);
    until(session, "they agreed", |state| {
        matches!(sitting(state).unwrap().next, NextThing::Task(_))
    });
}

/// Begins the next task, and waits until its clock runs or could go on.
fn begin(session: &mut Session) {
    study(session, StudyCommand::Begin);
    until(session, "the task is open", |state| {
        let desk = state.assist.desk.as_ref();
        let is_drawn = desk
            .is_some_and(|desk| state.derived.design_pictures.ready(&desk.picture_key()).is_some());
        is_drawn
            && sitting(state)
                .is_some_and(|it| it.trial.as_ref().is_some_and(|it| it.desk.is_some()))
    });
    study(session, StudyCommand::Drawn);
}

fn is_asked(state: &State, form: &str) -> bool {
    let asked = state.assist.study.desk.as_ref().and_then(|desk| desk.asked());
    asked.is_some_and(|(_, asked)| asked.id == form)
        && sitting(state).is_some_and(|sitting| !sitting.is_waiting)
}

/// Waits for a form, and hands it in without an answer.
fn skip(session: &mut Session, form: &str) {
    until(session, form, |state| is_asked(state, form));
    study(session, StudyCommand::SkipForm);
    until(session, "it is handed in", |state| {
        !is_asked(state, form) && sitting(state).is_some_and(|sitting| !sitting.is_waiting)
    });
}

#[test]
fn somebody_goes_through_a_study_with_a_pause_a_crash_and_the_time_being_up() {
    let dir = tempfile::tempdir().unwrap();
    let plan = set_up(dir.path());
    let mut session = with_p01(dir.path());
    assert_eq!(sitting(session.state()).unwrap().next, NextThing::Consent);
    study(&mut session, StudyCommand::Begin);
    assert!(sitting(session.state()).unwrap().trial.is_none(), "consent comes first");
    agree(&mut session);

    // The first: something is changed, there is a pause, and they are done.
    begin(&mut session);
    assert_eq!(phase(session.state()), Some(TrialPhase::Running));
    let help = session.state().assist.study.desk.as_ref().unwrap().help().unwrap();
    let allows = session.state().assist.study.allows_assistant();
    assert_eq!(allows, help == pentimento::study::Help::Assistant);
    act(&mut session, Act::Select(SelectAct::Siblings));
    let before = session.state().assist.desk.as_ref().unwrap().editor.steps();
    study(&mut session, StudyCommand::Pause(PauseReason::Button));
    assert!(session.state().assist.study.hides_canvas(), "a pause hides the canvas");
    act(&mut session, Act::Arrange(ArrangeAct::Delete));
    let after = session.state().assist.desk.as_ref().unwrap().editor.steps();
    assert_eq!(after, before, "nothing is done meanwhile");
    study(&mut session, StudyCommand::Resume);
    act(&mut session, Act::Arrange(ArrangeAct::Delete));
    study(&mut session, StudyCommand::Done);
    until(&mut session, "it is checked", |state| sitting(state).unwrap().trial.is_none());
    assert!(session.state().assist.desk.is_none(), "its design is gone");

    // Confidence is answered, and what is not whole is not handed in.
    until(&mut session, "confidence is asked", |state| is_asked(state, "confidence"));
    study(&mut session, StudyCommand::SendForm);
    assert!(sitting(session.state()).unwrap().draft.problem.is_some());
    let question = "confidence".to_owned();
    let value = Some(AnswerValue::Rating(9));
    study(&mut session, StudyCommand::Answer { question: question.clone(), value });
    assert!(sitting(session.state()).unwrap().draft.answer.values.is_empty(), "off the scale");
    let value = Some(AnswerValue::Rating(6));
    study(&mut session, StudyCommand::Answer { question, value });
    study(&mut session, StudyCommand::SendForm);
    skip(&mut session, "nasa-tlx");

    // The second: they give up, which is asked once.
    begin(&mut session);
    study(&mut session, StudyCommand::GiveUp);
    assert_eq!(phase(session.state()), Some(TrialPhase::Running), "not without a question");
    study(&mut session, StudyCommand::AskGiveUp(true));
    study(&mut session, StudyCommand::GiveUp);
    skip(&mut session, "confidence");
    skip(&mut session, "nasa-tlx");

    // The third: the program is gone in the middle of it, and the time is up later.
    begin(&mut session);
    until(&mut session, "it is on disk", |state| {
        sitting(state).unwrap().progress.attempts.get(&2).is_some_and(|it| it.is_shown)
    });
    drop(session);
    let mut session = with_p01_again(dir.path());
    begin(&mut session);
    assert_eq!(phase(session.state()), Some(TrialPhase::Recovered), "the clock stands");
    study(&mut session, StudyCommand::Resume);
    until(&mut session, "the time is up", |state| sitting(state).unwrap().trial.is_none());
    skip(&mut session, "confidence");
    skip(&mut session, "nasa-tlx");
    skip(&mut session, "sus");
    until(&mut session, "they are through", |state| sitting(state).unwrap().next == NextThing::End);
    study(&mut session, StudyCommand::GetUp);
    drop(session);

    let record = StudyRecord::open(dir.path()).unwrap();
    assert!(record.warnings.is_empty(), "{:?}", record.warnings);
    let [person] = record.people.as_slice() else { panic!("{:?}", record.people) };
    let endings: Vec<Option<Ending>> =
        person.trials.iter().map(|(_, trial)| trial.clock.ending).collect();
    assert_eq!(endings, [Ending::Done, Ending::GaveUp, Ending::TimedOut].map(Some));
    assert!(person.trials.iter().all(|(_, trial)| trial.is_whole()));
    assert!(person.trials.iter().all(|(_, trial)| !trial.succeeded()));
    let [first, _, third] = person.trials.as_slice() else { panic!() };
    assert_eq!(first.1.facts.least_steps, Some(1), "one thing was changed");
    assert_eq!(first.1.clock.stops[0].reason, Some(PauseReason::Button));
    assert!(first.1.clock.first_input_ms.is_some());
    assert_eq!(third.1.clock.stops[0].reason, None, "a crash");
    assert_eq!(third.1.seconds(), 12.0);
    let changes = ReadLog::open(&first.0.join("study.jsonl")).unwrap().events;
    let mut changes = changes.iter().filter(|it| matches!(it.what, Happening::Change { .. }));
    assert!(changes.next().is_some(), "what was deleted is a change");
    let manifest = std::fs::read_to_string(first.0.join("run.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["agent"]["kind"], "participant");
    let condition = &plan.conditions[planned_tasks(&plan, 0)[0].condition].id;
    assert_eq!(manifest["settings"]["study"]["condition"], json!(condition));
}

#[test]
fn what_is_asked_after_a_task_is_asked_after_a_crash_too() {
    let dir = tempfile::tempdir().unwrap();
    set_up(dir.path());
    let mut session = with_p01(dir.path());
    agree(&mut session);
    begin(&mut session);
    study(&mut session, StudyCommand::Done);
    until(&mut session, "confidence is asked", |state| is_asked(state, "confidence"));
    drop(session);
    let mut session = with_p01_again(dir.path());
    skip(&mut session, "confidence");
    skip(&mut session, "nasa-tlx");
    drop(session);
    let record = StudyRecord::open(dir.path()).unwrap();
    assert!(record.warnings.is_empty(), "{:?}", record.warnings);
    assert_eq!(record.people[0].trials[0].1.asked.len(), 1, "beside the task");
}

#[test]
fn leaving_is_a_pause_or_written_down_by_condition_and_a_dialog_holds_the_clock() {
    let dir = tempfile::tempdir().unwrap();
    let plan = set_up(dir.path());
    let mut session = with_p01(dir.path());
    agree(&mut session);
    for planned in planned_tasks(&plan, 0).into_iter().take(2) {
        begin(&mut session);
        let may_leave = plan.conditions[planned.condition].id == "web";
        study(&mut session, StudyCommand::Focus(false));
        let paused = TrialPhase::Paused(PauseReason::Focus);
        let expected = if may_leave { TrialPhase::Running } else { paused };
        assert_eq!(phase(session.state()), Some(expected));
        study(&mut session, StudyCommand::Focus(true));
        assert_eq!(phase(session.state()), Some(TrialPhase::Running));
        session.carry_out(Command::ToggleOverlay(pentimento::workbench::Overlay::Jobs));
        let held = TrialPhase::Paused(PauseReason::Dialog);
        assert_eq!(phase(session.state()), Some(held));
        session.carry_out(Command::CloseOverlay);
        assert_eq!(phase(session.state()), Some(TrialPhase::Running));
        session.carry_out(Command::ToggleOverlay(pentimento::workbench::Overlay::Keys));
        assert_eq!(phase(session.state()), Some(TrialPhase::Running), "the keys belong to it");
        session.carry_out(Command::CloseOverlay);
        study(&mut session, StudyCommand::Done);
        until(&mut session, "it is checked", |state| sitting(state).unwrap().trial.is_none());
        skip(&mut session, "confidence");
        skip(&mut session, "nasa-tlx");
    }
    drop(session);
    let record = StudyRecord::open(dir.path()).unwrap();
    assert!(record.warnings.is_empty(), "{:?}", record.warnings);
}

#[test]
fn who_withdraws_is_gone_and_replaced() {
    let dir = tempfile::tempdir().unwrap();
    set_up(dir.path());
    let mut session = with_p01(dir.path());
    let home = person_dir(dir.path(), "P01", ParticipantKind::Person);
    assert!(home.is_dir());
    study(&mut session, StudyCommand::Withdraw("P01".to_owned()));
    assert!(sitting(session.state()).is_some(), "not without a question");
    study(&mut session, StudyCommand::AskWithdrawal(Some("P01".to_owned())));
    study(&mut session, StudyCommand::Withdraw("P01".to_owned()));
    until(&mut session, "they are gone", |_| !home.exists());
    assert!(sitting(session.state()).is_none());
    study(&mut session, StudyCommand::Join);
    until(&mut session, "somebody else sits there", |state| sitting(state).is_some());
    assert_eq!(sitting(session.state()).unwrap().progress.participant, "P01");
}

/// Writes what somebody did in an unpacked folder so far.
fn did(dir: &Path, lines: usize) {
    let by = ParticipantKind::Person;
    let home = person_dir(dir, "P01", by);
    std::fs::create_dir_all(&home).unwrap();
    let path = person_log(&home, by);
    std::fs::remove_file(&path).ok();
    let mut log = StudyLog::create(&path, by, Safety::NoFsync).unwrap();
    let (study, participant) = ("tried".to_owned(), "P01".to_owned());
    let joined = Happening::Joined { study, participant, row: 0 };
    let rest = (1..lines).map(|at| Happening::Consented { text: at.to_string() });
    for (at, what) in (0..).zip(std::iter::once(joined).chain(rest)) {
        let wall = format!("2026-01-01T09:00:{at:02}Z");
        log.append(Moment { wall, mono_ms: at * 1_000 }, what).unwrap();
    }
}

#[test]
fn packets_are_merged_twice_and_in_any_order() {
    let dir = tempfile::tempdir().unwrap();
    let lead = dir.path().join("lead");
    set_up(&lead);
    let material = StudyMaterial::open(&lead).unwrap();
    let file = dir.path().join("p01.study-packet");
    let who = pack_study(&lead, &material, (0, "ab".repeat(16)), &file).unwrap();
    assert_eq!(who, "P01");
    let again = pack_study(&lead, &material, (0, "cd".repeat(16)), &file);
    assert!(again.is_err(), "its row is taken");
    assert_eq!(StudyRecord::open(&lead).unwrap().taken_rows(ParticipantKind::Person).len(), 1);

    let away = dir.path().join("away");
    Packet::open(&file).unwrap().unpack(&away).unwrap();
    Packet::open(&file).unwrap().unpack(&away).unwrap();
    assert_eq!(StudyMaterial::open(&away).unwrap().tasks.len(), 3);
    did(&away, 2);
    let early = Packet::answers(&away).unwrap();
    did(&away, 4);
    let late = Packet::answers(&away).unwrap();
    let of = |lead: &Path| {
        let home = person_dir(lead, "P01", ParticipantKind::Person);
        ReadLog::open(&person_log(&home, ParticipantKind::Person)).unwrap().events.len()
    };
    let taken = MergedAnswers { taken: 1, known: 0 };
    let known = MergedAnswers { taken: 0, known: 1 };
    assert_eq!(late.merge_into(&lead).unwrap(), taken);
    assert_eq!(late.merge_into(&lead).unwrap(), known);
    assert_eq!(early.merge_into(&lead).unwrap(), known);
    assert_eq!(of(&lead), 4);

    // What was gone on with in two places is refused, and changes nothing.
    let mut forked = late.clone();
    for file in forked.files.values_mut() {
        if let pentimento::study::PacketFile::Text(text) = file {
            *text = text.replace("\"text\":\"3\"", "\"text\":\"9\"");
        }
    }
    assert!(matches!(forked.merge_into(&lead), Err(PacketError::Forked(_))));
    assert_eq!(of(&lead), 4);

    // Of who withdrew nothing comes back.
    withdraw(&lead, "P01").unwrap();
    assert!(matches!(late.merge_into(&lead), Err(PacketError::Withdrawn(_))));
    assert!(StudyRecord::open(&lead).unwrap().people.is_empty());
}

#[test]
fn the_earlier_file_may_come_first() {
    let dir = tempfile::tempdir().unwrap();
    let lead = dir.path().join("lead");
    set_up(&lead);
    let material = StudyMaterial::open(&lead).unwrap();
    let file = dir.path().join("p01.study-packet");
    pack_study(&lead, &material, (0, "ab".repeat(16)), &file).unwrap();
    let away = dir.path().join("away");
    Packet::open(&file).unwrap().unpack(&away).unwrap();
    did(&away, 2);
    assert_eq!(Packet::answers(&away).unwrap().merge_into(&lead).unwrap().taken, 1);
    did(&away, 4);
    assert_eq!(Packet::answers(&away).unwrap().merge_into(&lead).unwrap().taken, 1);
    assert_eq!(Packet::answers(&away).unwrap().merge_into(&lead).unwrap().taken, 0);
}

#[test]
fn what_goes_back_names_nobody_and_no_folder_and_finds_its_task_here() {
    let dir = tempfile::tempdir().unwrap();
    let lead = dir.path().join("lead");
    let plan = set_up(&lead);
    let material = StudyMaterial::open(&lead).unwrap();
    let file = dir.path().join("p01.study-packet");
    pack_study(&lead, &material, (0, "ab".repeat(16)), &file).unwrap();
    let away = dir.path().join("home/ada.lovelace/away");
    Packet::open(&file).unwrap().unpack(&away).unwrap();

    // Who labelled here before has a name in the settings.
    let settings = Settings { annotator: "Ada Lovelace".to_owned(), ..Settings::default() };
    let mut session = opened_with(settings, &away);
    study(&mut session, StudyCommand::Join);
    until(&mut session, "P01 sits there", |state| sitting(state).is_some());
    agree(&mut session);
    begin(&mut session);
    let (node, at) = ("5:1".into(), Point::ZERO);
    let comment = CommentCommand::Add { node, at, text: "Too dark".to_owned() };
    session.carry_out(Command::Assist(AssistCommand::Comment(comment)));
    act(&mut session, Act::Select(SelectAct::Siblings));
    act(&mut session, Act::Arrange(ArrangeAct::Delete));
    let task = &plan.tasks[planned_tasks(&plan, 0)[0].task].id;
    let run_dir =
        |study: &Path| trial_dir(&person_dir(study, "P01", ParticipantKind::Person), 0, task);
    let comments = run_dir(&away).join("comments.json");
    until(&mut session, "the comment is kept", |_| comments.is_file());
    study(&mut session, StudyCommand::Done);
    until(&mut session, "it is checked", |state| sitting(state).unwrap().trial.is_none());
    drop(session);

    let answers = Packet::answers(&away).unwrap();
    let place = dir.path().to_string_lossy().into_owned();
    for (name, file) in &answers.files {
        let text = String::from_utf8_lossy(&file.bytes().unwrap()).into_owned();
        for telling in ["Ada Lovelace", "ada.lovelace", &place] {
            assert!(!text.contains(telling), "{telling} is in {name}: {text}");
        }
    }
    let said: Value = serde_json::from_slice(&std::fs::read(&comments).unwrap()).unwrap();
    assert_eq!((&said[0]["author"], &said[0]["text"]), (&json!("P01"), &json!("Too dark")));

    answers.merge_into(&lead).unwrap();
    for study in [&away, &lead] {
        let run_dir = run_dir(study);
        let run = reader::open(&run_dir).unwrap();
        let found = TaskFinder::default().task_of(&run_dir, &run.manifest);
        assert_eq!(&found.unwrap().id, task, "{}", study.display());
    }
}

#[test]
fn a_packet_that_leads_out_of_its_folder_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let lead = dir.path().join("lead");
    set_up(&lead);
    let material = StudyMaterial::open(&lead).unwrap();
    let file = dir.path().join("p01.study-packet");
    pack_study(&lead, &material, (0, "ab".repeat(16)), &file).unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    for (from, to) in [
        ("\"study.json\"", "\"../study.json\""),
        ("\"study.json\"", "\"/study.json\""),
        ("pentimento/study-packet", "pentimento/form"),
        ("\"P01\"", "\"../P01\""),
    ] {
        std::fs::write(&file, text.replacen(from, to, 1)).unwrap();
        assert!(Packet::open(&file).is_err(), "{to}");
    }
}

/// What the command line says to this; it goes well.
fn cli(line: &[&str]) -> String {
    let output = program().arg("study").args(line).output().unwrap();
    assert!(output.status.success(), "{line:?}: {}", stderr(&output));
    stdout(&output)
}

#[test]
fn packets_go_out_and_come_back_on_the_command_line() {
    let dir = tempfile::tempdir().unwrap();
    let lead = dir.path().join("lead");
    set_up(&lead);
    let at = |name: &str| dir.path().join(name).display().to_string();
    let (file, away, back) = (at("p.study-packet"), at("away"), at("p.study-answers"));
    let lead = lead.display().to_string();
    assert!(cli(&["pack", &lead, "--for", "P01", "--out", &file]).starts_with("P01, "));
    assert!(cli(&["next", &lead]).starts_with("P02, "), "the row is kept free");
    cli(&["unpack", &file, &away]);
    did(Path::new(&away), 3);
    cli(&["answers", &away, "--out", &back]);
    assert_eq!(cli(&["merge", &lead, &back]), "P01: 1 taken in, 0 known already\n");
    assert_eq!(cli(&["merge", &lead, &back]), "P01: 0 taken in, 1 known already\n");
}
