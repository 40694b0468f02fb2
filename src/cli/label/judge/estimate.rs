//! What it would cost to ask: `--dry-run`. Nothing is asked, and everything is drawn.

use crate::agent::batch::{QuestionsEstimate, tokens_cost_usd};
use crate::agent::models::OpenedModel;
use crate::cli::output::print;
use crate::cli::progress::SharedProgress;
use crate::cli::table::{Column, Table};
use crate::model::prompts::PromptSet;

use super::asking::prompt;
use super::session::JudgeSession;
use super::work::JudgingQueue;

/// Where a PNG says how wide and high it is.
const PNG_SIZE: std::ops::Range<usize> = 16..24;

/// Prints how many requests there are by form, and what they would cost.
pub(super) fn estimate(
    session: &JudgeSession<'_>,
    work: &JudgingQueue<'_>,
    prompts: &PromptSet,
    model: &OpenedModel,
) -> anyhow::Result<()> {
    let mut table = Table::new(&[
        Column::left("form"),
        Column::right("items"),
        Column::right("requests"),
        Column::right("tokens read"),
        Column::right("written"),
        Column::right("expected cost"),
        Column::right("at most"),
    ]);
    let progress = SharedProgress::start(work.items.len(), "items");
    let mut left_out = 0;
    // The queue is in the order of forms: those of one stand together.
    for of_form in work.items.chunk_by(|a, b| a.form.id == b.form.id) {
        let mut asked = QuestionsEstimate::default();
        for it in of_form {
            let evidence = session.evidence(it.item);
            progress.passed(&it.item.id.0);
            let Some(evidence) = evidence else {
                left_out += 1;
                continue;
            };
            for order in &it.orders {
                let shown = evidence.shown(*order, &it.candidates, session.most_pictures);
                let words = prompt(prompts, it.form, it.item, &shown.words, &it.candidates);
                let pixels = shown.pictures.iter().map(|(_, png)| pixels(png)).sum();
                asked.add(words.len() as f64, pixels);
            }
        }
        let (read, written) = (asked.read, asked.written());
        let most = asked.most_written(f64::from(model.entry().max_tokens));
        table.push(vec![
            of_form.first().map(|it| it.form.id.clone()).unwrap_or_default(),
            of_form.len().to_string(),
            format!("{:.0}", asked.requests),
            format!("{read:.0}"),
            format!("{written:.0}"),
            cost(model, read, written),
            // Everything asked twice, as where no first answer fits, with the first sent along.
            cost(model, 2.0 * read + most, 2.0 * most),
        ]);
    }
    drop(progress);
    let known = work.known;
    let left_out =
        if left_out > 0 { format!("{left_out} items cannot be shown. ") } else { String::new() };
    Ok(print(&format!(
        "{}\n{known} requests were answered before. {left_out}Nothing was asked.",
        table.to_text()
    ))?)
}

fn cost(model: &OpenedModel, input: f64, output: f64) -> String {
    let usd = tokens_cost_usd(model.entry().provider.prices.as_ref(), input, output);
    usd.map_or_else(|| "no prices".to_owned(), |usd| format!("${usd:.2}"))
}

/// The pixels of a PNG.
fn pixels(png: &[u8]) -> f64 {
    let Some(size) = png.get(PNG_SIZE) else { return 0.0 };
    let sides = size.as_chunks().0.iter().map(|side| f64::from(u32::from_be_bytes(*side)));
    sides.product()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Pixels;

    #[test]
    fn the_size_of_a_picture_is_read_from_its_head() {
        let png = Pixels::filled(30, 20, [0, 0, 0, 255]).unwrap().to_png().unwrap();
        assert_eq!((pixels(&png), pixels(&png[..20])), (600.0, 0.0));
    }
}
