//! How much of the published queries and questions the rules of the constraint check are for.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use pentimento::metric::constraint::{
    Aspect, ColorName, NoColor, Query, TextClass, WantedSize, asks, clauses, picture_share,
};
use pentimento::metric::plan::{PlanRow, PlanStep};
use pentimento::task::{self, Task};
use serde_json::Value;

use crate::shared;

fn tasks() -> Option<Vec<Arc<Task>>> {
    let opened = task::open(&shared::path("data/graphicbench")?).unwrap();
    Some(opened.sets.into_iter().flat_map(|(set, _)| set.tasks).collect())
}

fn queries(tasks: &[Arc<Task>]) -> impl Iterator<Item = &Query> {
    tasks.iter().filter_map(|task| Some(&task.brief.as_ref()?.query))
}

/// How often each phrase occurs.
fn counted<'a>(phrases: impl Iterator<Item = &'a String>) -> BTreeMap<&'a str, usize> {
    let mut counts = BTreeMap::new();
    for phrase in phrases {
        *counts.entry(phrase.as_str()).or_default() += 1;
    }
    counts
}

fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

#[test]
fn nearly_every_colour_phrase_of_the_data_has_a_colour_or_a_reason() {
    let Some(tasks) = tasks() else { return };
    let backgrounds = counted(queries(&tasks).filter_map(|query| query.background.as_ref()));
    let texts = queries(&tasks).flat_map(|query| &query.texts);
    let colors = counted(texts.filter_map(|text| text.color.as_ref()));
    for (what, phrases, least) in [("backgrounds", &backgrounds, 0.85), ("texts", &colors, 0.985)] {
        let all: usize = phrases.values().sum();
        let mut answered = 0;
        for (phrase, count) in phrases {
            match ColorName::parse(phrase) {
                Ok(_) => answered += count,
                Err(NoColor::NoRule { word, .. }) => {
                    println!("{what}: {count} {phrase:?}: no rule for {word:?}");
                }
                Err(why) => println!("{what}: {count}: {why}"),
            }
        }
        println!("{what}: {answered} of {all} phrases, {} different", phrases.len());
        assert!(share(answered, all) >= least, "{what}: {answered} of {all}");
    }
}

#[test]
fn most_positions_of_the_data_have_rules_for_all_they_say() {
    let Some(tasks) = tasks() else { return };
    let texts = counted(queries(&tasks).flat_map(|q| &q.texts).filter_map(|t| t.position.as_ref()));
    let visuals =
        counted(queries(&tasks).flat_map(|q| &q.visuals).filter_map(|v| v.position.as_ref()));
    for (what, phrases, least) in [("texts", &texts, 0.98), ("visuals", &visuals, 0.90)] {
        let all: usize = phrases.values().sum();
        let (mut whole, mut part) = (0, 0);
        for (phrase, count) in phrases {
            let found = clauses(phrase);
            match found.iter().filter(|clause| clause.is_err()).count() {
                0 => whole += count,
                wrong => {
                    part += if wrong < found.len() { *count } else { 0 };
                    println!(
                        "{what}: {count} {phrase:?} {:?}",
                        found.iter().filter_map(|c| c.as_ref().err()).collect::<Vec<_>>()
                    );
                }
            }
        }
        println!("{what}: {whole} of {all} wholly, {part} in part, {} different", phrases.len());
        assert!(share(whole, all) >= least, "{what}: {whole} of {all}");
    }
}

#[test]
fn nearly_every_size_word_of_the_data_has_a_rule() {
    let Some(tasks) = tasks() else { return };
    let (mut known, mut all) = (0, 0);
    let mut count = |size: &Option<WantedSize>, has_rule: &dyn Fn(&str) -> bool| {
        let Some(size) = size else { return };
        all += 1;
        match size {
            WantedSize::Points(_) => known += 1,
            WantedSize::Words(words) if has_rule(words) => known += 1,
            WantedSize::Words(words) => println!("no rule for {words:?}"),
        }
    };
    for query in queries(&tasks) {
        query
            .texts
            .iter()
            .for_each(|text| count(&text.size, &|words| TextClass::named(words).is_some()));
        query
            .visuals
            .iter()
            .for_each(|it| count(&it.size, &|words| picture_share(words).is_some()));
    }
    println!("{known} of {all}");
    assert!(share(known, all) >= 0.99, "{known} of {all}");
}

/// Which share of the yes/no questions of the papers asks what our checks answer.
#[test]
fn the_published_questions_ask_what_the_checks_answer() {
    let Some(tasks) = tasks() else { return };
    let questions: Vec<&String> = tasks
        .iter()
        .filter_map(|task| task.brief.as_ref())
        .flat_map(|brief| &brief.questions)
        .collect();
    let mut counts: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
    let mut of_aspect: BTreeMap<Aspect, usize> = BTreeMap::new();
    let (mut background, mut quotes) = (0, 0);
    for question in &questions {
        let asked = asks(question);
        background += usize::from(asked.background);
        quotes += usize::from(asked.quotes);
        for aspect in &asked.aspects {
            *of_aspect.entry(*aspect).or_default() += 1;
        }
        *counts.entry(asked.aspects.iter().map(|aspect| aspect.word()).collect()).or_default() += 1;
    }
    println!(
        "{} questions, {background} about the background, {quotes} quote a text",
        questions.len()
    );
    for (aspect, count) in &of_aspect {
        println!("{}: {count} ({:.1} %)", aspect.word(), 100.0 * share(*count, questions.len()));
    }
    for (aspects, count) in &counts {
        println!("{count} {}", aspects.join(" + "));
    }
    assert!(questions.len() > 9000);
    assert!(of_aspect.len() == 4, "nobody asks whether something is on the page or readable");
}

/// The colours that models chose for a query's words: a check that calls most of them wrong would
/// mean something else by the words than people and models do.
#[test]
fn most_colours_that_models_chose_for_a_name_answer_to_it() {
    let Some(tasks) = tasks() else { return };
    let Some(plans) = shared::path("data/graphicbench/plans") else { return };
    let by_words: BTreeMap<&str, &Query> = tasks
        .iter()
        .filter_map(|task| Some((task.instruction.as_str(), &task.brief.as_ref()?.query)))
        .collect();
    let (mut close, mut all) = (0, 0);
    let mut far: BTreeMap<String, usize> = BTreeMap::new();
    for row in rows_of(&plans) {
        let Some(query) = by_words.get(row.query.as_str()) else { continue };
        for (name, rgb) in chosen(&row, query) {
            let Ok(color) = ColorName::parse(&name) else { continue };
            all += 1;
            if color.distance(rgb) <= color.reach {
                close += 1;
            } else {
                let [r, g, b] = rgb;
                let distance = color.distance(rgb);
                *far.entry(format!(
                    "{name} #{r:02X}{g:02X}{b:02X} {distance:.0} > {:.0}",
                    color.reach
                ))
                .or_default() += 1;
            }
        }
    }
    let mut far: Vec<_> = far.into_iter().collect();
    far.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    for (what, count) in far.iter().take(60) {
        println!("{count} {what}");
    }
    println!("{close} of {all}");
    assert!(share(close, all) >= 0.85, "{close} of {all}");
}

fn rows_of(plans: &Path) -> Vec<PlanRow> {
    let mut rows = Vec::new();
    for model in std::fs::read_dir(plans).unwrap() {
        for file in std::fs::read_dir(model.unwrap().path()).unwrap() {
            let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
            rows.extend(PlanRow::read_lines(&text).into_iter().flatten());
        }
    }
    rows
}

/// The colours of the background and of texts that say what the query wants, with their names.
fn chosen(row: &PlanRow, query: &Query) -> Vec<(String, [u8; 3])> {
    let mut found = Vec::new();
    let mut words: BTreeMap<String, String> = BTreeMap::new();
    for (_, step) in row.final_workflow.steps() {
        let of = |key: &str| {
            let value = step.parameters.as_ref()?.get(key)?;
            Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned))
        };
        match step.action.as_deref() {
            Some("SetBackgroundColor") => {
                found.extend(query.background.clone().zip(rgb(step)));
            }
            Some("CreateText") => {
                if let (Some(layer), Some(text)) = (of("layerName"), of("textString")) {
                    words.insert(layer, text.trim().to_lowercase());
                }
            }
            Some("ColorText") => {
                let said = of("layerName").and_then(|layer| words.get(&layer));
                let wanted = query.texts.iter().find(|text| {
                    text.content.as_ref().map(|words| words.trim().to_lowercase()).as_ref() == said
                });
                found.extend(wanted.and_then(|text| text.color.clone()).zip(rgb(step)));
            }
            _ => {}
        }
    }
    found
}

fn rgb(step: &PlanStep) -> Option<[u8; 3]> {
    let channel = |name: &str| -> Option<u8> {
        let value: &Value = step.parameters.as_ref()?.get(name)?;
        u8::try_from(value.as_u64()?).ok()
    };
    Some([channel("red")?, channel("green")?, channel("blue")?])
}
