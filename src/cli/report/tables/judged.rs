//! Plans, judged: how well they do what was asked of colours, texts and images.

use anyhow::Context as _;
use serde_json::Value;

use crate::base::CancelToken;
use crate::metric::constraint::DesignType;
use crate::metric::judging::{DesignPass, DesignPassRequest, design_pass, step_verdicts};
use crate::metric::plan::PlanRow;
use crate::metric::plan::errors::PlanError;
use crate::metric::{MissingScore, Score};
use crate::model::{EndpointJudge, ModelSettings};

use crate::cli::environments::variables;
use crate::cli::labels::Label;
use crate::cli::output::note;
use crate::cli::plans::PlanFile;
use crate::cli::progress::Progress;

/// Asks the judge of these models about every plan. A plan without a judgement is no label; why
/// there is none is said once on stderr, with how many there are.
pub(super) fn judge_plans(
    files: &[PlanFile],
    models: &ModelSettings,
) -> anyhow::Result<Vec<Label>> {
    let judge = models.judge(&variables()).context("the judge cannot be asked")?;
    let judge = judge.context("--ask-judge needs a judge: the file of --models names none")?;
    let mut progress = Progress::start(files.iter().map(|file| file.plans.len()).sum(), "plans");
    let (mut labels, mut failures) = (Vec::new(), Vec::new());
    for file in files {
        for plan in &file.plans {
            let said = ask(&judge, plan);
            let name = format!("{} {}", file.path.display(), plan.id);
            progress.done(&name);
            failures.extend(first_reason(&said).map(|why| format!("{name}: {why}")));
            let DesignPass { color, text, image } = said;
            let said = [color, text, image].map(|score| score.value());
            let design = file.design.map(DesignType::title);
            labels.push(Label::judged(&file.model, design, said));
        }
    }
    // One warning for all: a judge that is down would be said once a plan.
    drop(progress);
    if let Some(first) = failures.first() {
        let (count, all) = (failures.len(), labels.len());
        note(&format!("warning: {count} of {all} plans have no whole judgement, such as {first}"));
    }
    Ok(labels)
}

/// What a judge says of the steps of a plan.
#[derive(Clone, Debug, Default)]
pub(super) struct JudgedSteps {
    /// The inconsistencies, with step and evidence.
    pub(super) errors: Vec<PlanError>,
    /// Steps of which it has no verdict.
    pub(super) unjudged: usize,
}

/// Asks the judge of these models about every step of every plan, by file. Why steps have no verdict is said once on
/// stderr, with how many there are.
pub(super) fn judge_steps(
    files: &[PlanFile],
    models: &ModelSettings,
) -> anyhow::Result<Vec<Vec<JudgedSteps>>> {
    let judge = models.judge(&variables()).context("the judge cannot be asked")?;
    let judge =
        judge.context("--ask-judge-steps needs a judge: the file of --models names none")?;
    let mut progress = Progress::start(files.iter().map(|file| file.plans.len()).sum(), "plans");
    let mut failures = Vec::new();
    let mut of_files = Vec::with_capacity(files.len());
    for file in files {
        let mut of_plans = Vec::with_capacity(file.plans.len());
        for plan in &file.plans {
            let mut judged = JudgedSteps::default();
            let name = format!("{} {}", file.path.display(), plan.id);
            for verdict in step_verdicts(&judge, plan, &CancelToken::new()) {
                match verdict.found {
                    Ok(found) => judged.errors.extend(found),
                    Err(why) => {
                        // Neither right nor wrong: a share over steps without a verdict would be made up.
                        judged.unjudged += 1;
                        failures.push(format!("{name}, step {}: {why}", verdict.step));
                    }
                }
            }
            progress.done(&name);
            of_plans.push(judged);
        }
        of_files.push(of_plans);
    }
    drop(progress);
    if let Some(first) = failures.first() {
        note(&format!("warning: {} steps have no verdict, such as {first}", failures.len()));
    }
    Ok(of_files)
}

fn ask(judge: &EndpointJudge, plan: &PlanRow) -> DesignPass {
    if plan.design.is_null() {
        let why = "the file does not say what was asked of the design".to_owned();
        let missing = Score::Missing(MissingScore::Undefined(why));
        return DesignPass { color: missing.clone(), text: missing.clone(), image: missing };
    }
    // The prompt has a place for each of the three, and an empty one would read like a slip.
    let asked = ["background_color", "text", "visual"].map(|key| match plan.design.get(key) {
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
        None => "none".to_owned(),
    });
    let [background, texts, images] = &asked;
    let request = DesignPassRequest {
        background_color: background,
        text_elements: texts,
        image_elements: images,
        plan: &steps(plan),
    };
    design_pass(judge, &request, &CancelToken::new())
}

/// The steps in words, or the plan as it stands where it did not parse.
fn steps(plan: &PlanRow) -> String {
    // The judge reads what is to be done, not by which tools: so descriptions alone.
    let workflow = &plan.final_workflow;
    let described = workflow.steps().filter_map(|(_, step)| step.description.as_deref());
    let lines: Vec<String> =
        described.zip(1..).map(|(words, number)| format!("{number}. {words}")).collect();
    match (&workflow.raw, lines.is_empty()) {
        (Value::String(text), true) => text.clone(),
        _ => lines.join("\n"),
    }
}

fn first_reason(said: &DesignPass) -> Option<String> {
    [&said.color, &said.text, &said.image].into_iter().find_map(|score| match score {
        Score::Missing(why) => Some(why.to_string()),
        Score::Value(_) => None,
    })
}
