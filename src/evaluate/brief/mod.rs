//! A design held against the brief that it is made for, and what would mend what it does not meet.
//!
//! What is found is what [`metric::constraint`](crate::metric::constraint) finds without a picture of the page. What is
//! not met may have an obvious mend, as hunks: a text that is missing is put in, one that says something else is
//! rewritten, a colour, a size or a place becomes what was asked. A picture that is missing has none.
//!
//! A mend is found by trying. [`colors`], [`texts`] and [`places`] propose candidates, the most natural first, on a
//! [`sheet`] that knows where the components are; [`trials`] carries each out on a copy. Only what makes its own
//! finding hold, and loses none that held, is a mend.
//!
//! Start with [`BriefCheck`]. Uses `metric`, `design` and the rules of thumb beside it (`flaws`).

mod colors;
mod places;
mod questions;
mod sheet;
mod texts;
mod trials;

#[cfg(test)]
mod tests;

use crate::design::hunk::Hunk;
use crate::design::{Document, Measure};
use crate::evaluate::flaws::{Flaw, FlawKind};
use crate::graphictown::Query;
use crate::metric::constraint::{Aspect, Finding, Findings, Verdict};

use questions::{findings_of, loses_nothing, questions};
use sheet::Sheet;
use trials::Trials;

/// A design held against a brief.
#[derive(Clone, Debug)]
pub struct BriefCheck<'a> {
    query: &'a Query,
    document: &'a Document,
    findings: Findings,
}

/// Something that a brief asks and that is not so, with what mends it.
#[derive(Clone, Debug, PartialEq)]
pub struct BriefMend<'a> {
    /// What is not so.
    pub finding: &'a Finding,
    /// What makes it so, all of it together.
    pub hunks: Vec<Hunk>,
}

impl<'a> BriefCheck<'a> {
    /// Checks a design; `None` if it has no page with an area.
    pub fn of(query: &'a Query, document: &'a Document) -> Option<Self> {
        Some(Self { query, document, findings: findings_of(query, document)? })
    }

    /// What the brief asks and is not so, in the order of the brief.
    pub fn unmet(&self) -> impl Iterator<Item = &Finding> {
        self.findings.0.iter().filter(|found| found.verdict == Verdict::No)
    }

    /// Whether the brief decides what a flaw is about: it is one thing, not two. Of contrast it does wherever it can
    /// say; where a text lies, only if it is not on the page.
    pub fn says_too(&self, flaw: &Flaw) -> bool {
        let of_node = self.findings.0.iter().filter(|it| it.node.as_ref() == Some(&flaw.node));
        let mut asked = of_node.map(|found| (found.aspect, found.verdict));
        match flaw.kind {
            FlawKind::Contrast => {
                asked.any(|(aspect, said)| aspect == Aspect::Contrast && said != Verdict::CantSay)
            }
            FlawKind::Hidden | FlawKind::Overflow => {
                asked.any(|(aspect, said)| aspect == Aspect::OnPage && said == Verdict::No)
            }
            FlawKind::Gap | FlawKind::Alignment => false,
        }
    }

    /// Whether all that holds in this design holds in another one as well.
    pub fn holds_in(&self, other: &Document) -> bool {
        findings_of(self.query, other).is_some_and(|after| loses_nothing(&self.findings, &after))
    }

    /// What is not so and has an obvious mend, in the order of the brief. Each is looked for when it is asked for.
    pub fn mends<'b>(
        &'b self,
        measure: &'b dyn Measure,
    ) -> impl Iterator<Item = BriefMend<'b>> + 'b {
        let unmet = self.findings.0.iter().enumerate();
        let unmet = unmet.filter(|(_, found)| found.verdict == Verdict::No);
        unmet.filter_map(move |(at, finding)| {
            let hunks = self.mend(at, finding, measure)?;
            Some(BriefMend { finding, hunks })
        })
    }

    fn mend(&self, at: usize, finding: &Finding, measure: &dyn Measure) -> Option<Vec<Hunk>> {
        let sheet = Sheet::of(self.document, self.query, &self.findings, measure)?;
        let questions = questions(&self.findings);
        let question = questions.get(at)?;
        let trials = Trials::new((self.query, self.document), &self.findings, *question, measure);
        // Each aspect has its ways, the mildest first; the first that makes this finding hold and loses no other is
        // taken.
        match finding.aspect {
            Aspect::Present => {
                let wanted = sheet.wanted_text(&finding.component)?;
                match sheet.part(&finding.component) {
                    Some(part) => trials.first(texts::reworded(&sheet, part, wanted)),
                    None => trials.first(texts::put_in(&sheet, wanted)),
                }
            }
            Aspect::Color if finding.node.is_none() => trials.first(colors::background(&sheet)),
            Aspect::Color => trials.first(colors::of_text(&sheet, &finding.component)),
            Aspect::Contrast => trials.first(colors::readable(&sheet, &finding.component)),
            Aspect::Size => match sheet.wanted_text(&finding.component) {
                Some(wanted) => trials.first(texts::resized(&sheet, wanted)),
                None => trials.first(places::resized(&sheet, &finding.component)),
            },
            Aspect::Position => {
                let asked = finding.asked.as_deref()?;
                trials.first(places::moved_as_asked(
                    &sheet,
                    &finding.component,
                    asked,
                    question.nth,
                ))
            }
            Aspect::OnPage => trials.first(places::onto_page(&sheet, &finding.component)),
        }
    }
}
