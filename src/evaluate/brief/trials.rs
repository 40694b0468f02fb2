//! Candidates of a mend, carried out on copies.

use super::{BriefCheck, findings_of, verdict};
use crate::design::Measure;
use crate::design::hunk::{Consequences, Hunk, apply_hunks};
use crate::evaluate::flaws::find_flaws;
use crate::metric::constraint::{Aspect, Findings, Verdict};

/// Most candidates of one mend that are tried.
const MOST: usize = 160;

/// A question of a check, by which its answers on two designs are told to be to the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Question<'a> {
    pub(super) component: &'a str,
    pub(super) aspect: Aspect,
    pub(super) asked: Option<&'a str>,
    /// Which of those that are alike otherwise: the clauses of a position are.
    pub(super) nth: usize,
}

/// The questions that findings answer, in their order.
pub(super) fn questions(findings: &Findings) -> Vec<Question<'_>> {
    let mut questions: Vec<Question<'_>> = Vec::with_capacity(findings.0.len());
    for found in &findings.0 {
        let (component, aspect) = (found.component.as_str(), found.aspect);
        let asked = found.asked.as_deref();
        let alike = questions.iter().filter(|question| {
            question.component == component && question.aspect == aspect && question.asked == asked
        });
        let nth = alike.count();
        questions.push(Question { component, aspect, asked, nth });
    }
    questions
}

/// Tries candidates for one finding.
pub(super) struct Trials<'a> {
    check: &'a BriefCheck<'a>,
    question: Question<'a>,
    measure: &'a dyn Measure,
    /// How much is amiss by rules of thumb before anything is done.
    flaws: usize,
}

impl<'a> Trials<'a> {
    pub(super) fn new(
        check: &'a BriefCheck<'a>,
        question: Question<'a>,
        measure: &'a dyn Measure,
    ) -> Self {
        let flaws = find_flaws(check.document, measure).len();
        Self { check, question, measure, flaws }
    }

    /// The first candidate that mends and costs nothing else, or the one that costs least.
    pub(super) fn first(
        &self,
        candidates: impl IntoIterator<Item = Vec<Hunk>>,
    ) -> Option<Vec<Hunk>> {
        let mut best: Option<(usize, Vec<Hunk>)> = None;
        let candidates = candidates.into_iter().filter(|hunks| !hunks.is_empty());
        for hunks in candidates.take(MOST) {
            let Some(cost) = self.cost(&hunks) else { continue };
            if cost == 0 {
                return Some(hunks);
            }
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, hunks));
            }
        }
        best.map(|(_, hunks)| hunks)
    }

    /// How much is amiss once a candidate is carried out that was not before; `None` if it is no mend.
    fn cost(&self, hunks: &[Hunk]) -> Option<usize> {
        let BriefCheck { query, document, findings } = self.check;
        let mut after = (*document).clone();
        // What the document refuses is no mend.
        apply_hunks(&mut after, hunks, Consequences::Settle, self.measure).ok()?;
        let found = findings_of(query, &after)?;
        let (before, now) = (questions(findings), questions(&found));
        let is_mended = verdict(&self.question, &now, &found) == Some(Verdict::Yes);
        if !is_mended || !self.check.loses_nothing(&found) {
            return None;
        }
        let unmet = now.iter().zip(&found.0).filter(|(_, found)| found.verdict == Verdict::No);
        let new =
            unmet.filter(|(question, _)| verdict(question, &before, findings) != Some(Verdict::No));
        let flaws = find_flaws(&after, self.measure).len().saturating_sub(self.flaws);
        Some(new.count() + flaws)
    }
}
