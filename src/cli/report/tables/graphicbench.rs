//! The tables of GraphicBench and GraphicWeaver.

use std::collections::{BTreeMap, BTreeSet};

use crate::graphictown::Expert;
use crate::metric::constraint::DesignType;
use crate::metric::plan::{ExpertShare, TeamSummary, sequence};

use super::run_summary::value_or_reason;
use super::sources::Sources;
use super::suite::{self, Group, NO_PLAN, Number, NumberColumn, PlanMode, Row, column, percent};
use super::table::{Cell, PaperTable};

const RELEASED: &str = "Success, released scripts (%)";
const HERE: &str = "Success, here (%)";
const STRICT: &str = "Success, here, no step failed (%)";

/// What the columns of success count.
const SUCCESS: [&str; 2] = [
    "Success, released scripts: plans as they stand in which the Photo Editor opens a document and \
     later saves it as psd, png or pdf, which is all that the released scripts can write; over all \
     plans. This is the column to set beside the papers'.",
    "Success, here: plans that left at least one saved or exported file when they were carried out \
     here, where texts are mended, the Layout Designer can export and jpg counts; no step failed: and \
     every step of them did what it says. Over the plans that were carried out.",
];
const QUALITY: &str = "Fidelity, Content Similarity, VQA Pass Rate and Creativity are means over the \
                       plans that left a file.";

/// What was executed: the columns of Tables 3 and 13.
const EXECUTION: [NumberColumn; 8] = [
    percent(RELEASED, suite::success_released, 2),
    percent(HERE, suite::success_here, 2).with_note(suite::said_by_people),
    percent(STRICT, suite::success_without_failure, 2),
    column("Fidelity", suite::fidelity, 3),
    column("Content Similarity", suite::content_similarity, 2),
    column("VQA Pass Rate", suite::vqa, 2),
    column("Creativity (O)", suite::originality, 2),
    column("Creativity (E)", suite::elaboration, 2),
];

const PLANS: [NumberColumn; 7] = [
    column("Delivery Rate", suite::delivery, 3),
    column("Step Efficiency", suite::step_efficiency, 3),
    column("Expert Use Efficiency", suite::expert_use_efficiency, 2),
    column("Design Pass Rate", suite::design_pass, 3),
    column("Color", suite::color, 3),
    column("Text", suite::text, 3),
    column("Image", suite::image, 3),
];

const WEAVER: [NumberColumn; 12] = [
    percent("Delivery Rate (%)", suite::delivery, 1),
    percent("Design Pass Rate (%)", suite::design_pass, 1),
    percent("Step Efficiency", suite::step_efficiency, 1),
    column("Expert Use Efficiency", suite::expert_use_efficiency, 2),
    percent(RELEASED, suite::success_released, 1),
    percent(HERE, suite::success_here, 1).with_note(suite::said_by_people),
    percent(STRICT, suite::success_without_failure, 1),
    column("Fidelity", suite::fidelity, 2),
    column("Content Similarity", suite::content_similarity, 1),
    column("VQA Pass Rate (%)", suite::vqa, 1),
    column("Creativity (O)", suite::originality, 2),
    column("Creativity (E)", suite::elaboration, 2),
];

const TEAM: [NumberColumn; 8] = [
    column("Ratio · Ps", |it| ratio(it, Expert::PhotoEditor), 2),
    column("Ratio · AI", |it| ratio(it, Expert::VectorGraphicEditor), 2),
    column("Ratio · Id", |it| ratio(it, Expert::LayoutDesigner), 2),
    column("Workload · Ps", |it| workload(it, Expert::PhotoEditor), 2),
    column("Workload · AI", |it| workload(it, Expert::VectorGraphicEditor), 2),
    column("Workload · Id", |it| workload(it, Expert::LayoutDesigner), 2),
    column("Avg. # Agents", |it| of_team(it, |team| value_or_reason(&team.agents)), 2),
    column("Avg. # Steps", |it| of_team(it, |team| value_or_reason(&team.steps)), 1),
];

/// How many of the most common sequences Table 12 has of each model.
const MOST_COMMON: usize = 3;

const DELIVERY: &str = "Delivery as published: fewer steps than the limit of the experts' number; a \
                        plan that is a text counts its characters, so that NOT RETRIEVED delivers.";

/// Table 3: execution.
pub(super) fn execution(sources: &Sources) -> PaperTable {
    let title = "GraphicBench, Table 3: execution results";
    of_models("graphicbench-3", title, &EXECUTION, sources)
        .with_remark("All types of design pooled: each plan counts once.")
        .with_remarks(SUCCESS.map(str::to_owned))
        .with_remark(QUALITY)
}

/// Table 13: execution per design type.
pub(super) fn execution_per_type(sources: &Sources) -> PaperTable {
    let title = "GraphicBench, Table 13: execution results per design type";
    of_types("graphicbench-13", title, &EXECUTION, sources)
        .with_remarks(SUCCESS.map(str::to_owned))
        .with_remark(QUALITY)
}

/// Table 9: plans.
pub(super) fn plans(sources: &Sources) -> PaperTable {
    let title = "GraphicBench, Table 9: workflow plans per model and design type";
    of_types("graphicbench-9", title, &PLANS, sources).with_remark(DELIVERY)
}

/// Table 10: experts.
pub(super) fn experts(sources: &Sources) -> PaperTable {
    let title = "GraphicBench, Table 10: expert recruitment and workload";
    of_types("graphicbench-10", title, &TEAM, sources).with_remark(
        "Workload: steps of an expert's own workflow, before workflows are merged. Ps: photo editor; \
         AI: vector graphic editor; Id: layout designer.",
    )
}

/// GraphicWeaver, Table 4: planning and execution.
pub(super) fn weaver(sources: &Sources) -> PaperTable {
    let title = "GraphicWeaver, Table 4: planning and execution";
    let mut table = PaperTable::new("graphicweaver-4", title, &["Model"]);
    table.columns.extend(WEAVER.iter().map(|column| column.heading.to_owned()));
    let (rows, made) = suite::rows(sources);
    for row in &rows {
        let means = WEAVER.iter().map(|column| column.mean_of_types(row));
        table.rows.push(std::iter::once(Cell::text(&row.name)).chain(means).collect());
    }
    weaver_remarks(table, made)
}

/// GraphicWeaver, Table 9: planning and execution in the direct mode.
pub(super) fn weaver_direct(sources: &Sources) -> PaperTable {
    let title = "GraphicWeaver, Table 9: planning and execution, direct mode";
    weaver_of("graphicweaver-9", title, PlanMode::Direct, sources)
}

/// GraphicWeaver, Table 10: planning and execution in the agentic mode.
pub(super) fn weaver_agentic(sources: &Sources) -> PaperTable {
    let title = "GraphicWeaver, Table 10: planning and execution, agentic mode";
    weaver_of("graphicweaver-10", title, PlanMode::Agentic, sources)
}

/// The rows of a mode, aggregated first and then type by type.
fn weaver_of(
    id: &'static str,
    title: &'static str,
    mode: PlanMode,
    sources: &Sources,
) -> PaperTable {
    let mut table = PaperTable::new(id, title, &["Design Type", "Model"]);
    table.heading_columns = 2;
    table.columns.extend(WEAVER.iter().map(|column| column.heading.to_owned()));
    let (rows, made) = suite::rows(sources);
    // A row whose mode nobody knows is in neither of the two tables.
    let rows: Vec<&Row<'_>> = rows.iter().filter(|row| row.plan_mode() == Some(mode)).collect();
    for row in &rows {
        let headings = [Cell::text("Aggregated"), Cell::text(&row.name)];
        let means = WEAVER.iter().map(|column| column.mean_of_types(row));
        table.rows.push(headings.into_iter().chain(means).collect());
    }
    // Type by type with the models below one another, as the paper has it; GraphicBench has it the other
    // way round.
    for design in DesignType::ALL {
        for row in &rows {
            let headings = [Cell::text(design.title()), Cell::text(&row.name)];
            let group = row.of_type(design);
            let cells = WEAVER.iter().map(|column| column.cell(&group));
            table.rows.push(headings.into_iter().chain(cells).collect());
        }
    }
    let published =
        "Nothing to compare with: no plan, picture or result of the paper is published.";
    weaver_remarks(table, made).with_remark(published)
}

fn weaver_remarks(table: PaperTable, made: Option<String>) -> PaperTable {
    table
        .with_remark("Aggregated: the plain mean of the four types of design, as the paper's rows are.")
        .with_remark(
            "The paper's own success is of plans that can be carried out without errors (section 3.3), \
             which is the column without a failed step; its released evaluator counts files.",
        )
        .with_remarks(SUCCESS.map(str::to_owned))
        .with_remark(QUALITY)
        .with_remark(DELIVERY)
        .with_remarks(made)
}

/// Table 11: sequences of experts.
pub(super) fn expert_sequences(sources: &Sources) -> PaperTable {
    let (rows, _) = suite::rows(sources);
    let title = "GraphicBench, Table 11: sequences of experts";
    let mut table = PaperTable::new("graphicbench-11", title, &["# of Agents", "Sequence"]);
    table.heading_columns = 2;
    table.columns.extend(rows.iter().map(|row| row.name.clone()));
    let counts: Vec<SequenceCounts> =
        rows.iter().map(|row| SequenceCounts::of(&row.all())).collect();
    // Each once, by how many take part in it as the paper's table is, and then by themselves.
    let all = counts.iter().flat_map(|counts| counts.known.keys());
    let sequences: BTreeSet<(usize, &Vec<Expert>)> =
        all.map(|sequence| (sequence.iter().collect::<BTreeSet<_>>().len(), sequence)).collect();
    for (agents, sequence) in sequences {
        let mut row = vec![Cell::text(agents.to_string()), Cell::text(arrows(sequence))];
        row.extend(counts.iter().map(|it| it.cell(it.known.get(sequence).copied())));
        table.rows.push(row);
    }
    if counts.iter().any(|counts| counts.others > 0) {
        let mut row = vec![Cell::text("?"), Cell::text("with a step of no known expert")];
        row.extend(counts.iter().map(|it| it.cell(Some(it.others))));
        table.rows.push(row);
    }
    table.with_remark(
        "Ps: photo editor; AI: vector graphic editor; Id: layout designer. Plans that \
                       did not parse into steps and nothing else are not counted.",
    )
}

/// Table 12: sequences of actions.
pub(super) fn action_sequences(sources: &Sources) -> PaperTable {
    let title = "GraphicBench, Table 12: most common action sequences";
    let headings = ["Model", "Occurrence", "Action Sequence"];
    let mut table = PaperTable::new("graphicbench-12", title, &headings);
    table.heading_columns = 3;
    let (rows, _) = suite::rows(sources);
    for row in &rows {
        let sequences: Vec<Vec<&str>> = row
            .all()
            .workflows()
            // Of a plan that parsed in part the sequence would be one that nobody planned.
            .filter(|workflow| workflow.is_whole())
            .map(sequence::distinct_actions)
            .filter(|actions| !actions.is_empty())
            .collect();
        let common = sequence::frequent_sequences(&sequences);
        if common.is_empty() {
            let missing = Cell::Missing(NO_PLAN.to_owned());
            table.rows.push(vec![Cell::text(&row.name), missing.clone(), missing]);
        }
        for (actions, count) in common.into_iter().take(MOST_COMMON) {
            let count = Cell::text(count.to_string());
            table.rows.push(vec![Cell::text(&row.name), count, Cell::text(actions.join(" → "))]);
        }
    }
    table.with_remark("Each action stands once, where a plan first uses it.")
}

fn of_models(
    id: &'static str,
    title: &'static str,
    columns: &[NumberColumn],
    sources: &Sources,
) -> PaperTable {
    let mut table = PaperTable::new(id, title, &["Model"]);
    table.columns.extend(columns.iter().map(|column| column.heading.to_owned()));
    let (rows, made) = suite::rows(sources);
    for row in &rows {
        let group = row.all();
        let cells = columns.iter().map(|column| column.cell(&group));
        table.rows.push(std::iter::once(Cell::text(&row.name)).chain(cells).collect());
    }
    table.with_remarks(made)
}

fn of_types(
    id: &'static str,
    title: &'static str,
    columns: &[NumberColumn],
    sources: &Sources,
) -> PaperTable {
    let mut table = PaperTable::new(id, title, &["Model", "Design Type"]);
    table.heading_columns = 2;
    table.columns.extend(columns.iter().map(|column| column.heading.to_owned()));
    let (rows, made) = suite::rows(sources);
    for row in &rows {
        for group in row.by_type() {
            let design = group.design.map(DesignType::title).unwrap_or_default();
            let headings = [Cell::text(&row.name), Cell::text(design)];
            let cells = columns.iter().map(|column| column.cell(&group));
            table.rows.push(headings.into_iter().chain(cells).collect());
        }
    }
    table.with_remarks(made)
}

fn of_team(group: &Group<'_>, number: impl Fn(&TeamSummary) -> Number) -> Number {
    number(&group.team()?)
}

fn share(group: &Group<'_>, expert: Expert, number: impl Fn(&ExpertShare) -> Number) -> Number {
    of_team(group, |team| team.expert(expert).map_or_else(|| Err(NO_PLAN.to_owned()), &number))
}

fn ratio(group: &Group<'_>, expert: Expert) -> Number {
    share(group, expert, |share| value_or_reason(&share.recruited))
}

fn workload(group: &Group<'_>, expert: Expert) -> Number {
    share(group, expert, |share| value_or_reason(&share.workload))
}

/// How often each sequence of experts is in the plans of a model.
struct SequenceCounts {
    /// Sequences of the three experts.
    known: BTreeMap<Vec<Expert>, usize>,
    /// Plans with a step of nobody known.
    others: usize,
    /// Plans there are.
    plans: usize,
}

impl SequenceCounts {
    fn of(group: &Group<'_>) -> Self {
        let mut counts = Self { known: BTreeMap::new(), others: 0, plans: 0 };
        for workflow in group.workflows() {
            counts.plans += 1;
            if !workflow.is_whole() || workflow.items.is_empty() {
                // It counts as a plan, but in no row: how it goes on is not known.
                continue;
            }
            // One step of nobody known makes a sequence that could be any: it is counted apart.
            let named = workflow.steps().map(|(_, step)| step.expert.as_deref());
            let named = named.map(|name| name.and_then(Expert::from_name));
            match named.collect::<Option<Vec<Expert>>>() {
                Some(mut sequence) => {
                    // Several steps of one expert in a row are one visit.
                    sequence.dedup();
                    *counts.known.entry(sequence).or_default() += 1;
                }
                None => counts.others += 1,
            }
        }
        counts
    }

    /// How often a sequence is in these plans; not 0 where there are none.
    fn cell(&self, count: Option<usize>) -> Cell {
        match self.plans {
            0 => Cell::Missing(NO_PLAN.to_owned()),
            _ => Cell::text(count.unwrap_or_default().to_string()),
        }
    }
}

fn arrows(sequence: &[Expert]) -> String {
    let short = sequence.iter().map(|expert| match expert {
        Expert::PhotoEditor => "Ps",
        Expert::VectorGraphicEditor => "AI",
        Expert::LayoutDesigner => "Id",
    });
    short.collect::<Vec<_>>().join(" → ")
}
