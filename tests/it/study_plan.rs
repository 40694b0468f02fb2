//! The plan of a study: who does what in which order; and its log, whatever crashes leave of it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::Path;

use pentimento::study::{
    Arrangement, Balance, CandidateTask, Happening, Moment, ParticipantKind, PauseReason, Preset,
    ReadLog, Safety, StartChoice, StudyLog, StudyPlan, StudyRecord, SuccessRule, TaskClock,
    TaskStart, TrialFacts, next_free_row, participant_of, person_dir, person_log, schedule,
    trial_dir, trial_log, williams, withdraw,
};
use proptest::prelude::*;

fn candidates(count: usize) -> Vec<CandidateTask> {
    let levels = ["easy", "medium", "hard"];
    let each = (0..count).map(|at| CandidateTask {
        set: "set".to_owned(),
        id: format!("task-{at:02}"),
        difficulty: Some(levels[at % 3].to_owned()),
        has_checks: at == 0,
    });
    each.collect()
}

fn plan(preset: Preset, seed: u64) -> StudyPlan {
    let plan = preset.plan(&candidates(20), vec!["../set".to_owned()], StartChoice::Given, seed);
    plan.unwrap()
}

#[test]
fn a_square_of_three_is_the_published_one() {
    let rows = [[0, 2, 1], [1, 0, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1], [0, 1, 2]];
    assert_eq!(williams(3), rows.map(|row| row.to_vec()));
    assert_eq!(williams(4).len(), 4);
    assert_eq!(williams(5).len(), 10);
    assert_eq!(williams(4)[0], [0, 3, 1, 2]);
}

#[test]
fn squares_are_balanced_for_every_number_of_conditions() {
    for n in 2..10 {
        let rows = williams(n);
        let mut at: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        let mut after: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for row in &rows {
            let distinct: BTreeSet<&usize> = row.iter().collect();
            assert_eq!(distinct.len(), n, "{row:?}");
            for (position, condition) in row.iter().enumerate() {
                *at.entry((*condition, position)).or_default() += 1;
            }
            for two in row.windows(2) {
                *after.entry((two[0], two[1])).or_default() += 1;
            }
        }
        assert!(at.len() == n * n && at.values().all(|count| *count == rows.len() / n));
        let each = rows.len() / n;
        assert!(after.len() == n * (n - 1) && after.values().all(|count| *count == each), "{n}");
    }
}

#[test]
fn over_twelve_people_the_small_study_is_even() {
    let plan = plan(Preset::Small, 3);
    assert_eq!((plan.check(), plan.tasks.len(), plan.people), (Ok(()), 12, 12));
    for group in 0..3 {
        let here: Vec<_> = plan.tasks.iter().filter(|task| task.group == Some(group)).collect();
        let levels: BTreeSet<&str> = here.iter().map(|task| task.difficulty.as_str()).collect();
        assert_eq!((here.len(), levels.len()), (4, 3), "four tasks of all levels in a group");
    }
    let balance = Balance::of(&plan, 0..12);
    assert!(balance.condition_with_group.values().all(|count| *count == 4), "{balance:?}");
    assert!(balance.group_at_position.values().all(|count| *count == 4), "{balance:?}");
    assert!(balance.condition_at_position.values().all(|count| *count == 4), "{balance:?}");
    assert!(balance.followed_by.values().all(|count| *count == 4), "{balance:?}");
    assert_eq!((balance.condition_with_group.len(), balance.most_alike), (9, 2));
    assert!(balance.is_even());
    // Of other numbers it says what was reached.
    let seven = Balance::of(&plan, 0..7);
    assert!(!seven.is_even() && seven.people == 7);
    assert_eq!(seven.condition_at_position.values().sum::<u32>(), 21);
}

#[test]
fn between_people_every_three_have_all_conditions() {
    let plan = plan(Preset::Psbench, 5);
    assert_eq!((plan.arrangement, plan.tasks.len(), plan.people), (Arrangement::Between, 20, 24));
    for first in (0..24).step_by(3) {
        let of_three: BTreeSet<usize> =
            (first..first + 3).map(|row| schedule(&plan, row)[0].condition).collect();
        assert_eq!(of_three.len(), 3);
    }
    let orders: BTreeSet<Vec<usize>> = (0..8)
        .map(|block| (0..3).map(|at| schedule(&plan, block * 3 + at)[0].condition).collect())
        .collect();
    assert!(orders.len() > 1, "nobody can foresee the next condition");
    let limits: BTreeMap<&str, f64> =
        plan.tasks.iter().map(|task| (task.difficulty.as_str(), task.limit_secs)).collect();
    assert_eq!((limits["easy"], limits["medium"], limits["hard"]), (300.0, 600.0, 1_200.0));
    assert_eq!(plan.tasks[0].success, SuccessRule::TaskChecks);
    assert!(matches!(plan.tasks[1].success, SuccessRule::Components { .. }));
    assert!(Balance::of(&plan, 0..24).is_even());
}

proptest! {
    #[test]
    fn everybody_does_every_task_once_in_an_order_of_their_own(row in 0_u32..500, seed in 0_u64..50) {
        for preset in Preset::ALL {
            let plan = plan(preset, seed);
            let blocks = schedule(&plan, row);
            prop_assert_eq!(&blocks, &schedule(&plan, row));
            let mut tasks: Vec<usize> = blocks.iter().flat_map(|it| it.tasks.clone()).collect();
            tasks.sort_unstable();
            prop_assert_eq!(tasks, (0..plan.tasks.len()).collect::<Vec<_>>());
            for block in &blocks {
                for at in &block.tasks {
                    prop_assert_eq!(plan.tasks[*at].group.map(|it| it as usize), block.group);
                }
            }
        }
    }
}

#[test]
fn orders_differ_from_person_to_person() {
    let plan = plan(Preset::Psbench, 1);
    let orders: BTreeSet<Vec<usize>> =
        (0..24).map(|row| schedule(&plan, row)[0].tasks.clone()).collect();
    assert_eq!(orders.len(), 24);
}

#[test]
fn who_withdraws_is_replaced_in_the_same_row() {
    assert_eq!(next_free_row(&BTreeSet::new()), 0);
    assert_eq!(next_free_row(&BTreeSet::from([0, 1, 3])), 2);
    assert_eq!((participant_of(0), participant_of(99)), ("P01".to_owned(), "P100".to_owned()));
}

#[test]
fn too_few_tasks_and_changed_truths_say_so() {
    let few = Preset::Small.plan(&candidates(11), Vec::new(), StartChoice::Given, 0).unwrap_err();
    assert_eq!((few.needed, few.found), (12, 11));
    let changed =
        Preset::Small.plan(&candidates(12), Vec::new(), StartChoice::ChangedTruth, 0).unwrap();
    for task in &changed.tasks {
        let changes = match task.difficulty.as_str() {
            "easy" => 2,
            "medium" => 4,
            _ => 8,
        };
        assert_eq!(task.start, TaskStart::ChangedTruth { changes });
        assert_eq!(task.success, SuccessRule::Distance { at_most: 0.0 });
    }
}

#[test]
fn a_plan_that_cannot_be_names_the_place() {
    let good = plan(Preset::Small, 0);
    let bad: Vec<(&str, StudyPlan)> = vec![
        ("format", StudyPlan { format: "pentimento/form".to_owned(), ..good.clone() }),
        ("version", StudyPlan { version: 9, ..good.clone() }),
        ("id", StudyPlan { id: "a study".to_owned(), ..good.clone() }),
        ("people", StudyPlan { people: 0, ..good.clone() }),
        ("conditions", StudyPlan { conditions: good.conditions[..1].to_vec(), ..good.clone() }),
        ("tasks", StudyPlan { tasks: Vec::new(), ..good.clone() }),
        ("tasks[0].group", StudyPlan { arrangement: Arrangement::Between, ..good.clone() }),
    ];
    for (place, plan) in bad {
        assert_eq!(plan.check().unwrap_err().place, place);
    }
    let mut plan = good.clone();
    plan.tasks[3].limit_secs = 0.0;
    assert_eq!(plan.check().unwrap_err().place, "tasks[3].limit_secs");
    let mut plan = good.clone();
    plan.tasks[1] = plan.tasks[0].clone();
    assert_eq!(plan.check().unwrap_err().place, "tasks[1]");
    let mut plan = good;
    plan.instruments[0].conditions = vec!["magic".to_owned()];
    assert_eq!(plan.check().unwrap_err().place, "instruments[0].conditions");
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("study.json"), "{\"format\": 1").unwrap();
    let error = StudyPlan::open(&dir.path().join("study.json")).unwrap_err().to_string();
    assert!(error.contains("not a study") && error.contains("study.json"), "{error}");
}

fn at(mono_ms: u64) -> Moment {
    Moment { wall: format!("2026-01-01T09:00:{:02}Z", mono_ms / 1_000), mono_ms }
}

fn facts(plan: &StudyPlan) -> TrialFacts {
    TrialFacts {
        study: plan.id.clone(),
        participant: "P01".to_owned(),
        row: 0,
        block: 0,
        position: 0,
        condition: plan.conditions[0].id.clone(),
        set: plan.tasks[0].set.clone(),
        task: plan.tasks[0].id.clone(),
        difficulty: plan.tasks[0].difficulty.clone(),
        limit_secs: plan.tasks[0].limit_secs,
        distance: None,
        least_steps: None,
    }
}

#[test]
fn after_a_crash_the_log_goes_on_and_the_clock_is_right() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("study.jsonl");
    let by = ParticipantKind::Person;
    let mut log = StudyLog::create(&path, by, Safety::EveryLine).unwrap();
    log.append(at(0), Happening::Begun { trial: facts(&plan(Preset::Small, 0)) }).unwrap();
    log.append(at(1_000), Happening::Shown).unwrap();
    log.append(at(6_000), Happening::Alive).unwrap();
    drop(log);
    // The program died in the middle of a line.
    let mut file = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(b"{\"event\":\"pause\",\"rea").unwrap();
    let torn = ReadLog::open(&path).unwrap();
    assert_eq!((torn.events.len(), torn.faults.len()), (3, 1));
    assert!(torn.faults[0].to_string().contains("broken off"), "{:?}", torn.faults);
    let (mut log, known) = StudyLog::reopen(&path, by, at(300)).unwrap();
    assert_eq!(known.events.len(), 3);
    log.append(at(2_300), Happening::Resume).unwrap();
    log.append(at(5_300), Happening::Pause { reason: PauseReason::Button }).unwrap();
    log.append(at(9_300), Happening::Resume).unwrap();
    log.append(at(10_300), Happening::Done).unwrap();
    let read = ReadLog::open(&path).unwrap();
    assert_eq!((read.events.len(), read.faults.as_slice()), (8, &[][..]));
    assert_eq!(TaskClock::of(&read.events).active_ms, 5_000 + 3_000 + 1_000);
    assert_eq!(read.events[4].at.process, 2);
    assert!(StudyLog::create(&path, by, Safety::NoFsync).is_err(), "a log is never begun anew");
}

#[test]
fn a_reader_says_what_cannot_have_been() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("study.jsonl");
    let mut log = StudyLog::create(&path, ParticipantKind::Person, Safety::NoFsync).unwrap();
    let mut write = |mono_ms, what| log.append(at(mono_ms), what).unwrap();
    write(0, Happening::Begun { trial: facts(&plan(Preset::Small, 0)) });
    write(100, Happening::FirstInput);
    write(200, Happening::Shown);
    write(300, Happening::Resume);
    write(250, Happening::SuggestionAccepted { suggestion: 4 });
    write(400, Happening::Done);
    write(500, Happening::GiveUp);
    write(600, Happening::Checked { success: true, value: None });
    let read = ReadLog::open(&path).unwrap();
    let lines: Vec<usize> = read.faults.iter().map(|fault| fault.line).collect();
    assert_eq!(lines, [2, 4, 5, 5, 7], "{:?}", read.faults);
    let mut file = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(b"no json\n").unwrap();
    let read = ReadLog::open(&path).unwrap();
    assert_eq!((read.events.len(), read.faults.last().unwrap().line), (8, 9));
}

fn begin(dir: &Path, plan: &StudyPlan, by: ParticipantKind) {
    let person = person_dir(dir, "P01", by);
    let trial = trial_dir(&person, 0, "task-00");
    std::fs::create_dir_all(&trial).unwrap();
    let mut log = StudyLog::create(&person_log(&person, by), by, Safety::NoFsync).unwrap();
    let joined =
        Happening::Joined { study: plan.id.clone(), participant: "P01".to_owned(), row: 0 };
    log.append(at(0), joined).unwrap();
    let mut log = StudyLog::create(&trial_log(&trial, by), by, Safety::NoFsync).unwrap();
    log.append(at(0), Happening::Begun { trial: facts(plan) }).unwrap();
    log.append(at(0), Happening::Shown).unwrap();
}

#[test]
fn a_folder_is_read_and_withdrawing_leaves_nothing_of_a_person() {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(Preset::Small, 0);
    let json = serde_json::to_vec(&plan).unwrap();
    std::fs::write(dir.path().join("study.json"), json).unwrap();
    begin(dir.path(), &plan, ParticipantKind::Person);
    begin(dir.path(), &plan, ParticipantKind::Scripted);
    let record = StudyRecord::open(dir.path()).unwrap();
    assert_eq!((record.people.len(), record.warnings.as_slice()), (2, &[][..]));
    assert_eq!(record.taken_rows(ParticipantKind::Person), BTreeSet::from([0]));
    assert_eq!(record.people[0].trials.len(), 1);
    let nobody = withdraw(dir.path(), "P07").unwrap_err().to_string();
    assert!(nobody.contains("P01"), "{nobody}");
    withdraw(dir.path(), "P01").unwrap();
    let record = StudyRecord::open(dir.path()).unwrap();
    assert_eq!(record.people.len(), 1);
    assert_eq!(record.people[0].by, ParticipantKind::Scripted);
    assert!(withdraw(dir.path(), "../people").is_err(), "only who takes part");
}
