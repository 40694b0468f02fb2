//! Every final workflow of the released plans is executed.

use std::collections::BTreeMap;
use std::time::Instant;

use pentimento::base::CancelToken;
use pentimento::environment::suite::{Compat, GivenPicture, SuiteEnvironment, SuiteStart};
use pentimento::environment::{Environment as _, FailureClass, PictureRequest, ToolCall};
use pentimento::metric::plan::PlanRow;
use serde_json::{Value, json};

use crate::shared;

/// The pictures that a query hands out, as the plans' rows have them.
fn given(images: &Value) -> Vec<GivenPicture> {
    let text = |image: &Value, key: &str| image[key].as_str().map(str::to_owned);
    let one = |image: &Value| {
        let name = text(image, "content")?;
        let aliases = [text(image, "title"), text(image, "url")].into_iter().flatten().collect();
        Some(GivenPicture { name, aliases, ..GivenPicture::default() })
    };
    images.as_array().into_iter().flatten().filter_map(one).collect()
}

/// A row's final workflow as calls: what is no step of a plan is a call without a name.
fn calls(row: &PlanRow) -> Vec<ToolCall> {
    let call = |(at, step): (usize, &pentimento::metric::plan::PlanStep)| {
        let mut arguments = json!({"parameters": step.parameters.clone().unwrap_or_default()});
        if let Some(expert) = &step.expert {
            arguments["expert"] = json!(expert);
        }
        ToolCall { id: at.to_string(), name: step.action.clone().unwrap_or_default(), arguments }
    };
    row.final_workflow.steps().map(call).collect()
}

/// The files of the released plans, as texts.
pub(crate) fn texts() -> Option<Vec<String>> {
    let mut files = Vec::new();
    for model in std::fs::read_dir(shared::path("data/graphicbench/plans")?).unwrap() {
        for file in std::fs::read_dir(model.unwrap().path()).unwrap() {
            files.push(file.unwrap().path());
        }
    }
    files.sort();
    Some(files.into_iter().map(|file| std::fs::read_to_string(file).unwrap()).collect())
}

fn rows() -> Option<Vec<PlanRow>> {
    let mut rows = Vec::new();
    for text in texts()? {
        rows.extend(PlanRow::read_lines(&text).into_iter().map(Result::unwrap));
    }
    Some(rows)
}

fn suite(row: &PlanRow, compat: Compat) -> SuiteEnvironment {
    let start = SuiteStart { given: given(&row.images), compat, ..SuiteStart::default() };
    SuiteEnvironment::new(start).unwrap()
}

/// Executes everything; counts the calls, and the failures by class.
fn execute_all(
    rows: &[PlanRow],
    compat: Compat,
) -> (usize, BTreeMap<String, usize>, Vec<SuiteEnvironment>) {
    let (mut count, mut failures, mut ended) = (0, BTreeMap::new(), Vec::new());
    for row in rows {
        let mut suite = suite(row, compat);
        for call in calls(row) {
            count += 1;
            if let Some(failure) = suite.call(&call, &CancelToken::default()).failure {
                assert!(failure.message.len() < 4_000, "{}", failure.message);
                *failures.entry(format!("{:?}", failure.class)).or_default() += 1;
            }
        }
        ended.push(suite);
    }
    (count, failures, ended)
}

#[test]
fn every_step_of_the_released_plans_has_an_outcome() {
    let Some(rows) = rows() else { return };
    let started = Instant::now();
    let (count, failures, ended) = execute_all(&rows, Compat::Documented);
    let taken = started.elapsed();
    println!("{} plans, {count} steps in {taken:.1?} as documented: {failures:?}", rows.len());
    assert!(rows.len() == 3640 && count > 59_000, "{} {count}", rows.len());
    assert_eq!(failures[&format!("{:?}", FailureClass::UnknownExpert)], EXPERTS);
    let made: usize = ended.iter().map(|suite| usize::from(!suite.files().is_empty())).sum();
    println!("{made} of {} plans made a file", rows.len());

    // Pictures of a share of them: those that ended with a document.
    let mut taken: Vec<_> = ended
        .iter()
        .step_by(40)
        .map(|suite| {
            let started = Instant::now();
            assert!(suite.picture(&PictureRequest::default()).unwrap().pixels.width() > 0);
            started.elapsed()
        })
        .collect();
    taken.sort();
    let (median, longest) = (taken[taken.len() / 2], taken[taken.len() - 1]);
    println!("{} pictures: {median:.1?} in the middle, {longest:.1?} at most", taken.len());
}

#[test]
fn the_released_executors_handling_takes_more_of_them() {
    let Some(rows) = rows() else { return };
    let (_, documented, _) = execute_all(&rows, Compat::Documented);
    let (count, released, _) = execute_all(&rows, Compat::GraphicBench);
    println!("{count} steps as the released executor takes values: {released:?}");
    let all = |failures: &BTreeMap<String, usize>| failures.values().sum::<usize>();
    assert!(all(&released) < all(&documented), "{released:?} {documented:?}");
    assert!(!released.contains_key("ExtraParameter") && !released.contains_key("OffPage"));
}

/// Steps of experts that are none (Text Editor 35, Image Editor 3, Text Designer 3), counted in the
/// data apart from this program.
const EXPERTS: usize = 41;
