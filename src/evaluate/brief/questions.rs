//! What a check of a design asks, by which its answers on two designs are told to be to the same.

use crate::design::Document;
use crate::graphictown::Query;
use crate::metric::constraint::{Aspect, Findings, Page, Verdict, check};

/// A question of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CheckQuestion<'a> {
    pub(super) component: &'a str,
    pub(super) aspect: Aspect,
    pub(super) asked: Option<&'a str>,
    /// Which of those that are alike otherwise: the clauses of a position are.
    pub(super) nth: usize,
}

/// The questions that findings answer, in their order.
pub(super) fn questions(findings: &Findings) -> Vec<CheckQuestion<'_>> {
    let mut questions: Vec<CheckQuestion<'_>> = Vec::with_capacity(findings.0.len());
    for found in &findings.0 {
        let (component, aspect) = (found.component.as_str(), found.aspect);
        let asked = found.asked.as_deref();
        let alike = questions.iter().filter(|question| {
            question.component == component && question.aspect == aspect && question.asked == asked
        });
        let nth = alike.count();
        questions.push(CheckQuestion { component, aspect, asked, nth });
    }
    questions
}

/// Whether all that holds by the findings before is answered with yes by those of another design as well.
pub(super) fn loses_nothing(before: &Findings, after: &Findings) -> bool {
    let (asked, now) = (questions(before), questions(after));
    let held = asked.iter().zip(&before.0);
    let mut held = held.filter(|(_, found)| found.verdict == Verdict::Yes);
    held.all(|(question, _)| verdict(question, &now, after) == Some(Verdict::Yes))
}

/// What is found without a picture of the page; `None` if it has no page with an area.
pub(super) fn findings_of(query: &Query, document: &Document) -> Option<Findings> {
    check(query, &Page { document, picture: None, shown: None })
}

/// The answer to a question; `None` where it is not asked.
pub(super) fn verdict(
    question: &CheckQuestion<'_>,
    asked: &[CheckQuestion<'_>],
    found: &Findings,
) -> Option<Verdict> {
    let at = asked.iter().position(|other| other == question)?;
    found.0.get(at).map(|found| found.verdict)
}
