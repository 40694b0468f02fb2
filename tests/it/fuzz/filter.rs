//! The filter language as anybody may type it.

use pentimento::workbench::views::{Filter, FilterAnswer, FilterItem};

use super::campaign;
use crate::nodes::opened;

/// Filters of every kind of term.
const FILTERS: [&str; 12] = [
    "card \"credit card\" or -type:replication",
    "agent:tracer,scripted model=m mode:multi_turn set:own task:basket category:c difficulty:easy tag:a",
    "tool:set_layout_mode error:any -error:unknown_node,none",
    "state:failed,cancelled,live or is:starred is:noted",
    "label:text_overflow,layout preferred>0.5 ndec<0.5 labels>=3",
    "steps>=20 turns<5 calls=3 failures<=1 tools>1 cost<0.1 seconds>1e3 tokens<1e6",
    "ssim<0.75 ssim/uniform7>=0.5 constraints<1 -psnr>20 imported.result>=0.5 imported.grade=C",
    "step:tool:create_text step:error:any step:turn>5",
    "step:work:layout step:expert:photo step:step=1 step:change<-0.1 -step:tool:move",
    "\"unclosed or",
    "or or -",
    "steps>= :x type:",
];

#[test]
fn filters() {
    let corpus: Vec<Vec<u8>> = FILTERS.iter().map(|filter| filter.as_bytes().to_vec()).collect();
    // Runs to be held against it.
    let session = opened("basket");
    let (library, variants) = (&session.state().library, &session.state().variants);
    let runs: Vec<_> = library.runs.values().collect();
    assert!(runs.len() > 10);
    campaign(
        "filters",
        |mutator| mutator.text(&corpus),
        |input| {
            let text = String::from_utf8_lossy(input);
            let filter = match Filter::parse(&text, variants) {
                Ok(filter) => filter,
                Err(error) => {
                    assert!(!error.message.is_empty());
                    assert!(text.get(error.span.clone()).is_some(), "{:?} of {text:?}", error.span);
                    return;
                }
            };
            assert_eq!(filter.is_empty(), filter.terms().is_empty());
            // Two alternatives that say the same let through what one does.
            let doubled = Filter::parse(&format!("{text} or {text}"), variants);
            for run in &runs {
                let item = FilterItem {
                    set: None,
                    task: None,
                    task_ref: &run.manifest.task,
                    run: Some(run),
                    notes: None,
                    labels: None,
                };
                let passes = filter.matches(&item);
                assert_eq!(filter.answer(&item) == FilterAnswer::Passes, passes, "{text:?}");
                if let Ok(doubled) = &doubled
                    && !filter.is_empty()
                {
                    assert_eq!(doubled.matches(&item), passes, "{text:?}");
                }
            }
        },
    );
}
