//! What people said and did, as figures take it: the answers of a labelling project, and attempts of studies.

use super::data::{Attempt, FigureSources, Preference};
use crate::evaluate::studies::StudyAttempt;
use crate::label::form::QuestionKind;
use crate::label::preferences::preferences;
use crate::label::{Form, Item, Ledger, counting_answers, final_answers, judged_runs};
use crate::metric::stats::BootstrapPlan;
use crate::study::ParticipantKind;

/// The question that asks for success.
const SUCCESS: &str = "success";

/// Which models people preferred in a labelling project, by the first preference that was answered: a figure has room
/// for one question.
pub fn project_preferences(forms: &[Form], items: &[Item], ledger: &Ledger) -> Vec<Preference> {
    // Of the interval nothing is shown: it is drawn once.
    let plan = BootstrapPlan { resamples: 1, ..BootstrapPlan::default() };
    for form in forms {
        let asked = form.questions.iter();
        let mut asked =
            asked.filter(|it| matches!(it.answer, QuestionKind::Preference { .. })).peekable();
        if asked.peek().is_none() {
            continue;
        }
        let finals = final_answers(form, &counting_answers(form, items, ledger), ledger);
        for question in asked {
            let found = preferences(&question.id, items, &finals, &plan);
            let against = found.against.iter().filter_map(|((one, other), record)| {
                Some(Preference {
                    model: found.models.get(*one)?.clone(),
                    against: found.models.get(*other)?.clone(),
                    wins: record.wins,
                    ties: record.ties,
                    losses: record.losses,
                })
            });
            let against: Vec<Preference> = against.collect();
            if against.iter().any(|it| it.wins + it.ties + it.losses > 0) {
                return against;
            }
        }
    }
    Vec::new()
}

/// The runs of a labelling project of which it is asked whether they succeeded, with what the answers came to.
pub fn project_attempts(forms: &[Form], items: &[Item], ledger: &Ledger) -> Vec<Attempt> {
    let judged = judged_runs(forms, items, ledger, &[SUCCESS]).into_iter();
    let attempts = judged.map(|judged| Attempt {
        model: judged.run.model.clone(),
        difficulty: judged.item.strata.get("difficulty").map(|level| level.to_lowercase()),
        success: judged.answers.get(SUCCESS).copied(),
        ..Attempt::default()
    });
    attempts.collect()
}

impl From<&StudyAttempt> for Attempt {
    /// By its condition, as people are not told apart; scripts are called so.
    fn from(attempt: &StudyAttempt) -> Self {
        let StudyAttempt { by, condition, level, success, seconds } = attempt;
        Self {
            model: match by {
                ParticipantKind::Person => condition.clone(),
                ParticipantKind::Scripted => format!("{condition} (scripted, not people)"),
            },
            difficulty: Some(level.to_lowercase()),
            seconds: Some(*seconds),
            success: Some(*success),
            ..Self::default()
        }
    }
}

impl FigureSources {
    /// All that is known of attempts: what was said of some, and what the logs of studies say of runs.
    pub(super) fn all_attempts(&self) -> Vec<Attempt> {
        let of_studies = self.runs.iter().filter_map(|run| {
            let attempt = Attempt::from(run.digest.attempt.as_ref()?);
            Some(Attempt { number: run.number, ..attempt })
        });
        self.attempts.iter().cloned().chain(of_studies).collect()
    }
}
