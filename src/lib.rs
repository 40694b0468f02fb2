//! Pentimento: a desktop workbench for people who study agents that design.
//!
//! | module | what it is for |
//! |---|---|
//! | [`base`] | ids, finite geometry, colour, [`base::Pixels`], cancellation, limits |
//! | [`design`] | the vector document, edits with inverses, Figma JSON |
//! | [`raster`] | pixels: blend modes, blurs, shrinking, photo filters |
//! | [`graphictown`] | the experts and actions of the papers' design team, as facts |
//! | [`render`] | document to pixels and to SVG, with diagnostics; text shaping |
//! | [`environment`] | what an agent acts on: tools over a document |
//! | [`metric`] | pure functions: the number and the map that explains it |
//! | [`model`] | what learned metrics need: embedding, captioner, judge, networks from ONNX files; HTTP to models |
//! | [`run`] | run, turn, step; the on-disk format; recorder; replay |
//! | [`task`] | task sets: our format and loaders for the published ones |
//! | [`import`] | what other programs recorded, as runs |
//! | [`label`] | people's judgement: forms, items, answers as events, queues, agreement |
//! | [`study`] | studies of people who design: plan, assignment, events, clock, questionnaires, results |
//! | [`store`] | one SQLite file a workspace: scores that were computed before |
//! | [`agent`] | the agent loop, `scripted` and `tracer`, models behind five APIs |
//! | [`editor`] | a design in somebody's hands: selection, gestures, properties, undo, steps |
//! | [`evaluate`] | scoring, comparing and checking runs, without threads |
//! | [`workbench`] | application state without a window: state, commands, `handle()`, `apply()` |
//! | [`export`] | runs in the formats of others, as pages of pictures and as animations |
//! | [`report`] | runs as one HTML page |
//! | [`worker`] | named threads, bounded queues, jobs, progress |
//! | [`gpu`] | draws pictures over one another and maps in colours on the graphics card |
//! | [`ui`] | panels and widgets over the state |
//! | [`app`] | eframe glue: owns workbench, worker and window |
//! | [`cli`] | the command line |
//!
//! Arrows point up this table only; `tests/architecture.rs` holds it. What stands from [`base`] to [`metric`] is the
//! crate `pentimento_document`, what stands from [`model`] to [`evaluate`] is `pentimento_core`.

pub mod app;
pub mod cli;
pub mod export;
pub mod gpu;
pub mod report;
pub mod ui;
pub mod workbench;
pub mod worker;

pub use pentimento_core::{
    agent, base, design, editor, environment, evaluate, graphictown, import, label, metric, model,
    raster, render, run, store, study, task,
};
