//! What the window shows, derived from the state: nothing here is stored.
//!
//! - [`library_rows`]: the library, filtered by the language of [`Filter`], folded, in order;
//! - [`pane`] and [`heat`]: what each pane of the stage shows now, and why if nothing;
//! - [`timeline`]: every step of the selected run, with targets ([`next_loss`], [`best_step`] …);
//! - [`inspector`]: the selected step and run;
//! - [`scores`]: the step's scores by every variant; [`run_tools`]: the run's tools, by what they moved;
//! - [`kept_ranges`]: the ranges of its steps that were kept; [`bookmarks`]: those of all runs, with stars and notes;
//! - [`edit_checks`]: how the edit up to the step stands to the checks of its task;
//! - [`query`]: what of its query the design at the step has;
//! - [`nodes`]: the list of nodes, what the selected one is ([`properties`]) and the [`boxes`] on the
//!   stage;
//! - [`exchanges`]: what the run's model was asked and answered;
//! - [`jobs_summary`]: the line in the top bar; [`batch_usage`], [`run_usage`]: what runs have cost
//!   so far, and how long they will go on;
//! - [`why_no_launch`], [`why_not_again`]: what keeps a run from being made; [`launched_experiment`]: what
//!   the launch dialog crosses;
//! - [`evidence_panes`], [`answer_keys`], [`queue_rows`], [`last_answers`]: where people label;
//! - [`labels_of_run`]: what people who label said of the selected run;
//! - [`runs_beside`]: the runs on the stage beside each other, step by step;
//! - [`what_if`]: the run with other calls that is being made, and what each of its calls brought; [`ablation`]: what
//!   tools brought in many runs;
//! - [`next_step`]: what the assistant would do next there;
//! - [`agent_folders`]: which runs of agents may stand beside the people of a study;
//! - [`palette_entries`]: runs and tasks to go to.
//!
//! All of them borrow from the state and cost at most one pass over what they show, so they are
//! called anew every frame.

mod ablation;
mod annotate;
mod arranged;
mod bookmarks;
mod completions;
mod design_tasks;
mod edit_checks;
mod exchanges;
mod filter;
mod inspector;
mod jobs;
mod labels;
mod launch;
mod launched_experiment;
mod library;
mod library_row;
mod losses;
mod next_step;
mod nodes;
mod palette;
mod query;
mod ranges;
mod runs;
mod saliency;
mod scores;
mod stage;
mod stage_shot;
mod study_agents;
mod targets;
mod timeline;
mod tools;
mod usage;
mod what_if;

pub use crate::workbench::model::HeatScale;
pub(in crate::workbench) use ablation::ablation_of_listed;
pub use ablation::{AblationView, ablation};
pub use annotate::{
    AnswerKey, EvidenceShown, Feedback, GOLD, GivenAnswer, LastAnswer, NewLabelsPreview,
    QueueFilter, RankedThing, answer_keys, can_show_difference, can_show_layers, candidate_rank,
    difference_scale, evidence, evidence_failure, evidence_key, evidence_layers,
    evidence_layers_key, evidence_panes, evidence_step, evidence_steps, evidence_thumbnail,
    feedback, findings, given_answers, gold_alignment_key, gold_follows, has_evidence_steps,
    has_gold, last_answers, moved, new_labels_preview, next_evidence_key, order_of, proposal,
    queue_rows, ranked_things, review, review_row, review_rows, review_topic, review_unit,
    settle_choices, settlement, shows_difference, shows_evidence_layers, tied, toggled,
    value_words,
};
pub(in crate::workbench) use annotate::{proposed, teaches};
pub use bookmarks::{Bookmark, Bookmarked, bookmarks};
pub use completions::{Completion, completions, typed_folder};
pub(in crate::workbench) use design_tasks::design_task_pictures;
pub use design_tasks::{DesignTasks, design_tasks};
pub use edit_checks::{EditCheckRow, EditChecks, edit_checks};
pub use exchanges::{Exchanges, exchanges};
pub(in crate::workbench) use filter::{
    FieldNames, KnownNames, LABELS_ARE_HIDDEN, MOST_WAYS, Typed, Way, WaySet, quoted, suggested,
    typed, ways_of_items,
};
pub use filter::{Filter, FilterAnswer, FilterError, FilterItem, FilterTerm, shows_scripts};
pub use inspector::{Inspector, Recording, inspector};
pub use jobs::{JobsSummary, is_queued, jobs_summary, listed_jobs};
pub use labels::{
    LabelsOfRun, SaidAnswer, SaidByForm, SaidNote, SaidOfItem, SaidOfRun, SaidPlace, labels_of_run,
};
pub use launch::{
    agent_instead, is_model, launched_behaviours, launched_start, launches_queries, launches_suite,
    why_no_launch, why_not_again, why_not_handed_on, why_not_removed,
};
pub use launched_experiment::{
    estimate_key, launched_agents, launched_experiment, launched_runs, why_no_prompts,
};
pub use library::{
    LibraryOutline, LibraryScoring, OutlineStamp, filtered_tasks, library_outline, library_rows,
    library_scoring, run_order,
};
pub use library_row::{AgentRow, LibraryRow, LibraryRows, RunOutcome, RunRow, SetRow, TaskRow};
pub(in crate::workbench) use losses::all_losses;
pub use losses::{Loss, losses, why_no_losses};
pub use next_step::{
    design_in_hand, ghost_step, has_assistant, next_step, next_step_key, offered_step,
};
pub(in crate::workbench) use nodes::layers_with_history;
pub use nodes::{
    BoxKind, NodeOutline, Nodes, Property, PropertyGroup, PropertyValue, ShownRow, StageBox, boxes,
    compared_layers, export_target, history_of, is_compared, is_history_due, nodes, outlined,
    properties, side_in,
};
pub use palette::{PaletteEntry, PaletteKind, palette_entries, typed_path};
pub use query::{AnswerRow, ComponentAnswers, QueryAnswers, query};
pub use ranges::{KeptRangeRow, RANGE_LANES, kept_ranges};
pub use runs::{RunBeside, RunsBeside, runs_beside};
pub use saliency::{SaliencyHeat, saliency_heats, saliency_name, why_no_saliency};
pub use scores::{HOW_TO_ASK, ScoreRow, Scores, scores};
pub use stage::{Heat, Pane, PaneStatus, against_pane, heat, pane, panes, second_stage_panes};
pub(in crate::workbench) use stage_shot::open_command;
pub use stage_shot::{stage_about, stage_shot};
pub use study_agents::{AgentFolder, agent_folders};
pub use targets::{
    CurveEnd, EndOfCurve, NOTABLE_CHANGE, best_step, curve_end, gain, is_in_range, next_error,
    next_gain, next_loss, next_note, previous_gain, previous_loss, previous_note,
};
pub use timeline::{
    CurveBeside, FILMSTRIP_PICTURES, Timeline, TimelineStep, filmstrip_steps, timeline,
    why_not_scored,
};
pub use tools::{RunTools, ToolRow, run_tools};
pub use usage::{BatchUsage, LeftBasis, RunUsage, TimeLeft, batch_usage, run_usage};
pub use what_if::{
    WhatIfRow, WhatIfView, branch_curve, branch_curve_key, branch_key, branch_picture_key,
    chosen_grouping, effects_key, is_branch_edited, listed_calls, reference_order, shapley_key,
    shows_what_if, shows_whole_branch, what_if, what_if_subject, why_not_by_hand,
};
pub(in crate::workbench) use what_if::{asked_effects, asked_shapley};
