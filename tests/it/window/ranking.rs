//! Queries with candidate pictures: ranked by keys and by dragging, blind, and as that looks.

use egui::{Key, Modifiers, pos2};
use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, SnapshotResults};

use pentimento::label::form::builtin_form;
use pentimento::label::{AnswerValue, CellKey, Form, WriterId};
use pentimento::store::labels::LabelFile;
use pentimento::workbench::{
    AnnotateCommand, Command, ReviewCommand, Saving, Settings, State, views,
};

use super::accessibility::assert_all_have_names;
use super::harness::add_look_at;
use super::labelling::{
    Host, SMALL, THEMES, WIDE, answer_by_keys, desk, dressed, open, press, shows_pictures, state,
    until, window, words_of,
};
use crate::ranking::{SOURCES, answered, study_of_queries, with_ties};

fn at_queries<'a>(
    dir: &std::path::Path,
    form: &Form,
    count: usize,
    size: [f32; 2],
) -> Harness<'a, Host> {
    let path = study_of_queries(dir, form, count);
    let mut harness = window(Settings::default(), size);
    harness.input_mut().focused = false;
    open(&mut harness, &path);
    harness.get_by_label("ada").click();
    until(&mut harness, "ada sits there", |state| state.annotate.desk.is_some());
    harness
}

/// The ranking so far, by the numbers of the candidates on the screen.
fn ranking(harness: &Harness<'_, Host>) -> Vec<String> {
    let (item, _) = state(harness).annotate.asked().unwrap();
    let unit = desk(harness).unit().unwrap();
    let Some(AnswerValue::Ranking(order)) = desk(harness).draft.answer.values.get("ranking") else {
        return Vec::new();
    };
    let number = |id: &str| {
        let place = item.candidates.iter().position(|candidate| candidate == id).unwrap();
        let shown = unit.turn.candidates.iter().position(|at| *at as usize == place);
        (shown.unwrap() + 1).to_string()
    };
    order.iter().map(|tied| tied.split('=').map(number).collect::<Vec<_>>().join("=")).collect()
}

fn drag(harness: &mut Harness<'_, Host>, what: &str, onto: &str) {
    let [from, to] = [what, onto].map(|label| harness.get_by_label(label).rect());
    harness.drag_at(from.center());
    harness.step();
    harness.hover_at(from.center().lerp(to.center_top(), 0.5));
    harness.step();
    harness.hover_at(to.center_top());
    harness.step();
    harness.drop_at(to.center_top());
    harness.step();
    harness.step();
    harness.remove_cursor();
}

#[test]
fn fifty_queries_are_answered_by_keys_alone() {
    let dir = tempfile::tempdir().unwrap();
    let form = builtin_form("component-alignment").unwrap();
    let mut harness = at_queries(dir.path(), form, 50, SMALL);
    for _ in 0..50 {
        answer_by_keys(&mut harness);
    }
    assert!(state(&harness).annotate.asked().is_none(), "all done");
    let file = LabelFile::open(&dir.path().join("study.labels"), WriterId(9)).unwrap();
    let (ledger, items) = (file.ledger().unwrap(), file.items().unwrap());
    assert_eq!(ledger.len(), 50);
    // The first key is the first picture on the screen, whoever made it.
    let mut firsts = std::collections::BTreeSet::new();
    for item in &items {
        let key = CellKey { item: item.id.clone(), form: form.hash(), person: "ada".to_owned() };
        let answered = ledger.answer(&key).unwrap();
        let AnswerValue::Ranking(order) = &answered.answer.values["ranking"] else { panic!() };
        let shown = &answered.shown.as_ref().unwrap().candidates;
        let as_shown: Vec<&String> =
            shown.iter().map(|place| &item.candidates[*place as usize]).collect();
        assert_eq!(order.iter().collect::<Vec<_>>(), as_shown);
        firsts.insert(shown[0]);
    }
    assert_eq!(firsts.len(), 3, "each stands first somewhere");
}

#[test]
fn a_ranking_is_made_by_keys_and_dragging_and_what_was_saved_is_undone() {
    let dir = tempfile::tempdir().unwrap();
    let form = builtin_form("component-alignment").unwrap();
    let mut harness = at_queries(dir.path(), form, 2, WIDE);
    until(&mut harness, "the pictures are there", shows_pictures);
    for key in [Key::Num4, Key::Num5, Key::Num1, Key::Num3, Key::Num2, Key::Num3] {
        press(&mut harness, key);
    }
    assert_eq!(ranking(&harness), ["2", "3"]);
    assert_all_have_names(&harness, "a ranking");
    harness.get_by_label("Candidate 2 has rank 1");
    // Not all of it: it stays, and says so.
    press(&mut harness, Key::Enter);
    assert!(desk(&harness).draft.problem.as_ref().unwrap().contains("each once"));
    press(&mut harness, Key::Num1);
    press(&mut harness, Key::Num3);
    assert_eq!(ranking(&harness), ["2", "1"], "pressed again, one leaves");
    // The last of the list to its top.
    drag(&mut harness, "Candidate 3", "Candidate 2");
    assert_eq!(ranking(&harness), ["3", "2", "1"]);
    drag(&mut harness, "Candidate 1", "Candidate 2");
    assert_eq!(ranking(&harness), ["3", "1", "2"]);
    // Ties are not asked for: their key is none.
    press(&mut harness, Key::J);
    assert_eq!(ranking(&harness), ["3", "1", "2"]);
    let item = state(&harness).annotate.asked().unwrap().0.id.clone();
    let is_saved = |state: &State| {
        state.annotate.desk.as_ref().is_some_and(|desk| desk.saving == Saving::Done)
    };
    let answered =
        |state: &State| state.annotate.desk.as_ref().map_or(0, |desk| desk.progress.answered());
    press(&mut harness, Key::Enter);
    until(&mut harness, "it is on disk and the next shows", |state| {
        is_saved(state) && answered(state) == 1
    });
    assert_eq!(views::last_answers(state(&harness), 10).len(), 1, "the strip has it");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    until(&mut harness, "it is undone", |state| answered(state) == 0);
    assert_eq!(state(&harness).annotate.asked().unwrap().0.id, item);
    harness.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::Z);
    until(&mut harness, "it is done again", |state| answered(state) == 1);
    assert_eq!(ranking(&harness), ["3", "1", "2"]);
}

#[test]
fn ties_are_said_by_a_key_where_the_form_lets_them_be() {
    let dir = tempfile::tempdir().unwrap();
    let form = with_ties();
    let mut harness = at_queries(dir.path(), &form, 1, SMALL);
    until(&mut harness, "the pictures are there", shows_pictures);
    for key in [Key::Num2, Key::Num1, Key::J] {
        press(&mut harness, key);
    }
    assert_eq!(ranking(&harness), ["2=1"]);
    press(&mut harness, Key::J);
    assert_eq!(ranking(&harness), ["2", "1"]);
    press(&mut harness, Key::Num3);
    press(&mut harness, Key::J);
    assert_eq!(ranking(&harness), ["2", "1=3"]);
    harness.get_by_label("Candidate 3 has rank 2");
    press(&mut harness, Key::Enter);
    until(&mut harness, "it is on disk", |state| state.annotate.ledger.len() == 1);
    let file = LabelFile::open(&dir.path().join("study.labels"), WriterId(9)).unwrap();
    let ledger = file.ledger().unwrap();
    let key = ledger.cell_keys().next().unwrap();
    let AnswerValue::Ranking(order) = &ledger.answer(key).unwrap().answer.values["ranking"] else {
        panic!("a ranking")
    };
    assert_eq!(order.len(), 2);
}

#[test]
fn nothing_on_the_screen_says_who_made_a_candidate() {
    let dir = tempfile::tempdir().unwrap();
    let form = builtin_form("component-alignment").unwrap();
    let mut harness = at_queries(dir.path(), form, 3, WIDE);
    let file = LabelFile::open(&dir.path().join("study.labels"), WriterId(9)).unwrap();
    let mut names: Vec<String> = SOURCES.map(str::to_owned).to_vec();
    names.extend(["drawn-by-models".to_owned(), "brief-0".to_owned(), ".png".to_owned()]);
    for item in file.items().unwrap() {
        names.extend(item.candidates.clone());
    }
    let mut seen = String::new();
    for _ in 0..3 {
        until(&mut harness, "the pictures are there", shows_pictures);
        seen += &words_of(&harness);
        press(&mut harness, Key::F1);
        seen += &words_of(&harness);
        press(&mut harness, Key::Escape);
        harness.hover_at(pos2(700.0, 400.0));
        harness.run_steps(3);
        seen += &words_of(&harness);
        answer_by_keys(&mut harness);
        seen += &words_of(&harness);
    }
    assert!(seen.contains("Candidate 3") && seen.contains("night of jazz"), "the screen was read");
    let seen = seen.to_lowercase();
    for name in names {
        assert!(!seen.contains(&name.to_lowercase()), "{name:?} reached the screen");
    }
}

/// The pictures and what is asked of them, between the bars.
#[test]
fn a_ranking_looks() {
    let mut results = SnapshotResults::new();
    let form = builtin_form("component-alignment").unwrap();
    let dir = tempfile::tempdir().unwrap();
    let mut harness = at_queries(dir.path(), form, 4, SMALL);
    until(&mut harness, "the pictures are there", shows_pictures);
    for key in [Key::Num4, Key::Num5, Key::Num1, Key::Num3, Key::Num2, Key::Num3] {
        press(&mut harness, key);
    }
    harness.remove_cursor();
    for (theme, suffix) in THEMES {
        dressed(&mut harness, theme);
        let first = harness
            .get_by(|node| node.label().is_some_and(|it| it.starts_with("Picture of Candidate 1")));
        let (first, last) = (first.rect(), harness.get_by_label("Candidate 1").rect());
        let alone = egui::Rect::from_min_max(
            pos2(first.left() - 16.0, first.top() - 40.0),
            pos2(SMALL[0], (last.bottom() + 40.0).max(first.bottom() + 16.0)),
        );
        add_look_at(&mut results, &mut harness, &format!("ranking_{suffix}"), alone);
    }
}

/// Somebody who leads the study, at what people ranked.
fn reviewed<'a>(dir: &std::path::Path) -> Harness<'a, Host> {
    let mut harness = window(Settings::default(), [1440.0, 1500.0]);
    open(&mut harness, &dir.join("study.labels"));
    let sit = AnnotateCommand::SitDownToSettle("lead".to_owned());
    harness.state_mut().session.carry_out(Command::Annotate(sit));
    until(&mut harness, "it is counted", |state| views::findings(state).is_some());
    harness.run_steps(3);
    harness
}

#[test]
fn rankings_stand_in_agreement_and_name_nobody_before_it_is_revealed() {
    let dir = answered();
    let mut harness = reviewed(dir.path());
    let found = views::findings(state(&harness)).unwrap().forms[0].rankings[0].clone();
    let interval = found.interval.as_ref().unwrap().interval;
    let words = format!("Kendall’s W 0.58 [{:.2}, {:.2}]", interval.low, interval.high);
    harness.get_by_label(&words);
    harness.get_by_label("mean correlation of two rankings 0.17");
    harness.get_by_label("Maker 1");
    harness.get_by_label("1.67");
    let seen = words_of(&harness).to_lowercase();
    for source in SOURCES {
        assert!(!seen.contains(source), "{source} reached the screen");
    }
    let reveal = Command::Annotate(AnnotateCommand::Review(ReviewCommand::Reveal));
    harness.state_mut().session.carry_out(reveal);
    until(&mut harness, "it is revealed", |state| !state.annotate.is_blind());
    harness.run_steps(3);
    harness.get_by_label("saffron");
    assert!(harness.query_by_label("Maker 1").is_none());
}

/// A form of a ranking alone has nothing that could be settled, and its agreement all the same.
#[test]
fn a_form_of_a_ranking_alone_has_its_agreement_too() {
    let dir = tempfile::tempdir().unwrap();
    study_of_queries(dir.path(), &with_ties(), 2);
    let mut harness = reviewed(dir.path());
    harness.get_by_label_contains("Kendall’s W: ");
    harness.run_steps(2);
}

#[test]
fn what_rankings_come_to_looks() {
    let mut results = SnapshotResults::new();
    let dir = answered();
    let mut harness = reviewed(dir.path());
    harness.remove_cursor();
    for (theme, suffix) in THEMES {
        dressed(&mut harness, theme);
        let top = harness.get_by_label("Rankings").rect();
        let end = harness.get_by_label_contains("Their names show once").rect();
        let alone = egui::Rect::from_min_max(
            pos2(top.left() - 12.0, top.top() - 10.0),
            pos2(1440.0, end.bottom() + 12.0),
        );
        add_look_at(&mut results, &mut harness, &format!("rankings_{suffix}"), alone);
    }
}
