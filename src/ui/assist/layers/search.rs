//! The heading of the tree, and the field that narrows it.

use egui::{
    Align, Align2, Frame, Id, Key, Layout, Margin, Role, Sense, Stroke, StrokeKind, TextEdit, Ui,
    WidgetInfo, vec2,
};

use crate::ui::commands::{CommandId, command};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{
    Button, Look, allocate_stable_of, paint_text, rich_text, text_width, with_escape,
};

/// From how wide a panel on it has room for how many layers there are.
const WITH_COUNT: f32 = 208.0;

/// What the panel shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Tab {
    /// The tree of layers.
    #[default]
    Layers,
    /// Components and styles.
    Assets,
}

/// The field.
#[derive(Debug, Default)]
pub(super) struct SearchField {
    is_open: bool,
    text: String,
    takes_focus: bool,
    has_focus: bool,
}

impl SearchField {
    /// What is searched for.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Puts the cursor into it.
    pub(super) fn open(&mut self) {
        (self.is_open, self.takes_focus) = (true, true);
    }

    fn close(&mut self) {
        *self = Self::default();
    }

    /// Draws the heading, and the field below it while it is open; gives whether all is to be folded.
    pub(super) fn header_ui(
        &mut self,
        ui: &mut Ui,
        cx: &ViewContext<'_>,
        layers: usize,
        tab: &mut Tab,
    ) -> bool {
        let mut folds = false;
        let wanted = vec2(ui.available_width(), size::TOOLBAR);
        ui.allocate_ui_with_layout(wanted, Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_height(size::TOOLBAR);
            ui.add_space(size::GUTTER);
            let tokens = tokens(ui);
            ui.spacing_mut().item_spacing.x = 6.0;
            let is_wide = wanted.x >= WITH_COUNT;
            tab_ui(ui, tab, Tab::Layers, "Layers");
            if is_wide {
                let count = rich_text(layers.to_string(), Type::Body, tokens.dim);
                ui.label(count).accessible_name(format!("{layers} layers"));
                ui.add_space(4.0);
            }
            tab_ui(ui, tab, Tab::Assets, "Assets");
            if *tab == Tab::Assets {
                return;
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = 0.0;
                ui.add_space(4.0);
                let fold = command(CommandId::FoldLayers);
                let button = Button::icon(icons::FOLD_ALL, fold.text).look(Look::Tool);
                let button = button.tooltip(fold.tooltip).key(fold.key(ui, cx.state));
                folds = button.show(ui).clicked();
                let search = command(CommandId::SearchLayers);
                let button = Button::icon(icons::SEARCH, search.text).look(Look::Tool);
                let button = button.tooltip(search.tooltip).key(search.key(ui, cx.state));
                if button.selected(self.is_open).show(ui).clicked() {
                    if self.is_open { self.close() } else { self.open() }
                }
            });
        });
        if self.is_open && *tab == Tab::Layers {
            self.field_ui(ui);
        }
        folds
    }

    fn field_ui(&mut self, ui: &mut Ui) {
        let tokens = tokens(ui);
        let outline = if self.has_focus { tokens.accent } else { tokens.hairline };
        let frame = Frame::new()
            .fill(tokens.raised)
            .stroke(Stroke::new(1.0, outline))
            .corner_radius(size::RADIUS)
            .outer_margin(Margin { left: 8, right: 8, top: 0, bottom: 4 })
            .inner_margin(Margin::symmetric(8, 0));
        let width = ui.available_width() - 34.0;
        let framed = frame.show(ui, |ui| {
            ui.set_width(width.max(40.0));
            ui.set_height(size::BUTTON - 2.0);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let edit = TextEdit::singleline(&mut self.text)
                    .id(Id::unique("layer_search"))
                    .frame(Frame::NONE)
                    .margin(Margin::ZERO)
                    .align(Align2::LEFT_CENTER)
                    .char_limit(200)
                    .event_filter(with_escape())
                    .desired_width(ui.available_width())
                    .hint_text(egui::RichText::new("Search by name").color(tokens.dim));
                ui.add(edit).accessible_name("Search the layers")
            })
        });
        let response = framed.inner.inner;
        if std::mem::take(&mut self.takes_focus) {
            response.request_focus();
        }
        let escape = self.has_focus && ui.input(|input| input.key_pressed(Key::Escape));
        self.has_focus = response.has_focus();
        if escape {
            response.surrender_focus();
            self.close();
        }
    }
}

/// The name of a tab, which shows it.
fn tab_ui(ui: &mut Ui, tab: &mut Tab, own: Tab, words: &str) {
    let tokens = tokens(ui);
    let is_on = *tab == own;
    let wanted = vec2(text_width(ui, words, Type::Title).ceil(), size::BUTTON);
    let (rect, response) = allocate_stable_of(ui, words, wanted, Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Tab, true, is_on, words));
    let ink = if is_on || response.hovered() { tokens.text } else { tokens.dim };
    let style = (Type::Title, ink);
    paint_text(ui.painter(), rect.left_center(), Align2::LEFT_CENTER, words, style, f32::INFINITY);
    if response.has_focus() {
        let ring = Stroke::new(1.5, tokens.accent);
        ui.painter().rect_stroke(rect.expand(2.0), size::RADIUS_SMALL, ring, StrokeKind::Outside);
    }
    if response.clicked() {
        *tab = own;
    }
}
