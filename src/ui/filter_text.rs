//! A filter as its field draws it, in the library and in Explore.

use egui::text::{LayoutJob, TextFormat};

use super::theme::{Tokens, Type};
use crate::workbench::Variants;
use crate::workbench::views::Filter;

/// The filter with its `field:value` terms on a wash; it may ask for scores by these variants.
pub(super) fn colored(text: &str, variants: &Variants, tokens: &Tokens) -> LayoutJob {
    let plain = TextFormat::simple(Type::Body.font(), tokens.text);
    let field =
        TextFormat { background: tokens.accent_wash, color: tokens.accent_ink, ..plain.clone() };
    let mut job = LayoutJob::default();
    let mut at = 0;
    // A filter that cannot be parsed has no terms, and is shown plain until it can.
    let filter = Filter::parse(text, variants).unwrap_or_default();
    for term in filter.terms().iter().filter(|term| term.is_field) {
        job.append(text.get(at..term.span.start).unwrap_or_default(), 0.0, plain.clone());
        job.append(text.get(term.span.clone()).unwrap_or_default(), 0.0, field.clone());
        at = term.span.end;
    }
    job.append(text.get(at..).unwrap_or_default(), 0.0, plain);
    job.wrap.max_rows = 1;
    job
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::theme::tokens_in;
    use crate::workbench::State;

    #[test]
    fn what_stands_on_the_wash_has_the_ink_of_words() {
        let variants = State::default().variants;
        for tokens in [true, false].map(tokens_in) {
            let job = colored("model:gpt-4.1", &variants, tokens);
            let on_wash = job.sections.iter().find(|it| it.format.background == tokens.accent_wash);
            assert_eq!(on_wash.unwrap().format.color, tokens.accent_ink);
        }
    }
}
