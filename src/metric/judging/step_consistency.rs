//! Whether a step of a plan is inconsistent, asked of a model step by step: `inconsistency/judge`.

use serde::Deserialize;

use super::{Judge, JudgeForm, JudgeQuestion};
use crate::base::{CancelToken, cut_line, parse_json};
use crate::metric::MissingScore;
use crate::metric::plan::errors::{PlanError, inconsistency};
use crate::metric::plan::{PlanRow, PlanStep};

/// Most characters of a step, and of all steps together.
const STEP_CHARACTERS: usize = 1_000;
const PLAN_CHARACTERS: usize = 40_000;

/// What a judge says of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct StepVerdict {
    /// At which item of the workflow, from 1.
    pub step: usize,
    /// The inconsistency with its evidence, none, or why that is not known.
    pub found: Result<Option<PlanError>, MissingScore>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenVerdict {
    inconsistent: bool,
    #[serde(default)]
    evidence: String,
}

/// Asks a judge about every step of a plan's final workflow. What of it is no step is not asked about: that is an
/// error of form.
///
/// Source: the class is GraphicWeaver's (section 6.2); its judge and wording are not public, ours stand in
/// `assets/prompts`.
pub fn step_verdicts(judge: &dyn Judge, row: &PlanRow, cancel: &CancelToken) -> Vec<StepVerdict> {
    let lines: Vec<(usize, String)> = row
        .final_workflow
        .steps()
        .map(|(at, step)| (at + 1, format!("{}. {}", at + 1, in_words(step))))
        .collect();
    let mut all = String::new();
    for (_, line) in &lines {
        // Cut at a step, so that the judge reads no half of one.
        if all.len() + line.len() > PLAN_CHARACTERS {
            all += "> …\n";
            break;
        }
        all.extend(["> ", line, "\n"]);
    }
    let components = match &row.design {
        serde_json::Value::Null => "> (not recorded)".to_owned(),
        design => format!("> {design}"),
    };
    let query = match row.query.trim() {
        "" => "> (not recorded)".to_owned(),
        // Every line is quoted, so that words of a query cannot pass for instructions.
        query => format!("> {}", query.lines().collect::<Vec<_>>().join("\n> ")),
    };
    let verdicts = lines.iter().map(|(step, line)| {
        let values = [query.as_str(), &components, all.trim_end(), &format!("> {line}")];
        let question =
            JudgeQuestion { form: JudgeForm::StepConsistency, picture: None, values: &values };
        let answer = cancel
            .check()
            .map_err(|_stopped| MissingScore::Cancelled)
            .and_then(|()| judge.answer(&question, cancel));
        let found = answer.and_then(|answer| parse_step_verdict(*step, &answer));
        StepVerdict { step: *step, found }
    });
    verdicts.collect()
}

/// Reads the answer about a step: one JSON object, with fences around it or none.
///
/// # Errors
///
/// [`MissingScore::NoJudgement`] with what is wrong with it.
pub fn parse_step_verdict(step: usize, answer: &str) -> Result<Option<PlanError>, MissingScore> {
    let value = parse_json(without_fences(answer).as_bytes()).map_err(unreadable)?;
    let written: WrittenVerdict = serde_json::from_value(value).map_err(unreadable)?;
    let evidence = written.evidence.split(|c: char| c.is_whitespace() || c.is_control());
    let evidence = evidence.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    match (written.inconsistent, evidence.is_empty()) {
        (false, _) => Ok(None),
        (true, false) => Ok(Some(inconsistency(step, &evidence))),
        // A verdict that shows nothing cannot be looked at.
        (true, true) => {
            Err(MissingScore::NoJudgement("it says inconsistent and shows no evidence".to_owned()))
        }
    }
}

fn unreadable(why: impl std::fmt::Display) -> MissingScore {
    MissingScore::NoJudgement(format!("the answer is not the JSON object asked for: {why}"))
}

/// The text without a line of three backticks before and after it, as models write around what is to be read by a
/// program.
pub fn without_fences(text: &str) -> &str {
    let text = text.trim();
    let Some(inside) = text.strip_prefix("```").and_then(|it| it.strip_suffix("```")) else {
        return text;
    };
    // What follows the first backticks names the language.
    inside.split_once('\n').map_or(text, |(_, body)| body.trim())
}

fn in_words(step: &PlanStep) -> String {
    let parameters = step.parameters.as_ref().map(|given| serde_json::json!(given).to_string());
    let line = format!(
        "{}: {} — {} {}",
        step.expert.as_deref().unwrap_or("(no expert)").trim(),
        step.description.as_deref().unwrap_or("(no words)").trim(),
        step.action.as_deref().unwrap_or("(no action)").trim(),
        parameters.as_deref().unwrap_or("(no parameters)").trim(),
    );
    cut_line(&line, STEP_CHARACTERS)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::metric::judging::fixture::Scripted;

    #[test]
    fn every_step_is_asked_about_and_an_unreadable_answer_is_no_verdict() {
        let plan = json!({"ID": 1, "user_query": "A poster.\nQuestions: none", "final_workflow": [
            {"expert": "Photo Editor", "description": "Begin.", "skill": "CreateDocument", "parameters": {}},
            "and then",
            {"expert": "Photo Editor", "description": "End.", "skill": "SaveDocument", "parameters": {}},
        ]});
        let row = PlanRow::read(plan.as_object().unwrap());
        let answer = "```json\n{\"inconsistent\": true, \"evidence\": \"red\\nand blue\"}\n```";
        let judge = Scripted::answering(&[answer, answer]);
        let found = step_verdicts(&judge, &row, &CancelToken::new());
        let steps: Vec<usize> = found.iter().map(|it| it.step).collect();
        assert_eq!(steps, [1, 3]);
        let error = found[0].found.clone().unwrap().unwrap();
        assert_eq!((error.step, error.message.as_str()), (Some(1), "red and blue"));
        for (answer, said) in [
            ("Yes.", "not the JSON object"),
            ("{\"inconsistent\": \"yes\"}", "not the JSON object"),
            ("{\"inconsistent\": true}", "shows no evidence"),
            ("{\"inconsistent\": false, \"score\": 1}", "unknown field"),
        ] {
            let error = parse_step_verdict(1, answer).unwrap_err().to_string();
            assert!(error.contains(said), "{answer}: {error}");
        }
        assert_eq!(parse_step_verdict(1, "{\"inconsistent\": false}"), Ok(None));
    }
}
