//! Agreement with intervals over 100,000 answers of 20 people to 20,000 items, against the clock.

use std::collections::BTreeMap;
use std::hint::black_box;

use criterion::Criterion;
use pentimento::label::agreement::{Answers, agreement};
use pentimento::label::form::builtin_form;
use pentimento::label::{Answer, AnswerValue, Form, ItemId};
use pentimento::metric::stats::BootstrapPlan;

const ITEMS: usize = 20_000;
const PEOPLE: usize = 20;
const PER_ITEM: usize = 5;

/// What somebody answers to an item: mostly what others do.
fn answer(form: &Form, item: usize, person: usize) -> Answer {
    let values = form.questions.iter().enumerate().map(|(at, question)| {
        let whim = (item * 31 + person * 17 + at * 7) % 11;
        let value = if question.id == "rating" {
            let rating = 1 + (item * 7 + usize::from(whim > 7)) % 5;
            AnswerValue::Rating(i32::try_from(rating).unwrap_or(1))
        } else {
            AnswerValue::YesNo((item + at + usize::from(whim == 0)).is_multiple_of(3))
        };
        (question.id.clone(), value)
    });
    let asked = values.filter(|(id, _)| id != "reason");
    Answer { values: asked.collect(), ..Answer::default() }
}

fn main() {
    let people: Vec<String> = (0..PEOPLE).map(|at| format!("person {at}")).collect();
    let items: Vec<ItemId> = (0..ITEMS).map(|at| ItemId(format!("{at:016x}"))).collect();
    let plan = BootstrapPlan { resamples: 2_000, ..BootstrapPlan::default() };
    let mut criterion = Criterion::default().configure_from_args().sample_size(10);
    for id in ["likert", "ndec"] {
        let Some(form) = builtin_form(id) else { continue };
        let given: Vec<Vec<(&str, Answer)>> = (0..ITEMS)
            .map(|item| {
                let who = (0..PER_ITEM).map(|at| (item + at * 4 + at * item % 4) % PEOPLE);
                who.map(|person| (people[person].as_str(), answer(form, item, person))).collect()
            })
            .collect();
        let answers: Answers<'_> = items
            .iter()
            .zip(&given)
            .map(|(item, row)| {
                let row = row.iter().map(|(person, answer)| (*person, answer));
                (item, row.collect::<BTreeMap<_, _>>())
            })
            .collect();
        let name = format!("agreement of {} questions, 100,000 answers", form.questions.len());
        criterion.bench_function(&name, |bencher| {
            bencher.iter(|| agreement(form, black_box(&answers), &plan));
        });
    }
    criterion.final_summary();
}
