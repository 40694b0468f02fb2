//! What is amiss with a design, and what mends it: first what a brief asks, then rules of thumb.
//!
//! The window and the command line both ask here, and so offer the same steps.

use crate::agent::assistant::{AssistContext, Suggestion, mend};
use crate::design::Document;
use crate::evaluate::brief::BriefCheck;
use crate::evaluate::flaws::{Flaw, find_flaws};
use crate::graphictown::Query;
use crate::metric::constraint::Finding;

/// What is amiss with a design.
#[derive(Debug)]
pub struct Amiss<'a> {
    design: &'a Document,
    context: AssistContext<'a>,
    brief: Option<BriefCheck<'a>>,
    flaws: Vec<Flaw>,
}

impl<'a> Amiss<'a> {
    /// Looks at a design, with a brief at what that asks too. What both find counts once.
    pub fn of(design: &'a Document, query: Option<&'a Query>, context: AssistContext<'a>) -> Self {
        let brief = query.and_then(|query| BriefCheck::of(query, design));
        let flaws = flaws_of(design, brief.as_ref(), context);
        Self { design, context, brief, flaws }
    }

    /// Whether the design is held against a brief: one without a page with an area cannot be.
    pub fn has_brief(&self) -> bool {
        self.brief.is_some()
    }

    /// How many things are amiss.
    pub fn count(&self) -> usize {
        self.unmet().count() + self.flaws.len()
    }

    /// What the brief asks and is not so, a line each.
    pub fn unmet_lines(&self) -> impl Iterator<Item = String> {
        self.unmet().map(unmet_line)
    }

    /// The same, and behind it what is amiss whatever is asked.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.unmet_lines().chain(self.flaws.iter().map(flaw_line))
    }

    /// What could be mended: what the brief asks, in its order, then what is amiss whatever is asked, the worst first.
    /// Of that only what leaves less amiss and takes nothing from the brief, so that following all of it ends, and of both
    /// only what leaves locked layers as they are.
    pub fn mends(&self) -> impl Iterator<Item = Suggestion> {
        let (design, context) = (self.design, self.context);
        let asked = self.brief.iter().flat_map(move |brief| brief.mends(context.measure));
        // What the document refuses is nothing to suggest.
        let asked = asked.filter_map(move |found| {
            let why = format!("asked in the brief: {}", unmet_line(found.finding));
            mend(design, found.hunks, why, context).ok().flatten()
        });
        asked.chain(self.flaws.iter().filter_map(|flaw| self.mend_of(flaw)))
    }

    fn mend_of(&self, flaw: &Flaw) -> Option<Suggestion> {
        let (design, context, brief) = (self.design, self.context, self.brief.as_ref());
        let suggestion = mend(design, flaw.hunks.clone(), flaw_line(flaw), context).ok()??;
        let after = suggestion.carried_out(design, &suggestion.all(), context.measure).ok()?;
        let is_less = flaws_of(&after, brief, context).len() < self.flaws.len();
        let keeps_brief = brief.is_none_or(|brief| brief.holds_in(&after));
        (is_less && keeps_brief).then_some(suggestion)
    }

    fn unmet(&self) -> impl Iterator<Item = &Finding> {
        self.brief.iter().flat_map(BriefCheck::unmet)
    }
}

/// What is amiss by rules of thumb, without what the brief finds of the same nodes already.
fn flaws_of(
    design: &Document,
    brief: Option<&BriefCheck<'_>>,
    context: AssistContext<'_>,
) -> Vec<Flaw> {
    let mut flaws = find_flaws(design, context.measure);
    flaws.retain(|flaw| brief.is_none_or(|brief| !brief.says_too(flaw)));
    flaws
}

fn unmet_line(finding: &Finding) -> String {
    let Finding { component, aspect, reason, .. } = finding;
    format!("{component}: {}: {reason}", aspect.label())
}

fn flaw_line(flaw: &Flaw) -> String {
    format!("{}: {}", flaw.kind.label(), flaw.found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Affine, Rgba, Size};
    use crate::design::{Node, NodeKind, Paint, TextContent};
    use crate::environment::canvas::CanvasSettings;
    use crate::render::TextMeasurer;

    /// A screen with a title that is cut at its right edge.
    fn design(change: impl FnOnce(&mut [Node; 2])) -> Document {
        let mut screen = Node::new("screen".into(), "screen", NodeKind::Frame);
        (screen.size, screen.clips_content) = (Size::new(400.0, 400.0), true);
        screen.fills = vec![Paint::solid(Rgba::WHITE)];
        let content = TextContent { characters: "Sign out".to_owned(), ..TextContent::default() };
        let kind = NodeKind::Text(Box::new(content));
        let mut title = Node::new("title".into(), "title", kind);
        title.parent = Some("screen".into());
        (title.transform, title.size) = (Affine::translate(370.0, 20.0), Size::new(60.0, 16.0));
        title.fills = vec![Paint::solid(Rgba::BLACK)];
        let mut nodes = [screen, title];
        change(&mut nodes);
        Document::from_nodes(nodes).unwrap()
    }

    #[test]
    fn what_is_amiss_with_a_locked_layer_is_said_and_no_mend_of_it_is_offered() {
        let canvas = CanvasSettings::default();
        let measure = TextMeasurer(&canvas.render);
        let context = AssistContext { measure: &measure, canvas: &canvas };
        let found = |design: &Document| {
            let amiss = Amiss::of(design, None, context);
            (amiss.lines().collect::<Vec<String>>(), amiss.mends().count())
        };
        let (lines, mends) = found(&design(|_| {}));
        assert!(lines.len() == 1 && lines[0].contains("is cut"), "{lines:?}");
        assert_eq!(mends, 1);
        assert_eq!(found(&design(|[_, title]| title.locked = true)), (lines.clone(), 0));
        assert_eq!(found(&design(|[screen, _]| screen.locked = true)), (lines, 0));
    }
}
