//! What one judge says of every item: a model in one or both orders, a rule, or a metric.

use std::collections::{BTreeMap, BTreeSet};

use super::wording::takes_confidence;
use crate::label::form::{Form, Question, QuestionKind, Scale};
use crate::label::versus::MetricScores;
use crate::label::{
    Answer, AnswerValue, Item, ItemId, Judgement, Ledger, Preferred, StandingJudgement,
};

/// What a judge is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JudgeKind {
    /// A model that was asked.
    Model,
    /// Rules of this program.
    Rules,
    /// A metric of this program.
    Metric,
}

impl JudgeKind {
    /// As reports say it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Rules => "automatic, rules",
            Self::Metric => "automatic, metric",
        }
    }
}

/// What came of one call on an item: an answer, with how sure the judge says it is, or why there is none.
pub type JudgeVerdict = Result<(Answer, BTreeMap<String, f64>), String>;

/// What a judge says of an item: as it stands in the item, and with its second first.
pub type Calls = [Option<JudgeVerdict>; 2];

/// What one judge says of the items of a form.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdicts {
    /// What it is called.
    pub judge: String,
    /// What it is.
    pub kind: JudgeKind,
    /// More about it: which model, asked in which words; which rules.
    pub about: String,
    /// By item.
    pub items: BTreeMap<ItemId, Calls>,
    /// Tokens read and written.
    pub tokens: [u64; 2],
    /// What it cost in US dollars, as far as prices are known; `None`: none is.
    pub cost_usd: Option<f64>,
}

impl Verdicts {
    /// A judge's, of which nothing is known yet.
    pub fn new(judge: &str, kind: JudgeKind, about: &str) -> Self {
        Self {
            judge: judge.to_owned(),
            kind,
            about: about.to_owned(),
            items: BTreeMap::new(),
            tokens: [0; 2],
            cost_usd: None,
        }
    }

    /// What models answered to a form about items that count, by judge.
    pub fn of_models(form: &Form, items: &[Item], ledger: &Ledger) -> Vec<Self> {
        // Practice and the qualification are about people, and a repeat would count twice.
        let counting: BTreeSet<&ItemId> =
            items.iter().filter(|item| item.counts()).map(|item| &item.id).collect();
        let mut found: BTreeMap<&str, Self> = BTreeMap::new();
        let judgements = ledger.judgements(form.hash()).into_iter();
        for StandingJudgement { event, judged } in
            judgements.filter(|it| counting.contains(&it.event.item))
        {
            let identity = &judged.judge;
            // Enough to tell two wordings apart, and short enough for a table.
            let prompt: String = identity.prompt.chars().take(8).collect();
            let about = format!("{}:{}, prompt {prompt}", identity.provider, identity.model);
            let of_judge = found
                .entry(&event.person)
                .or_insert_with(|| Self::new(&event.person, JudgeKind::Model, &about));
            // Copies of a project may have asked otherwise under one name: all of it is said.
            if !of_judge.about.contains(&about) {
                of_judge.about.extend(["; ", about.as_str()]);
            }
            let calls = of_judge.items.entry(event.item.clone()).or_default();
            // By the order it was shown in, so that both answers to one item stand side by side.
            calls[usize::from(judged.is_swapped)] = Some(match &judged.outcome {
                Judgement::Answered { answer, confidence } => {
                    Ok(((**answer).clone(), confidence.clone()))
                }
                Judgement::Failed { reason } => Err(reason.clone()),
            });
            for (sum, more) in of_judge.tokens.iter_mut().zip(judged.tokens) {
                // Sums of what providers say of themselves: hostile numbers stop at the top instead of wrapping.
                *sum = sum.saturating_add(more);
            }
            // No price at all stays unknown, which is not the same as free.
            if let Some(cost) = judged.cost_usd {
                of_judge.cost_usd = Some(of_judge.cost_usd.unwrap_or(0.0) + cost);
            }
        }
        found.into_values().collect()
    }

    /// A metric as a judge of a form's first preference: the one with the better score is preferred. `None` of a
    /// form without a preference.
    pub fn of_metric(form: &Form, scores: &MetricScores) -> Option<Self> {
        let question = form.preference()?;
        let QuestionKind::Preference { tie } = question.answer else { return None };
        let mut verdicts =
            Self::new(&scores.metric, JudgeKind::Metric, "the better score of the two ends");
        for item in scores.pairs.keys() {
            // Where the form knows no ties, equal scores prefer nobody: guessing would make up a verdict.
            let preferred = scores.difference(item).and_then(|difference| {
                if difference == 0.0 && !tie {
                    return Err("both have the same score".to_owned());
                }
                Ok(match difference.total_cmp(&0.0) {
                    _ if difference == 0.0 => Preferred::Tie,
                    std::cmp::Ordering::Less => Preferred::Second,
                    _ => Preferred::First,
                })
            });
            let verdict = preferred.map(|preferred| {
                let value = AnswerValue::Preference(preferred);
                let values = BTreeMap::from([(question.id.clone(), value)]);
                (Answer { values, ..Answer::default() }, BTreeMap::new())
            });
            verdicts.items.insert(item.clone(), [Some(verdict), None]);
        }
        Some(verdicts)
    }
}

/// What a call says of a question, or of one option of it, as final answers say it; `None` where it left it out
/// or has no answer.
pub(super) fn value_of(
    call: Option<&JudgeVerdict>,
    question: &Question,
    option: Option<&str>,
) -> Option<String> {
    let (answer, _) = call?.as_ref().ok()?;
    if let Some(option) = option {
        let has = answer.has_option(question, option)?;
        return Some(if has { "yes" } else { "no" }.to_owned());
    }
    match question.answer.scale() {
        Scale::Nominal | Scale::Ordinal => answer.values.get(&question.id)?.words().pop(),
        Scale::PerOption | Scale::None => None,
    }
}

/// How sure a call is of a question.
pub(super) fn confidence_of(call: Option<&JudgeVerdict>, question: &Question) -> Option<f64> {
    let (_, confidence) = call?.as_ref().ok()?;
    confidence.get(&question.id).copied().filter(|_| takes_confidence(question))
}
