//! The pages of the file over the tree.

use egui::{Align, Layout, Popup, Role, Sense, Ui, WidgetInfo, vec2};

use super::renaming::{Renamed, Renaming};
use crate::design::NodeId;
use crate::editor::{Act, LayerAct, PageAct};
use crate::ui::assist::acting::act;
use crate::ui::commands::{CommandButton, CommandId, command};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{Button, Look, allocate_stable_of, hairline_ui, paint_text, rich_text};
use crate::workbench::AssistDesk;

/// The most rows that are seen without scrolling.
const MOST_ROWS: f32 = 6.0;

/// What belongs to the list alone.
#[derive(Debug, Default)]
pub(super) struct Pages {
    renaming: Option<Renaming>,
}

impl Pages {
    /// Draws the list; of a design without pages only the way to get some. Who practises or takes part in a study has
    /// one screen, and no list until there is a second page.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, desk: &AssistDesk) {
        let pages = desk.editor.document().pages();
        let room = &cx.state.assist.study;
        let is_timed = room.practice.is_some()
            || room.desk.as_ref().is_some_and(|desk| desk.trial().is_some());
        if pages.len() < 2 && is_timed {
            self.renaming = None;
            return;
        }
        self.heading_ui(ui, cx, desk, &pages);
        if !pages.is_empty() {
            let height = (pages.len() as f32).min(MOST_ROWS) * size::ROW;
            let rows = egui::ScrollArea::vertical().id_salt("page_rows").max_height(height);
            rows.auto_shrink([false, true]).show(ui, |ui| {
                ui.spacing_mut().item_spacing = vec2(0.0, 0.0);
                for page in &pages {
                    self.row_ui(ui, cx, desk, page);
                }
            });
            ui.add_space(4.0);
        }
        hairline_ui(ui);
    }

    fn heading_ui(
        &mut self,
        ui: &mut Ui,
        cx: &ViewContext<'_>,
        desk: &AssistDesk,
        pages: &[NodeId],
    ) {
        let wanted = vec2(ui.available_width(), size::ROW);
        ui.allocate_ui_with_layout(wanted, Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_height(size::ROW);
            ui.add_space(size::GUTTER);
            ui.label(rich_text("Pages", Type::Section, tokens(ui).dim));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = 0.0;
                ui.add_space(4.0);
                let shown = desk.editor.page().filter(|page| pages.contains(page));
                if let Some(page) = &shown {
                    let button = Button::icon(icons::MORE, "Page menu").look(Look::Tool);
                    let tip = "Rename or delete the page that is shown.";
                    let button = button.tooltip(tip).show(ui);
                    Popup::menu(&button).show(|ui| self.menu_ui(ui, cx, desk, page));
                }
                CommandButton::icon(CommandId::NewPage, icons::ADD).show(ui, cx);
            });
        });
    }

    fn row_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, desk: &AssistDesk, page: &NodeId) {
        let Some(node) = desk.editor.document().get(page) else { return };
        let is_shown = desk.editor.page().as_ref() == Some(page);
        let wanted = vec2(ui.available_width(), size::ROW);
        let (rect, response) = allocate_stable_of(ui, page, wanted, Sense::click());
        let words = format!("Page: {}", node.name);
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_shown, &words));
        let tokens = tokens(ui);
        if is_shown {
            ui.painter().rect_filled(rect, 0, tokens.raised);
        }
        if response.has_focus() || response.hovered() {
            let ring = egui::Stroke::new(1.0, tokens.accent);
            ui.painter().rect_stroke(rect, 0, ring, egui::StrokeKind::Inside);
        }
        let name = egui::Rect::from_min_max(rect.min + vec2(size::GUTTER, 0.0), rect.max);
        if let Some(renaming) = self.renaming.as_mut().filter(|typed| typed.node == *page) {
            match renaming.show(ui, name) {
                Renamed::No => {}
                Renamed::Dropped => self.renaming = None,
                Renamed::Kept | Renamed::KeptWithNext => {
                    let typed = renaming.text().trim().to_owned();
                    self.renaming = None;
                    // Nothing typed is no name: the old one stays.
                    if !typed.is_empty() && typed != node.name {
                        let (node, name) = (page.clone(), typed);
                        act(cx, Act::Layer(LayerAct::Rename { node, name }));
                    }
                }
            }
            return;
        }
        let style = (Type::Body, if is_shown { tokens.text } else { tokens.dim });
        let at = name.left_center();
        paint_text(ui.painter(), at, egui::Align2::LEFT_CENTER, &node.name, style, name.width());
        if response.double_clicked() {
            self.renaming = Some(Renaming::new(page.clone(), &node.name));
        } else if response.clicked() {
            act(cx, Act::Page(PageAct::Show(page.clone())));
        }
        response.context_menu(|ui| self.menu_ui(ui, cx, desk, page));
    }

    /// What can be done with a page.
    fn menu_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, desk: &AssistDesk, page: &NodeId) {
        let new = command(CommandId::NewPage);
        if ui.button(new.text).on_hover_text(new.tooltip).clicked() {
            act(cx, Act::Page(PageAct::Add));
        }
        if ui.button("Rename page").clicked()
            && let Some(node) = desk.editor.document().get(page)
        {
            self.renaming = Some(Renaming::new(page.clone(), &node.name));
        }
        let is_only = desk.editor.document().pages().len() < 2;
        let delete = ui.add_enabled(!is_only, egui::Button::new("Delete page"));
        if delete
            .on_hover_text("Take it out with all that is on it; undo brings it back.")
            .on_disabled_hover_text("A file has at least one page.")
            .clicked()
        {
            act(cx, Act::Page(PageAct::Delete(page.clone())));
        }
    }
}
