//! The words an agent gets where a data set has none.

use super::model::TaskKind;

/// What is asked, for a task known by its pictures.
pub(super) fn for_pictures(kind: TaskKind, id: &str) -> String {
    match kind {
        TaskKind::Replication => "Build the screen in the picture inside the main frame: the same \
             layout, sizes, colours and words. Give nodes names that say what they are, and group \
             what belongs together."
            .to_owned(),
        TaskKind::AttributeUpdate => format!(
            "Change the screen until it looks like the picture. {} Leave everything else as it is.",
            attribute(id)
        ),
        TaskKind::ComponentInsertion => "Add to the screen what the picture shows and the screen \
             does not have yet, in the place and the style of the picture."
            .to_owned(),
        TaskKind::ModeChange => "Switch the screen between its light and its dark mode, as in the \
             picture: change colours, and leave layout and words as they are."
            .to_owned(),
        TaskKind::Composition => "Design the page in the picture.".to_owned(),
    }
}

/// What differs, as far as the published ids tell (`color_adjustment-gid1`).
fn attribute(id: &str) -> &'static str {
    match id.split('-').next() {
        Some("color_adjustment") => "What differs is colour.",
        Some("size_adjustment") => "What differs is size.",
        Some("text_content_change") => "What differs is words.",
        Some("corner_radius_change") => "What differs is the radius of corners.",
        Some("position_adjustment") => "What differs is position.",
        _ => "What differs is a property of some nodes.",
    }
}
