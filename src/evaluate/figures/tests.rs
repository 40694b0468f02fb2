use std::sync::Arc;

use proptest::prelude::*;

use super::bars::{number, scale, shortened_row};
use super::data::row;
use super::*;
use crate::environment::{EnvironmentKind, ToolCategory};
use crate::evaluate::studies::StudyAttempt;
use crate::evaluate::{Condition, OtherSettings, RunDigest, StepDigest, ToolCount};
use crate::metric::plan::errors::PlanErrorClass;
use crate::study::ParticipantKind;
use crate::task::TaskKind;

fn run(model: &str, turns: u32, calls: usize) -> FigureRun {
    let step = StepDigest {
        tool: 0,
        turn: 1,
        category: ToolCategory::Creation,
        failure: None,
        expert: None,
    };
    let tool = ToolCount {
        name: "create_text".into(),
        category: ToolCategory::Creation,
        calls: calls as u32,
        failures: 0,
    };
    FigureRun {
        model: model.to_owned(),
        environment: EnvironmentKind::Canvas,
        kind: Some(TaskKind::Replication),
        turns,
        digest: Arc::new(RunDigest {
            steps: vec![step; calls],
            tools: vec![tool],
            ..RunDigest::default()
        }),
        scores: (0..=turns).map(|turn| vec![Some(f64::from(turn) / 10.0)]).collect(),
        ..FigureRun::default()
    }
}

/// A script's run of a study, at a task that is not open.
fn studied() -> FigureRun {
    let attempt = StudyAttempt {
        by: ParticipantKind::Scripted,
        condition: "web".to_owned(),
        level: "Easy".to_owned(),
        success: true,
        seconds: 40.0,
    };
    let digest = RunDigest { is_pictures: true, attempt: Some(attempt), ..RunDigest::default() };
    FigureRun {
        environment: EnvironmentKind::Suite,
        kind: None,
        digest: Arc::new(digest),
        scores: Vec::new(),
        ..run("P01 (scripted)", 0, 0)
    }
}

fn plan(model: &str, experts: &[&str], errors: &[PlanErrorClass]) -> FigurePlan {
    let steps =
        experts.iter().map(|expert| (Some((*expert).to_owned()), Some("AddText".to_owned())));
    FigurePlan {
        model: model.to_owned(),
        steps: steps.collect(),
        errors: errors.to_vec(),
        numbers: [Some(1.0), Some(0.5), None],
        ..FigurePlan::default()
    }
}

fn full() -> FigureSources {
    let attempts = [(true, 10.0), (false, 30.0)].map(|(success, seconds)| Attempt {
        model: "m".to_owned(),
        mode: Some("assisted".to_owned()),
        difficulty: Some(if success { "easy" } else { "hard" }.to_owned()),
        seconds: Some(seconds),
        success: Some(success),
        design: [Some(4.0), None, None],
        ..Attempt::default()
    });
    let mut sources = FigureSources {
        runs: vec![
            run("a", 3, 4),
            run("a", 7, 2),
            run("b", 60, 1),
            FigureRun { kind: Some(TaskKind::AttributeUpdate), ..run("a", 2, 3) },
            studied(),
        ],
        plans: vec![
            plan(
                "m",
                &["Photo Editor", "Photo Editor", "Layout Designer"],
                &[PlanErrorClass::Format],
            ),
            plan("m", &["Layout Designer"], &[PlanErrorClass::LocalDependency; 3]),
            plan("n", &["nobody"], &[]),
        ],
        preferences: vec![Preference {
            model: "a".into(),
            against: "b".into(),
            wins: 3,
            ties: 1,
            losses: 2,
        }],
        attempts: attempts.to_vec(),
        curves: vec![("ssim/uniform7".into(), "SSIM".to_owned())],
        unfinished: 1,
        unread: 2,
    };
    sources.name_rows();
    sources
}

fn made(id: &str) -> Figure {
    let kind = FIGURES.iter().find(|kind| kind.id == id).unwrap();
    kind.make(&full()).unwrap()
}

#[test]
fn every_figure_is_made_where_its_data_are_there_and_says_what_is_missing_where_not() {
    for kind in FIGURES {
        let figure = kind.make(&full()).unwrap_or_else(|why| panic!("{}: {why}", kind.id));
        assert!(figure.numbers.len() > 1 && !figure.drawing.shapes.is_empty(), "{}", kind.id);
        let left_out =
            ["Left out: 1 run that did not come to their end.", "Left out: 2 runs not read."];
        assert!(left_out.iter().all(|it| figure.remarks.iter().any(|remark| remark == it)));
        let width = figure.numbers[0].len();
        assert!(figure.numbers.iter().all(|row| row.len() == width), "{}", kind.id);
        let svg = to_svg(&figure, "pentimento report figures <runs> & more");
        assert!(svg.contains("&lt;runs&gt; &amp; more") && !svg.contains("NaN"), "{}", kind.id);
        let why = kind.make(&FigureSources::default()).unwrap_err();
        assert!(why.starts_with("it needs "), "{}: {why}", kind.id);
    }
}

#[test]
fn the_numbers_are_those_of_the_data() {
    let edits = made("canvas-2").numbers;
    assert_eq!(edits[1], ["attribute update", "a", "1", "1", "1", "0", "0"]);
    assert_eq!(made("canvas-4").numbers[1], ["replication", "a", "2", "1", "3"]);
    assert_eq!(made("canvas-34").numbers[1], ["a", "b", "3", "1", "2"]);
    let turns = made("canvas-35").numbers;
    // At turn 5 the shorter run of `a` stays at its end: (0.3 + 0.5) / 2.
    let at = turns.iter().find(|row| row[1] == "a" && row[2] == "5").unwrap();
    assert_eq!((at[3].as_str(), at[4].as_str()), ("2", "0.4"));
    let bins = made("canvas-36").numbers;
    assert!(bins.contains(&row(["b", "46", "more", "1", "1"])), "{bins:?}");
    assert_eq!(made("graphicbench-3").numbers[1][..3], ["m", "2", "4"]);
    assert_eq!(made("graphicweaver-2").numbers[1], ["m", "2", "3", "0", "0", "0", "3"]);
    let order = made("graphicweaver-3").numbers;
    assert!(order.contains(&row(["handed over", "Photo Editor → Layout Designer", "1", "1"])));
    assert!(order.contains(&row(["whole order", "Layout Designer", "1", "0.5"])));
    assert_eq!(made("psbench-4").numbers[1], ["m · assisted", "2", "20", "0.5"]);
    // Wilson's interval of one of one ends at 1, of none of one it begins at 0.
    let levels = made("psbench-3").numbers;
    assert_eq!(levels[1], ["easy", "m · assisted", "1", "1", "1", "0.207", "1"]);
    // What the log of a study says counts beside what was said, and scripts are called so.
    assert_eq!(levels[2][..4], ["easy", "web (scripted, not people)", "1", "1"]);
    assert_eq!(made("psbench-4").numbers[2], ["web (scripted, not people)", "1", "40", "1"]);
    assert_eq!(levels[3], ["hard", "m · assisted", "1", "0", "0", "0", "0.793"]);
}

#[test]
fn a_turn_without_a_score_is_a_gap_of_the_turn_curve_and_the_next_do_not_move_up() {
    let sources_of = |scores: [Option<f64>; 5]| {
        let scores = scores.map(|score| vec![score]).to_vec();
        let mut sources = FigureSources {
            runs: vec![FigureRun { scores, number: Some(7), ..run("a", 4, 1) }],
            curves: vec![("ssim/uniform7".into(), "SSIM".to_owned())],
            ..FigureSources::default()
        };
        sources.name_rows();
        sources
    };
    let figure_of = |scores: [Option<f64>; 5]| {
        let kind = FIGURES.iter().find(|kind| kind.id == "canvas-35").unwrap();
        kind.make(&sources_of(scores)).unwrap()
    };
    let lines_of = |figure: &Figure| -> Vec<Vec<[f64; 2]>> {
        let shapes = figure.drawing.shapes.iter();
        let lines = shapes.filter_map(|shape| match shape {
            Shape::Line { points, ink: Ink::Series(0), .. } => Some(points.clone()),
            _ => None,
        });
        lines.collect()
    };
    // As imported results: nothing is known of the start, and one snapshot is missing.
    let parted = figure_of([None, Some(0.2), Some(0.4), None, Some(0.6)]);
    let turns: Vec<[&str; 2]> =
        parted.numbers[1..].iter().map(|row| [row[2].as_str(), row[4].as_str()]).collect();
    assert_eq!(turns, [["1", "0.2"], ["2", "0.4"], ["4", "0.6"]]);
    assert!(parted.remarks.iter().any(|remark| remark.starts_with("A curve has a gap")));
    let whole = figure_of([Some(0.2), Some(0.2), Some(0.4), Some(0.4), Some(0.6)]);
    assert!(!whole.remarks.iter().any(|remark| remark.starts_with("A curve has a gap")));
    // The piece lies where the same turns lie of the whole curve; the last turn stands alone, as a mark.
    let (lines, of_whole) = (lines_of(&parted), lines_of(&whole));
    assert_eq!((lines.len(), of_whole.len()), (1, 1));
    assert_eq!(lines[0], of_whole[0][1..3]);
    let marks = parted.drawing.marks.iter().filter(|mark| mark.words == "SSIM · a: 1 run");
    let marks: Vec<_> = marks.collect();
    assert_eq!(marks.len(), 1);
    assert_eq!(marks[0].runs, [7]);
    let last = of_whole[0][4];
    let is_over = |area: &[f64; 4]| {
        (area[0]..=area[0] + area[2]).contains(&last[0])
            && (area[1]..=area[1] + area[3]).contains(&last[1])
    };
    assert!(marks[0].areas.iter().any(is_over), "{:?}", marks[0].areas);
}

#[test]
fn a_bar_says_of_which_runs_of_the_library_it_is() {
    assert!(FIGURES.iter().all(|kind| made(kind.id).drawing.marks.is_empty()), "they are of none");
    let mut sources = full();
    for (number, run) in (0..).zip(&mut sources.runs) {
        run.number = Some(number);
    }
    for (number, plan) in (10..).zip(&mut sources.plans) {
        plan.number = Some(number);
    }
    sources.attempts[0].number = Some(20);
    for (id, words, runs) in [
        ("canvas-2", "attribute update · a: ", &[3][..]),
        ("canvas-4", "replication · a: ", &[0, 1]),
        // The edit is in no curve.
        ("canvas-35", "a: 2 runs", &[0, 1]),
        ("canvas-35", "SSIM · a: 2 runs", &[0, 1]),
        ("canvas-36", "a, 6–10 turns: 1 run", &[1]),
        ("graphicbench-2", "m: 2 plans, 2 attempts", &[10, 11, 20]),
        ("graphicbench-3", "m: ", &[10, 11]),
        ("graphicbench-10", "Id: Layout Designer · m: ", &[10, 11]),
        ("graphicweaver-3", "Layout Designer: 2 plans", &[10, 11]),
        ("graphicweaver-3", "1. Photo Editor: 1 plan", &[10]),
        ("graphicweaver-3", "1. Photo Editor → 2. Layout Designer: 1 plan", &[10]),
        ("graphicweaver-3", "1. Layout Designer: 1 plan", &[11]),
        ("graphicweaver-3", "2. Layout Designer: 1 plan", &[10]),
        ("psbench-3", "easy · m · assisted: ", &[20]),
        ("psbench-4", "web (scripted, not people): 40 s", &[4]),
    ] {
        let kind = FIGURES.iter().find(|kind| kind.id == id).unwrap();
        let drawing = kind.make(&sources).unwrap().drawing;
        let mut marks = drawing.marks.iter();
        let mark = marks.find(|mark| mark.words.starts_with(words));
        let mark = mark.unwrap_or_else(|| panic!("{id}: {:?}", drawing.marks));
        assert_eq!(mark.runs, runs, "{id}");
        for [left, top, width, height] in &mark.areas {
            assert!(*left >= 0.0 && *top >= 0.0 && *width > 0.0 && *height > 0.0, "{id}");
            assert!(left + width <= drawing.width && top + height <= drawing.height, "{id}");
        }
    }
}

#[test]
fn runs_and_plans_of_one_model_that_were_made_with_other_settings_are_rows_of_their_own() {
    let of_mode = |mode: &str, turns: &str| {
        let others: OtherSettings = [("max_turns".to_owned(), turns.to_owned())].into();
        (Condition::of_mode(mode), others)
    };
    let [single, multi, longer] =
        [("single_turn", "50"), ("multi_turn", "50"), ("multi_turn", "90")]
            .map(|(mode, turns)| of_mode(mode, turns));
    let run_in = |(condition, others): &(Condition, OtherSettings), turns| FigureRun {
        condition: condition.clone(),
        others: others.clone(),
        ..run("a", turns, 2)
    };
    let plan_in = |(condition, others): &(Condition, OtherSettings)| FigurePlan {
        condition: condition.clone(),
        others: others.clone(),
        ..plan("m", &["Photo Editor"], &[])
    };
    let attempt = |mode: Option<&str>, color| Attempt {
        model: "m".to_owned(),
        mode: mode.map(str::to_owned),
        design: [Some(color), None, None],
        ..Attempt::default()
    };
    let mut sources = FigureSources {
        runs: vec![
            FigureRun { has_failed: true, ..run_in(&single, 1) },
            run_in(&multi, 4),
            run_in(&longer, 6),
        ],
        plans: vec![plan_in(&single), plan_in(&multi)],
        attempts: vec![attempt(Some("single_turn"), 2.0), attempt(None, 5.0)],
        curves: vec![("ssim/uniform7".into(), "SSIM".to_owned())],
        ..FigureSources::default()
    };
    sources.name_rows();
    let made =
        |id: &str| FIGURES.iter().find(|kind| kind.id == id).unwrap().make(&sources).unwrap();
    let names = ["a · multi_turn", "a · single_turn"];
    for (id, column) in [("canvas-4", 1), ("canvas-35", 1), ("canvas-36", 0)] {
        let figure = made(id);
        let mut rows: Vec<&str> =
            figure.numbers[1..].iter().map(|row| row[column].as_str()).collect();
        rows.dedup();
        assert_eq!(rows, names, "{id}");
        let made_with =
            "Made with a · multi_turn: multi_turn; a · single_turn: single_turn.".to_owned();
        assert!(figure.remarks.contains(&made_with), "{:?}", figure.remarks);
        let mixed =
            "a · multi_turn: a mean over runs that were made differently: max turns 50 and 90.";
        assert!(figure.remarks.contains(&mixed.to_owned()), "{:?}", figure.remarks);
    }
    let remarks = made("canvas-36").remarks;
    assert!(remarks.contains(&"a · single_turn: 1 of 1 run failed.".to_owned()), "{remarks:?}");
    assert_eq!(made("graphicbench-3").numbers[2][..2], ["m · single_turn", "1"]);
    // What is said of attempts goes to the plans of their mode; without one it is nobody's.
    let radar = made("graphicbench-2");
    let color = |row: usize| radar.numbers[row][5].as_str();
    assert_eq!((color(1), color(2)), ("", "0.4"));
    let left_out =
        "Left out: 1 attempt of a model with several rows, not said of which.".to_owned();
    assert!(radar.remarks.contains(&left_out), "{:?}", radar.remarks);
}

#[test]
fn what_the_papers_got_wrong_stands_below_the_figures_of_the_same_numbers() {
    let known: [(&str, &[&str]); 5] = [
        ("canvas-35", &["CANVAS, SSIM: printed a Gaussian window | ", "CANVAS, saliency: "]),
        (
            "graphicbench-2",
            &["GraphicBench, Table 9, GEMMA-2 27B", "GraphicBench, Table 9, QWEN-2.5 7B"],
        ),
        ("psbench-3", &["PSBench, the study with people: "]),
        ("psbench-4", &["PSBench, the study with people: "]),
        ("graphicbench-3", &[]),
    ];
    for (id, places) in known {
        let remarks = made(id).remarks;
        let said = remarks.iter().filter(|remark| remark.contains(" | recomputed "));
        let said: Vec<&String> = said.collect();
        assert_eq!(said.len(), places.len(), "{id}: {remarks:?}");
        for (said, place) in said.iter().zip(places) {
            assert!(said.starts_with(*place), "{id}: {said}");
        }
    }
}

#[test]
fn of_a_long_name_what_tells_rows_of_a_model_apart_stays() {
    for (name, shown) in [
        ("gpt · multi_turn", "gpt · multi_turn"),
        ("claude-sonnet-4-5-20250929 · multi_turn", "claude-sonnet-4-… · multi_turn"),
        ("claude-sonnet-4-5-20250929 · single_turn", "claude-sonnet-4… · single_turn"),
        ("a model with a name of many letters", "a model with a name of many l…"),
        ("short · goes on from a run at step 40", "short · goes on from a run at…"),
    ] {
        assert_eq!(shortened_row(name), shown);
        assert!(shown.chars().count() <= 30, "{shown}");
    }
}

#[test]
fn no_name_of_a_model_is_a_formula_or_another_cell_in_the_numbers() {
    let mut sources = FigureSources {
        runs: vec![run("=1+1", 3, 4), run("a\tb", 3, 4)],
        ..FigureSources::default()
    };
    sources.name_rows();
    let kind = FIGURES.iter().find(|kind| kind.id == "canvas-4").unwrap();
    let figure = kind.make(&sources).unwrap();
    let csv = figure.numbers_csv();
    assert!(csv.lines().nth(1).unwrap().starts_with("replication,'=1+1,1,"), "{csv}");
    let tsv = figure.numbers_tsv();
    assert!(tsv.contains("replication\t'=1+1\t1\t"), "{tsv}");
    let tabs: Vec<usize> = tsv.lines().map(|line| line.matches('\t').count()).collect();
    assert!(tabs.iter().all(|count| *count == tabs[0]), "{tsv}");
}

proptest! {
    #[test]
    fn an_axis_has_few_round_lines_and_room_for_everything(longest in 1e-6_f64..1e9) {
        let (top, ticks) = scale(longest);
        prop_assert!(top >= longest * (1.0 - 1e-6) && ticks.len() <= 7 && ticks.len() >= 2);
        prop_assert!(!number(top).is_empty());
    }
}

#[test]
fn what_is_said_of_rows_is_of_the_runs_that_a_figure_draws() {
    let edit = |kind, turns: &str| FigureRun {
        kind: Some(kind),
        others: [("max_turns".to_owned(), turns.to_owned())].into(),
        has_failed: true,
        ..run("a", 2, 1)
    };
    let mut sources = FigureSources {
        runs: vec![
            run("a", 2, 1),
            run("a", 3, 1),
            edit(TaskKind::AttributeUpdate, "50"),
            edit(TaskKind::ModeChange, "20"),
        ],
        ..FigureSources::default()
    };
    sources.name_rows();
    let remarks = |id: &str| {
        let kind = FIGURES.iter().find(|kind| kind.id == id).unwrap();
        kind.make(&sources).unwrap().remarks.join(" ")
    };
    let [tools, turns] = ["canvas-4", "canvas-36"].map(remarks);
    assert!(!turns.contains("failed") && !turns.contains("differently"), "{turns}");
    // Both kinds of edits are one bar.
    assert!(tools.contains("a: 2 of 4 runs failed."), "{tools}");
    assert!(tools.contains("max turns 20 and 50"), "{tools}");
}
