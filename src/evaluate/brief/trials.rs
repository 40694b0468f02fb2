//! Candidates of a mend, carried out on copies.

use super::questions::{CheckQuestion, findings_of, loses_nothing, questions, verdict};
use crate::design::hunk::{Consequences, Hunk, apply_hunks};
use crate::design::{Document, Measure};
use crate::evaluate::flaws::find_flaws;
use crate::graphictown::Query;
use crate::metric::constraint::{Findings, Verdict};

/// Most candidates of one mend that are tried.
const MOST: usize = 160;

/// Tries candidates for one finding.
pub(super) struct Trials<'a> {
    query: &'a Query,
    document: &'a Document,
    /// What is found of the design as it is.
    findings: &'a Findings,
    question: CheckQuestion<'a>,
    measure: &'a dyn Measure,
    /// How much is amiss by rules of thumb before anything is done.
    flaws: usize,
}

impl<'a> Trials<'a> {
    pub(super) fn new(
        (query, document): (&'a Query, &'a Document),
        findings: &'a Findings,
        question: CheckQuestion<'a>,
        measure: &'a dyn Measure,
    ) -> Self {
        let flaws = find_flaws(document, measure).len();
        Self { query, document, findings, question, measure, flaws }
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
        let Self { query, document, findings, .. } = self;
        let mut after = Document::clone(document);
        // What the document refuses is no mend.
        apply_hunks(&mut after, hunks, Consequences::Settle, self.measure).ok()?;
        let found = findings_of(query, &after)?;
        let (before, now) = (questions(findings), questions(&found));
        let is_mended = verdict(&self.question, &now, &found) == Some(Verdict::Yes);
        if !is_mended || !loses_nothing(findings, &found) {
            return None;
        }
        let unmet = now.iter().zip(&found.0).filter(|(_, found)| found.verdict == Verdict::No);
        let new =
            unmet.filter(|(question, _)| verdict(question, &before, findings) != Some(Verdict::No));
        let flaws = find_flaws(&after, self.measure).len().saturating_sub(self.flaws);
        Some(new.count() + flaws)
    }
}
