//! The tables of PSBench, GraphicBench and GraphicWeaver.
//!
//! Their columns come from labels, plans and judges. Until a run carries them, a cell says which of
//! these it misses; the rows are the models whose runs are of that environment.

use std::collections::BTreeSet;

use super::facts::{Columns, RunFacts};
use super::table::{Cell, PaperTable};

const NO_SUCCESS: &str = "no run says whether the task succeeded";
const NO_NDEC: &str = "nobody filled in the NDEC checklist";
const NO_PLAN: &str = "no run has a plan of a team of experts";
const NO_JUDGE: &str = "no judge answered";
const NO_FIDELITY: &str = "no run has the pictures that its task gave";
const NO_CLIP: &str = "no model that embeds pictures and words is configured";

/// PSBench, Table 3: success rates.
pub(super) fn psbench_success(_: &Columns, runs: &[RunFacts]) -> PaperTable {
    let table = levels("psbench-3", "PSBench, Table 3: success rates");
    fill(table, &models(runs, "photo"), &[NO_SUCCESS; 8])
}

/// PSBench, Table 4: NDEC.
pub(super) fn psbench_ndec(_: &Columns, runs: &[RunFacts]) -> PaperTable {
    let table = levels("psbench-4", "PSBench, Table 4: NDEC scores");
    fill(table, &models(runs, "photo"), &[NO_NDEC; 8])
}

/// By difficulty, tasks about layers (LR) and others (NLR).
fn levels(id: &'static str, title: &'static str) -> PaperTable {
    let mut table = PaperTable::new(id, title, &["MLLM"]);
    for level in ["Easy", "Medium", "Hard", "Overall"] {
        table.columns.extend(["LR", "NLR"].map(|relation| format!("{level} · {relation}")));
    }
    table
}

/// GraphicBench, Table 3: execution.
pub(super) fn graphicbench_execution(_: &Columns, runs: &[RunFacts]) -> PaperTable {
    let headings = [
        "Model",
        "Success Rate (%)",
        "Fidelity",
        "Content Similarity",
        "VQA Pass Rate",
        "Creativity (O)",
        "Creativity (E)",
    ];
    let table =
        PaperTable::new("graphicbench-3", "GraphicBench, Table 3: execution results", &headings);
    fill(table, &models(runs, "suite"), &EXECUTION)
}

const EXECUTION: [&str; 6] = [NO_PLAN, NO_FIDELITY, NO_CLIP, NO_JUDGE, NO_JUDGE, NO_JUDGE];

/// GraphicBench, Table 13: execution per design type.
pub(super) fn graphicbench_execution_per_type(_: &Columns, runs: &[RunFacts]) -> PaperTable {
    let headings = [
        "Model",
        "Design Type",
        "Success Rate (%)",
        "Fidelity",
        "Content Similarity",
        "VQA Pass Rate",
        "Creativity (O)",
        "Creativity (E)",
    ];
    let title = "GraphicBench, Table 13: execution results per design type";
    let table = PaperTable::new("graphicbench-13", title, &headings);
    fill_per_type(table, &models(runs, "suite"), &EXECUTION)
}

/// GraphicBench, Table 9: plans.
pub(super) fn graphicbench_plans(_: &Columns, runs: &[RunFacts]) -> PaperTable {
    let headings = [
        "Model",
        "Design Type",
        "Delivery Rate",
        "Step Efficiency",
        "Expert Use Efficiency",
        "Design Pass Rate",
        "Color",
        "Text",
        "Visual",
    ];
    let title = "GraphicBench, Table 9: workflow plans per model and design type";
    let table = PaperTable::new("graphicbench-9", title, &headings);
    let why = [NO_PLAN, NO_PLAN, NO_PLAN, NO_JUDGE, NO_JUDGE, NO_JUDGE, NO_JUDGE];
    fill_per_type(table, &models(runs, "suite"), &why)
}

/// GraphicBench, Table 10: experts.
pub(super) fn graphicbench_experts(_: &Columns, runs: &[RunFacts]) -> PaperTable {
    let headings = [
        "Model",
        "Design Type",
        "Ratio · Ps",
        "Ratio · AI",
        "Ratio · Id",
        "Workload · Ps",
        "Workload · AI",
        "Workload · Id",
        "Avg. # Agents",
        "Avg. # Steps",
    ];
    let title = "GraphicBench, Table 10: expert recruitment and workload";
    let table = PaperTable::new("graphicbench-10", title, &headings);
    fill_per_type(table, &models(runs, "suite"), &[NO_PLAN; 8])
}

/// GraphicBench, Table 11: sequences of experts.
pub(super) fn graphicbench_expert_sequences(_: &Columns, runs: &[RunFacts]) -> PaperTable {
    let title = "GraphicBench, Table 11: sequences of experts";
    let headings = ["Model", "# of Agents", "Sequence", "Occurrence"];
    let table = PaperTable::new("graphicbench-11", title, &headings);
    fill(table, &models(runs, "suite"), &[NO_PLAN; 3])
}

/// GraphicBench, Table 12: sequences of actions.
pub(super) fn graphicbench_action_sequences(_: &Columns, runs: &[RunFacts]) -> PaperTable {
    let title = "GraphicBench, Table 12: most common action sequences";
    let headings = ["Model", "Occurrence", "Action Sequence"];
    let table = PaperTable::new("graphicbench-12", title, &headings);
    fill(table, &models(runs, "suite"), &[NO_PLAN; 2])
}

/// GraphicWeaver, Table 4: planning and execution.
pub(super) fn graphicweaver(_: &Columns, runs: &[RunFacts]) -> PaperTable {
    let headings = [
        "Model",
        "Delivery Rate",
        "Step Efficiency",
        "Expert Use Efficiency",
        "Design Pass Rate",
        "Execution Success Rate",
        "Fidelity",
        "Semantic Similarity",
        "VQA Pass Rate",
        "Creativity (O)",
        "Creativity (E)",
    ];
    let title = "GraphicWeaver, Table 4: planning and execution";
    let table = PaperTable::new("graphicweaver-4", title, &headings);
    let why = [
        NO_PLAN,
        NO_PLAN,
        NO_PLAN,
        NO_JUDGE,
        NO_PLAN,
        NO_FIDELITY,
        NO_CLIP,
        NO_JUDGE,
        NO_JUDGE,
        NO_JUDGE,
    ];
    fill(table, &models(runs, "suite"), &why)
}

fn models(runs: &[RunFacts], environment: &str) -> Vec<String> {
    let of = runs.iter().filter(|run| run.environment == environment);
    let names: BTreeSet<&str> = of.map(|run| run.model.as_str()).collect();
    names.into_iter().map(ToOwned::to_owned).collect()
}

fn fill(table: PaperTable, models: &[String], reasons: &[&str]) -> PaperTable {
    let row = |model: &String| std::iter::once(Cell::text(model)).chain(missing(reasons)).collect();
    table.with_rows(models.iter().map(row).collect())
}

fn fill_per_type(table: PaperTable, models: &[String], reasons: &[&str]) -> PaperTable {
    let mut rows = Vec::new();
    for model in models {
        for design in ["Book Cover", "Business Card", "Postcard", "Poster"] {
            let headings = [Cell::text(model), Cell::text(design)];
            rows.push(headings.into_iter().chain(missing(reasons)).collect());
        }
    }
    PaperTable { heading_columns: 2, ..table.with_rows(rows) }
}

fn missing<'a>(reasons: &'a [&str]) -> impl Iterator<Item = Cell> + 'a {
    reasons.iter().map(|why| Cell::Missing((*why).to_owned()))
}
