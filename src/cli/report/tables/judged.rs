//! Plans, judged: how well they do what was asked of colours, texts and images.

use anyhow::Context as _;

use crate::base::CancelToken;
use crate::metric::Score;
use crate::metric::constraint::DesignType;
use crate::metric::judging::{DesignPass, JudgedPlan, design_pass, step_verdicts};
use crate::metric::plan::PlanRow;
use crate::metric::plan::errors::PlanError;
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
    match JudgedPlan::new(plan) {
        Ok(plan) => design_pass(judge, &plan.request(), &CancelToken::new()),
        Err(why) => {
            let missing = Score::Missing(why);
            DesignPass { color: missing.clone(), text: missing.clone(), image: missing }
        }
    }
}

fn first_reason(said: &DesignPass) -> Option<String> {
    [&said.color, &said.text, &said.image].into_iter().find_map(|score| match score {
        Score::Missing(why) => Some(why.to_string()),
        Score::Value(_) => None,
    })
}
