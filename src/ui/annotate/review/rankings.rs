//! How far people agree on rankings, and what stands first.

use egui::{Align, Label, Layout, Ui};

use super::interval::two;
use crate::label::Form;
use crate::label::form::FALLBACK_LANGUAGE;
use crate::label::rankings::{MeanRank, RankingFindings};
use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{count, elided_label_ui, rich_text, section_header_ui};

/// Draws what the rankings of a form come to; nothing where it asks for none.
pub(super) fn rankings_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    form: &Form,
    rankings: &[RankingFindings],
) {
    for found in rankings {
        let Some(question) = form.question(&found.question) else { continue };
        let desk = cx.state.annotate.desk.as_ref();
        let language = desk.map_or(FALLBACK_LANGUAGE, |desk| desk.language.as_str());
        let is_of_candidates = question.answer.options().is_empty();
        ui.add_space(6.0);
        let aside = format!("{} · {}", count(found.items, "item"), count(found.answers, "ranking"));
        section_header_ui(ui, "Rankings", &aside);
        let tokens = tokens(ui);
        let asked = question.text.in_language(language);
        ui.add(Label::new(rich_text(asked, Type::Caption, tokens.dim)).wrap());
        ui.add(Label::new(rich_text(agreement_words(found), Type::Body, tokens.text)).wrap());
        if let (Ok(_), Ok(rho)) = (&found.w, &found.mean_rho) {
            let words = format!("mean correlation of two rankings {}", two(*rho));
            ui.label(rich_text(words, Type::Caption, tokens.dim));
        }
        if found.ranked.is_empty() {
            continue;
        }
        ui.add_space(4.0);
        let who = if is_of_candidates { "By who made it" } else { "By option" };
        section_header_ui(ui, who, "mean rank, 95 %");
        // A mean rank under a name would tell who labels whose designs people like.
        let is_hidden = is_of_candidates && cx.state.annotate.is_blind();
        for (at, ranked) in found.ranked.iter().enumerate() {
            let option = question.answer.options().iter().find(|it| it.id == ranked.name);
            let name = match option {
                _ if is_hidden => format!("Maker {}", at + 1),
                Some(option) => option.text.in_language(language).to_owned(),
                None => ranked.name.clone(),
            };
            mean_rank_ui(ui, &name, ranked);
        }
        if is_hidden {
            let words = "Their names show once it is revealed who made what.";
            ui.add(Label::new(rich_text(words, Type::Caption, tokens.dim)).wrap());
        }
    }
}

/// Kendall's W with its interval, or why there is none.
fn agreement_words(found: &RankingFindings) -> String {
    match (&found.w, &found.interval) {
        (Err(why), _) => format!("Kendall’s W: {why}"),
        (Ok(w), Err(why)) => format!("Kendall’s W {}; no interval: {why}", two(*w)),
        (Ok(w), Ok(of)) => {
            let [low, high] = [of.interval.low, of.interval.high].map(two);
            format!("Kendall’s W {} [{low}, {high}]", two(*w))
        }
    }
}

/// A line: what was ranked, how often it stands first, its mean rank with its interval.
fn mean_rank_ui(ui: &mut Ui, name: &str, ranked: &MeanRank) {
    let tokens = tokens(ui);
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            match &ranked.interval {
                Ok(of) => {
                    let [low, high] = [of.interval.low, of.interval.high].map(two);
                    let words = format!("[{low}, {high}]");
                    ui.label(rich_text(words, Type::Caption, tokens.dim));
                }
                Err(why) => {
                    let none = ui.label(rich_text("–", Type::Caption, tokens.dim));
                    none.on_hover_text(why.to_string());
                }
            }
            // From the right, so that numbers stand below each other whatever names are before them.
            ui.label(rich_text(two(ranked.mean), Type::Medium, tokens.text));
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                elided_label_ui(ui, name, Type::Body, tokens.text);
            });
        });
    });
    let items = count(ranked.items, "item");
    let words = format!("first for {:.0}\u{a0}% · {items}", 100.0 * ranked.first);
    ui.label(rich_text(words, Type::Caption, tokens.dim));
}
