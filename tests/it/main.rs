//! The integration tests, in one binary: linking is the slow part.
//!
//! Every module is marked as a test, so that clippy lets its helpers unwrap too.

#[cfg(test)]
mod agent;
#[cfg(test)]
mod aligned_slots;
#[cfg(test)]
mod asking;
#[cfg(test)]
mod assist;
#[cfg(test)]
mod batch;
#[cfg(test)]
mod canvas;
#[cfg(test)]
mod canvas_run;
#[cfg(test)]
mod cli;
#[cfg(test)]
mod compare;
#[cfg(test)]
mod component;
#[cfg(test)]
mod constraints;
#[cfg(test)]
mod crash;
#[cfg(test)]
mod design;
#[cfg(test)]
mod dice;
#[cfg(test)]
mod documents;
#[cfg(test)]
mod edit_checks;
#[cfg(test)]
mod editing;
#[cfg(test)]
mod experiment;
#[cfg(test)]
mod explore;
#[cfg(test)]
mod exporting;
#[cfg(test)]
mod figma_plugin;
#[cfg(test)]
mod figma_schema;
#[cfg(test)]
mod files;
#[cfg(test)]
mod first_study;
#[cfg(test)]
mod full_disk;
#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod hands;
#[cfg(test)]
mod hold;
#[cfg(test)]
mod hosted;
#[cfg(test)]
mod import;
#[cfg(test)]
mod label;
#[cfg(test)]
mod label_exchange;
#[cfg(test)]
mod label_file;
#[cfg(test)]
mod label_judge;
#[cfg(test)]
mod label_models;
#[cfg(test)]
mod label_studio;
#[cfg(test)]
mod labelling;
#[cfg(test)]
mod launching;
#[cfg(test)]
mod layout;
#[cfg(test)]
mod leafing;
#[cfg(test)]
mod library_rows;
#[cfg(test)]
mod mcp;
#[cfg(test)]
mod meaning;
#[cfg(test)]
mod metric;
#[cfg(test)]
mod mock;
#[cfg(test)]
mod model_agent;
#[cfg(test)]
mod nodes;
#[cfg(test)]
mod own_metrics;
#[cfg(test)]
mod packages;
#[cfg(test)]
mod packet_page;
#[cfg(test)]
mod packets;
#[cfg(test)]
mod page;
#[cfg(test)]
mod picture_metrics;
#[cfg(test)]
mod plan;
#[cfg(test)]
mod plan_words;
#[cfg(test)]
mod planner;
#[cfg(test)]
mod program;
#[cfg(test)]
mod proposed_tools;
#[cfg(test)]
mod providers;
#[cfg(test)]
mod queries;
#[cfg(test)]
mod query;
#[cfg(test)]
mod ranking;
#[cfg(test)]
mod render;
#[cfg(test)]
mod reopening;
#[cfg(test)]
mod report;
#[cfg(test)]
mod reporting;
#[cfg(test)]
mod run;
#[cfg(test)]
mod same_set_id;
#[cfg(test)]
mod schema;
#[cfg(test)]
mod scores;
#[cfg(test)]
mod session;
#[cfg(test)]
mod shaders;
#[cfg(test)]
mod shared;
#[cfg(test)]
mod stats;
#[cfg(test)]
mod store;
#[cfg(test)]
mod study;
#[cfg(test)]
mod study_agents;
#[cfg(test)]
mod study_explore;
#[cfg(test)]
mod study_opening;
#[cfg(test)]
mod study_plan;
#[cfg(test)]
mod study_report;
#[cfg(test)]
mod study_session;
#[cfg(test)]
mod study_statistics;
#[cfg(test)]
mod suite;
#[cfg(test)]
mod taking_over;
#[cfg(test)]
mod task;
#[cfg(test)]
mod tools;
#[cfg(test)]
mod tracer;
#[cfg(test)]
mod transcript;
#[cfg(test)]
mod transformation;
#[cfg(test)]
mod what_if;
#[cfg(test)]
mod window;
#[cfg(test)]
mod wishes;
#[cfg(test)]
mod workbench;
#[cfg(test)]
mod workbench_runs;
#[cfg(test)]
mod worker;
