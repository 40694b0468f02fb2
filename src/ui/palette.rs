//! The palette: a task, a run or a command by name.

use std::borrow::Cow;

use egui::{
    Align2, Id, Key, Margin, Modal, Role, ScrollArea, Sense, TextEdit, Ui, WidgetInfo, vec2,
};

use super::commands::{CommandId, Group, Local, UiCommand, all_commands};
use super::context::ViewContext;
use super::icons;
use super::path_field::{ask_for_folder, put_cursor_at_end};
use super::theme::{Type, size, tokens};
use super::widgets::{allocate_stable, hairline_ui, paint_text, text_width};
use crate::workbench::views::{
    PaletteEntry, PaletteKind, completions, palette_entries, typed_path,
};
use crate::workbench::{Command, State};

/// No more than this many are listed; who wants more types on.
const LISTED: usize = 100;
/// Runs listed while nothing is typed.
const RUNS_AT_FIRST: usize = 5;
const ROW: f32 = 30.0;

/// What is typed and chosen.
#[derive(Debug, Default)]
pub(super) struct Palette {
    query: String,
    chosen: usize,
    open: bool,
    /// Whether Tab was pressed.
    wants_completion: bool,
}

/// What entries stand under while nothing is typed, in order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Section {
    Paths,
    Items,
    Runs,
    Ranges,
    /// Commands of the group at this place of [`Group::ALL`].
    Commands(usize),
    Tasks,
}

impl Section {
    fn label(self) -> &'static str {
        match self {
            Self::Paths => "Opened before",
            Self::Items => "Items",
            Self::Runs => "Runs",
            Self::Ranges => "Ranges of steps",
            Self::Commands(group) => Group::ALL.get(group).map_or("", |group| group.label()),
            Self::Tasks => "Tasks",
        }
    }
}

/// Something that can be chosen.
enum PaletteItem<'a> {
    Command(&'a UiCommand),
    Go(PaletteEntry<'a>),
}

impl Palette {
    /// Forgets what was typed.
    pub(super) fn reset(&mut self) {
        *self = Self::default();
    }

    /// Draws the palette. Gives what was chosen, where the window itself does that.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) -> Option<Local> {
        let tokens = tokens(ui);
        let area =
            Modal::default_area(Id::unique("palette")).anchor(Align2::CENTER_TOP, vec2(0.0, 72.0));
        let modal = Modal::new(Id::unique("palette"))
            .area(area)
            .backdrop_color(tokens.backdrop.gamma_multiply(0.6))
            .frame(tokens.overlay_frame().inner_margin(Margin::ZERO));
        let room = ui.ctx().content_rect().size();
        let response = modal.show(ui.ctx(), |ui| {
            ui.set_width((room.x - 120.0).clamp(280.0, 560.0));
            ui.spacing_mut().item_spacing.y = 0.0;
            // The field is drawn next and would take the arrows for its cursor.
            let moved = self.keys(ui);
            self.field_ui(ui);
            self.complete(ui, cx);
            let items = found(cx, &self.query);
            // What is chosen is a place in a list that gets shorter with every letter.
            self.chosen = self.chosen.min(items.len().saturating_sub(1));
            hairline_ui(ui);
            self.list_ui(ui, cx, &items, moved, (room.y - 240.0).clamp(90.0, 390.0))
        });
        if response.should_close() {
            cx.send(Command::CloseOverlay);
        }
        response.inner
    }

    /// Up, down, and the same by page; before the field takes them.
    fn keys(&mut self, ui: &Ui) -> bool {
        let before = self.chosen;
        if typed_path(&self.query).is_some() {
            let none = egui::Modifiers::NONE;
            self.wants_completion = ui.input_mut(|input| input.consume_key(none, Key::Tab));
        }
        let keys = [(Key::ArrowDown, 1), (Key::ArrowUp, -1), (Key::PageDown, 8), (Key::PageUp, -8)];
        for (key, step) in keys {
            let none = egui::Modifiers::NONE;
            // Counted, because a held key comes several times in a slow frame.
            let times = ui.input_mut(|input| input.count_and_consume_key(none, key)) as isize;
            self.chosen = self.chosen.saturating_add_signed(step * times);
        }
        before != self.chosen
    }

    /// Of a path, asks for what its folder holds; Tab takes the first of it that fits.
    fn complete(&mut self, ui: &Ui, cx: &ViewContext<'_>) {
        if typed_entry(cx.state, &self.query).is_none() {
            return;
        }
        ask_for_folder(cx, &self.query);
        let completions = completions(cx.state, &self.query);
        // The row that is chosen, if it is a completion; above them stands what was typed.
        let chosen = completions.get(self.chosen.saturating_sub(1)).or(completions.first());
        if let Some(chosen) = chosen.filter(|_| self.wants_completion) {
            self.query.clone_from(&chosen.text);
            self.chosen = 0;
            put_cursor_at_end(ui, Id::unique("palette_field"), &self.query);
        }
        self.wants_completion = false;
    }

    fn field_ui(&mut self, ui: &mut Ui) {
        let tokens = tokens(ui);
        egui::Frame::new().inner_margin(Margin::symmetric(14, 12)).show(ui, |ui| {
            ui.horizontal(|ui| {
                let icon = egui::RichText::new(icons::SEARCH).font(Type::Icon.font());
                ui.label(icon.color(tokens.dim));
                let hint = egui::RichText::new("Task, run, command or path").color(tokens.dim);
                let field = TextEdit::singleline(&mut self.query)
                    .id(Id::unique("palette_field"))
                    .frame(egui::Frame::NONE)
                    .margin(Margin::ZERO)
                    .font(Type::Title.font())
                    .align(Align2::LEFT_CENTER)
                    .min_size(vec2(0.0, 20.0))
                    .hint_text(hint)
                    .desired_width(ui.available_width());
                let response = ui.add(field).accessible_name("Go to a task, a run or a command");
                if response.changed() {
                    self.chosen = 0;
                }
                // Once, or the field would take the keyboard back from whatever is clicked.
                if !self.open {
                    self.open = true;
                    response.request_focus();
                }
            });
        });
    }

    fn list_ui(
        &mut self,
        ui: &mut Ui,
        cx: &ViewContext<'_>,
        items: &[PaletteItem<'_>],
        moved: bool,
        height: f32,
    ) -> Option<Local> {
        // Read and not consumed: the field has it first, and gives up its focus.
        let enter = ui.input(|input| input.key_pressed(Key::Enter));
        if items.is_empty() {
            let words = egui::RichText::new("No match").color(tokens(ui).dim);
            egui::Frame::new().inner_margin(14).show(ui, |ui| ui.label(words));
        }
        ScrollArea::vertical()
            .max_height(height)
            .min_scrolled_height(height)
            .auto_shrink([false, true])
            .show(ui, |ui| {
                ui.add_space(6.0);
                let is_sorted_by_fit = !self.query.trim().is_empty();
                let (mut section, mut local) = (None, None);
                for (index, item) in items.iter().enumerate() {
                    let chosen = index == self.chosen;
                    if !is_sorted_by_fit && section.replace(item.section()) != Some(item.section())
                    {
                        heading_ui(ui, item.section().label());
                    }
                    let response = item_ui(ui, cx, item, chosen);
                    // Only after a key: else the list could not be scrolled away from the chosen
                    // row.
                    if chosen && moved {
                        response.scroll_to_me(None);
                    }
                    if response.clicked() || (enter && chosen) {
                        local = choose(cx, item);
                    }
                }
                ui.add_space(6.0);
                local
            })
            .inner
    }
}

fn heading_ui(ui: &mut Ui, words: &str) {
    let tokens = tokens(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::hover());
    let at = rect.left_center() + vec2(14.0, 2.0);
    let style = (Type::Section, tokens.dim);
    paint_text(ui.painter(), at, Align2::LEFT_CENTER, words, style, rect.width());
}

/// Sends what was chosen, or gives what the window itself has to do.
fn choose(cx: &ViewContext<'_>, item: &PaletteItem<'_>) -> Option<Local> {
    // Closed first: what is chosen may open something over the window itself.
    cx.send(Command::CloseOverlay);
    match item {
        PaletteItem::Go(entry) => {
            cx.send(entry.command.clone());
            None
        }
        PaletteItem::Command(command) => command.run(cx),
    }
}

/// What fits the words, best first; commands that would do nothing are left out.
fn found<'a>(cx: &ViewContext<'a>, query: &str) -> Vec<PaletteItem<'a>> {
    let commands: Vec<PaletteItem<'a>> = all_commands()
        .filter(|command| command.group.scope().is_seen(cx.state) && command.is_there(cx.state))
        .filter(|command| (command.enabled)(cx.state) && command.id != CommandId::Palette)
        .map(PaletteItem::Command)
        .collect();
    let entries = palette_entries(cx.state).into_iter().map(PaletteItem::Go);
    let mut found: Vec<(i32, PaletteItem<'_>)> = entries
        .chain(commands)
        .filter_map(|item| Some((fit(&item.title_and_detail(), query)?, item)))
        .collect();
    if query.trim().is_empty() {
        // With nothing typed yet: where to go, then what can be done, what is used most first.
        let mut runs = 0;
        found.retain(|(_, item)| {
            let is_run = item.section() == Section::Runs;
            runs += usize::from(is_run);
            !matches!(item.section(), Section::Tasks | Section::Items | Section::Ranges)
                && (!is_run || runs <= RUNS_AT_FIRST)
        });
        found.sort_by_key(|(_, item)| item.section());
    } else {
        found.sort_by_key(|(fit, _)| -fit);
    }
    let Some(typed) = typed_entry(cx.state, query) else {
        return found.into_iter().map(|(_, item)| item).take(LISTED).collect();
    };
    let completions = completions(cx.state, query).into_iter();
    let completed = completions.filter_map(|completion| typed_path(&completion.text));
    std::iter::once(typed).chain(completed).take(LISTED).map(PaletteItem::Go).collect()
}

/// What opens the path that is typed, if one is; where somebody labels blind, folders would name who made what.
fn typed_entry(state: &State, query: &str) -> Option<PaletteEntry<'static>> {
    typed_path(query).filter(|_| !state.shows_blind_project())
}

impl PaletteItem<'_> {
    /// The heading it stands under while nothing is typed.
    fn section(&self) -> Section {
        match self {
            Self::Command(command) => {
                let place = Group::ALL.iter().position(|group| *group == command.group);
                Section::Commands(place.unwrap_or_default())
            }
            Self::Go(entry) => match entry.kind {
                PaletteKind::Path => Section::Paths,
                PaletteKind::Run => Section::Runs,
                PaletteKind::Range => Section::Ranges,
                PaletteKind::Task => Section::Tasks,
                PaletteKind::Item => Section::Items,
            },
        }
    }

    fn title(&self) -> &str {
        match self {
            Self::Command(command) => command.text,
            Self::Go(entry) => &entry.title,
        }
    }

    fn title_and_detail(&self) -> String {
        match self {
            Self::Command(command) => command.text.to_owned(),
            Self::Go(entry) => format!("{} {}", entry.title, entry.detail),
        }
    }

    fn icon(&self) -> &'static str {
        match self {
            Self::Command(command) => command.group.icon(),
            Self::Go(entry) => match entry.kind {
                PaletteKind::Task => icons::TASKS,
                PaletteKind::Run => icons::RUN,
                PaletteKind::Range => icons::RANGE,
                PaletteKind::Item => icons::CHECK,
                PaletteKind::Path => icons::FOLDER,
            },
        }
    }
}

fn item_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    item: &PaletteItem<'_>,
    chosen: bool,
) -> egui::Response {
    let tokens = tokens(ui);
    let (rect, response) = allocate_stable(ui, vec2(ui.available_width(), ROW), Sense::click());
    let title = item.title();
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, chosen, title));
    let body = rect.shrink2(vec2(6.0, 0.0));
    if chosen {
        ui.painter().rect_filled(body, size::RADIUS, tokens.accent_wash);
    } else if response.hovered() {
        ui.painter().rect_filled(body, size::RADIUS, tokens.raised);
    }
    let left = Align2::LEFT_CENTER;
    let icon = body.left_center() + vec2(8.0, 0.0);
    paint_text(ui.painter(), icon, left, item.icon(), (Type::Icon, tokens.dim), 20.0);
    let at = body.left_center() + vec2(32.0, 0.0);
    let name =
        paint_text(ui.painter(), at, left, title, (Type::Body, tokens.text), body.width() * 0.55);
    let right = body.right_center() - vec2(10.0, 0.0);
    let aside = match item {
        PaletteItem::Command(command) => Cow::Owned(command.key(ui, cx.state).unwrap_or_default()),
        PaletteItem::Go(entry) => Cow::Borrowed(&*entry.detail),
    };
    let room = right.x - name.right() - 12.0;
    let style = (Type::Caption, tokens.dim);
    // A point more, since a width that is just reached may be rounded into an ellipsis.
    let wanted = text_width(ui, &aside, Type::Caption).min(room);
    paint_text(ui.painter(), right, Align2::RIGHT_CENTER, &aside, style, wanted + 1.0);
    response
}

/// How well a text fits what was typed: every word typed must be found, letters in their order.
/// Whole words at the start of words count most. `None`: it does not fit.
fn fit(text: &str, query: &str) -> Option<i32> {
    let text = text.to_lowercase();
    let mut total = 0;
    // Words are looked for one by one, so that their order does not matter.
    for word in query.to_lowercase().split_whitespace() {
        total += match text.find(word) {
            // Of two hits the one nearer to the start counts more, as far as forty letters tell.
            Some(at) if starts_word(&text, at) => 100 - (at.min(40) as i32),
            Some(at) => 50 - (at.min(40) as i32),
            None => scattered(&text, word)?,
        };
    }
    Some(total)
}

fn starts_word(text: &str, at: usize) -> bool {
    text.get(..at)
        .and_then(|before| before.chars().next_back())
        .is_none_or(|c| !c.is_alphanumeric())
}

/// The letters in their order with gaps between; the fewer gaps the better.
fn scattered(text: &str, word: &str) -> Option<i32> {
    let mut letters = text.chars();
    let mut gaps = 0;
    for wanted in word.chars() {
        gaps += letters.by_ref().position(|letter| letter == wanted)? as i32;
    }
    // Below what any whole word gets, whatever its place: scattered letters come last.
    Some((10 - gaps).max(-30))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_of_a_word_fits_better_than_its_middle_and_letters_apart() {
        let start = fit("gid11-16 replication", "gid11").unwrap();
        let middle = fit("a-xgid11-16", "gid11").unwrap();
        let apart = fit("go inside d 1 1", "gid11").unwrap();
        assert!(start > middle && middle > apart);
    }

    #[test]
    fn every_word_typed_must_be_found() {
        assert!(fit("gpt-4.1 gid11-16", "gpt gid11").is_some());
        assert!(fit("gpt-4.1 gid11-16", "gpt gid99").is_none());
        assert_eq!(fit("anything", ""), Some(0));
    }
}
