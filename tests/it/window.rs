//! The window, driven by what a person sees: labels, roles, keys; and looked at, in snapshots.

mod accessibility;
mod asked;
mod behaviour;
mod comparing;
mod dialogs_and_fields;
mod difference;
mod documents;
mod edits;
mod exchanges;
mod explore;
mod fixture;
mod harness;
mod labelling;
mod launch;
mod layers;
mod looks;
mod nodes;
mod plan;
mod query;
mod runs;
mod runs_beside;
mod scores;
mod settling;
mod study;
mod what_if;
