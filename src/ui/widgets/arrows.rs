//! Lists in which the arrow keys choose.

use egui::{EventFilter, Id, Key, Modifiers, Role, Sense, Ui, WidgetInfo};

/// The lists that can have the keyboard; while one has it, arrows are its own and no shortcuts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArrowList {
    Nodes,
    Scores,
    Answers,
    Exchanges,
    Calls,
    Rows,
    Bookmarks,
    Layers,
}

impl ArrowList {
    /// All of them.
    pub(crate) const ALL: [Self; 8] = [
        Self::Nodes,
        Self::Scores,
        Self::Answers,
        Self::Exchanges,
        Self::Calls,
        Self::Rows,
        Self::Bookmarks,
        Self::Layers,
    ];

    /// What egui calls the list, to know whether it has the keyboard.
    pub(crate) fn id(self) -> Id {
        Id::unique(match self {
            Self::Nodes => "nodes_tree",
            Self::Scores => "scores_table",
            Self::Answers => "query_answers",
            Self::Exchanges => "exchange_list",
            Self::Calls => "what_if_list",
            Self::Rows => "aligned_rows",
            Self::Bookmarks => "bookmark_list",
            Self::Layers => "layer_tree",
        })
    }

    /// Gives it the keyboard, as a click on one of its rows does.
    pub(crate) fn take_keyboard(self, ui: &Ui) {
        ui.memory_mut(|memory| memory.request_focus(self.id()));
    }

    /// Makes what is left of `ui` the list's ground, and gives the arrow keys pressed while it has the
    /// keyboard, each once. Left and right are taken only by a tree.
    pub(crate) fn arrows(self, ui: &Ui) -> Vec<Key> {
        let (role, name) = match self {
            Self::Nodes => (Role::Tree, "Nodes"),
            Self::Scores => (Role::Table, "Scores"),
            Self::Answers => (Role::Table, "Answers about the query"),
            Self::Exchanges => (Role::Table, "Requests to models"),
            Self::Calls => (Role::Table, "Calls of the what-if"),
            Self::Rows => (Role::Table, "Steps of the runs side by side"),
            Self::Bookmarks => (Role::Table, "Starred and noted"),
            Self::Layers => (Role::Tree, "Layers of the design"),
        };
        let area = ui.available_rect_before_wrap();
        let response = ui.interact(area, self.id(), Sense::focusable_noninteractive());
        response.widget_info(|| WidgetInfo::labeled(role, true, name));
        if !response.has_focus() {
            return Vec::new();
        }
        // Without the lock egui would move the focus to the next widget.
        let is_tree = matches!(self, Self::Nodes | Self::Layers);
        let own = EventFilter {
            horizontal_arrows: is_tree,
            vertical_arrows: true,
            ..EventFilter::default()
        };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(self.id(), own));
        let keys = [Key::ArrowDown, Key::ArrowUp, Key::ArrowLeft, Key::ArrowRight];
        let keys = keys.into_iter().take(if is_tree { 4 } else { 2 });
        ui.input_mut(|input| keys.filter(|key| input.consume_key(Modifiers::NONE, *key)).collect())
    }
}
