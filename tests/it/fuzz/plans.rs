//! Plans of the design suite as models write them: read, measured, classified, carried out, checked.

use pentimento::base::CancelToken;
use pentimento::environment::suite::{Compat, GivenPicture, SuiteEnvironment, SuiteStart};
use pentimento::environment::{
    Environment as _, HandOuts as _, MultiDocument as _, PictureRequest, ToolCall,
};
use pentimento::metric::constraint::{Page, Query, check};
use pentimento::metric::plan::{PlanRow, PlanScores, PlanStep, TeamSummary, errors};
use serde_json::{Value, json};

use super::{LARGEST_DRAWN, campaign};
use crate::suite::plans::{self, Plan};
use crate::suite::published;

/// Of the released plans, one in so many is mutated.
const EVERY: usize = 91;

/// The papers' own plans as rows, with stages that did not parse; and released ones, where there are.
fn corpus() -> Vec<Value> {
    let mut all: Vec<Value> = plans::all().iter().map(row).collect();
    all[1]["combined_workflow"] = json!("[{'id': 1, 'expert': 'Photo Editor', 'description': 'x'}");
    all[2]["final_workflow"] = json!("NOT RETRIEVED");
    all[3]["workflows"] = json!([["[{\"id\": 1,", "}"], [], "None"]);
    for text in published::texts().unwrap_or_default() {
        all.extend(text.lines().step_by(EVERY).map(|line| serde_json::from_str(line).unwrap()));
    }
    all
}

fn row(plan: &Plan) -> Value {
    let images: Vec<Value> = plan.pictures.iter().map(|name| json!({"content": name})).collect();
    let steps: Vec<Value> = plan
        .steps
        .iter()
        .enumerate()
        .map(|(at, (expert, skill, parameters))| {
            json!({"id": at + 1, "expert": expert, "description": skill, "skill": skill, "parameters": parameters})
        })
        .collect();
    json!({
        "ID": 1, "user_query": "A design", "images": images,
        "design_choices": {
            "background_color": "light pink",
            "text": {"title": {"content": "LOVE\nSTORY", "size": "large", "color": "white", "position": "top center"}},
            "visual": {"moon": {"size": "medium", "position": "below the title"}},
        },
        "recruitment_status": [{"expert": "Photo Editor", "task": "photos"}],
        "workflows": [steps], "combined_workflow": steps, "final_workflow": steps,
    })
}

/// What a plan goes through when it is imported and looked at.
fn use_plan(row: &PlanRow) {
    let scores = PlanScores::of(&row.final_workflow);
    drop(PlanScores::of(&row.combined));
    drop(TeamSummary::of(&[row]));
    let wrong = errors::of_row(row);
    assert!(wrong.iter().all(|error| error.message.len() < 4_000));
    drop(scores);
    for design in ["poster", "postcard"] {
        let (query, _) = Query::read(design, &row.design, &row.images);
        for compat in Compat::ALL {
            carry_out(row, &query, compat);
        }
    }
}

fn carry_out(row: &PlanRow, query: &Query, compat: Compat) {
    let given = query
        .images
        .iter()
        .map(|image| GivenPicture { name: image.name.clone(), ..GivenPicture::default() });
    let start = SuiteStart { given: given.collect(), compat, ..SuiteStart::default() };
    let Ok(mut suite) = SuiteEnvironment::new(start) else { return };
    for (at, step) in row.final_workflow.steps() {
        let before = suite.document_json();
        let outcome = suite.call(&call(at, step), &CancelToken::default());
        if let Some(failure) = &outcome.failure {
            assert!(failure.message.len() < 4_000, "{}", failure.message);
            assert_eq!(suite.document_json(), before, "{step:?} failed halfway");
        }
    }
    let Some(design) = suite.design() else { return };
    let picture =
        is_small(&suite).then(|| suite.picture(&PictureRequest::default()).ok()).flatten();
    let shown = suite.shown_pictures();
    let pixels = picture.as_ref().map(|picture| &picture.pixels);
    drop(check(query, &Page { document: &design, picture: pixels, shown: shown.as_deref() }));
}

fn call(at: usize, step: &PlanStep) -> ToolCall {
    let mut arguments = json!({"parameters": step.parameters.clone().unwrap_or_default()});
    if let Some(expert) = &step.expert {
        arguments["expert"] = json!(expert);
    }
    ToolCall { id: at.to_string(), name: step.action.clone().unwrap_or_default(), arguments }
}

fn is_small(suite: &SuiteEnvironment) -> bool {
    let fits = |side: f64| side <= LARGEST_DRAWN + 500.0;
    suite.list().iter().all(|document| fits(document.size.width) && fits(document.size.height))
}

#[test]
fn plans() {
    let corpus = corpus();
    campaign(
        "plans",
        |mutator| mutator.json(&corpus),
        |input| {
            for row in PlanRow::read_lines(&String::from_utf8_lossy(input)).into_iter().flatten() {
                use_plan(&row);
            }
        },
    );
}
