//! What people who label said of a run, in words.

use super::widgets::count;
use crate::label::Place;
use crate::workbench::RunLabels;

/// In one line: answers, the share that preferred it, NDEC, what was chosen or marked.
pub(super) fn label_words(labels: &RunLabels) -> String {
    let mut parts = vec![count(labels.answers, "label")];
    if let Some(preferred) = labels.preferred() {
        let (answers, _) = labels.preferences;
        parts.push(format!("preferred {:.0} % of {answers}", preferred * 100.0));
    }
    if let Some(ndec) = labels.ndec() {
        parts.push(format!("NDEC {ndec:.2}"));
    }
    if !labels.words.is_empty() {
        let words: Vec<String> = labels.words.iter().map(|word| word.replace('_', " ")).collect();
        parts.push(words.join(", "));
    }
    parts.join(" · ")
}

/// A place: its step, its region in pixels of the canvas, its node.
pub(super) fn place_words(place: &Place) -> String {
    let mut parts = Vec::new();
    if let Some(step) = place.step {
        parts.push(format!("step {step}"));
    }
    if let Some([x, y, width, height]) = place.region {
        parts.push(format!("{width:.0} × {height:.0} at {x:.0}, {y:.0}"));
    }
    if let Some(node) = &place.node {
        parts.push(format!("node {node}"));
    }
    if parts.is_empty() { "whole run".to_owned() } else { parts.join(" · ") }
}
