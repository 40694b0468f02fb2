//! The properties of what is selected; of the screen where nothing is.
//!
//! - [`number_field`] is the field of a number, [`typing`] what is being typed into any field, [`picker`] the picker of
//!   colours, [`parts`] what sections are made of;
//! - [`subject`] is what is shown, and the way to change it;
//! - each section has a file: [`place`], [`layout`], [`layer`], [`text`], [`paints`] (with [`gradient`]), [`stroke`],
//!   [`effects`], [`inside`], [`export`], [`instance`] (with [`component_properties`]).

mod component_properties;
mod effects;
mod export;
mod gradient;
mod inside;
mod instance;
mod layer;
mod layout;
mod number_field;
mod paints;
mod parts;
mod picker;
mod place;
mod stroke;
mod subject;
mod text;
mod typing;

use egui::{ScrollArea, Ui, vec2};

use crate::design::NodeId;
use crate::editor::PaintList;
use crate::ui::commands::{CommandButton, CommandId};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{EmptyState, count, elided_label_ui, hairline_ui, rich_text};
use crate::workbench::AssistDesk;

use inside::Inside;
use instance::Instance;
use number_field::Fields;
use picker::Picker;
use subject::Subject;

/// What belongs to the panel alone.
#[derive(Debug, Default)]
pub(super) struct PropertiesPanel {
    fields: Fields,
    picker: Picker,
    inside: Inside,
    instance: Instance,
    /// The nodes that were shown last.
    shown: Vec<NodeId>,
    each_corner: bool,
    each_padding: bool,
    each_stroke: bool,
}

impl PropertiesPanel {
    /// Draws the panel.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, desk: &AssistDesk) {
        let document = &desk.editor.inspected();
        let selected = &desk.editor.selection().nodes;
        let seen = desk.editor.shown_on_page();
        let screen = seen.main_frame().filter(|screen| screen.has_box());
        let screen: Vec<NodeId> = screen.map(|it| it.id.clone()).into_iter().collect();
        let is_screen = selected.is_empty();
        let ids = if is_screen { &screen } else { selected };
        let subject = Subject { cx, desk, document, ids };
        if subject.nodes().next().is_none() {
            let words = "Select a layer on the canvas or in the list of layers.";
            EmptyState::new(icons::NODE, "Nothing to show", words).show(ui, |_| {});
            return;
        }
        if self.shown != *ids {
            self.shown.clone_from(ids);
            self.fields.typing.forget_refused();
        }
        ui.spacing_mut().item_spacing = vec2(8.0, 0.0);
        header_ui(ui, subject);
        ScrollArea::vertical().id_salt("assist_properties_area").auto_shrink(false).show(
            ui,
            |ui| {
                self.sections_ui(ui, subject, is_screen);
                ui.add_space(12.0);
            },
        );
    }

    fn sections_ui(&mut self, ui: &mut Ui, subject: Subject<'_>, is_screen: bool) {
        let Self { fields, picker, inside, instance, .. } = self;
        if !is_screen {
            align_row_ui(ui, subject.cx);
            instance.show(ui, fields, subject);
            component_properties::references_ui(ui, subject);
        }
        place::place_ui(ui, fields, subject, &mut self.each_corner, !is_screen);
        layout::layout_ui(ui, fields, subject, &mut self.each_padding, is_screen);
        if !is_screen {
            place::constraints_ui(ui, subject);
            layer::layer_ui(ui, fields, subject);
        }
        text::text_ui(ui, fields, subject);
        paints::paints_ui(ui, fields, picker, subject, PaintList::Fills, |_, _| {});
        if is_screen {
            export::export_ui(ui, fields, subject);
            return;
        }
        inside.show(ui, fields, picker, subject);
        let each_stroke = &mut self.each_stroke;
        paints::paints_ui(ui, fields, picker, subject, PaintList::Strokes, |ui, fields| {
            stroke::stroke_ui(ui, fields, subject, each_stroke);
        });
        effects::effects_ui(ui, fields, picker, subject);
        export::export_ui(ui, fields, subject);
    }
}

/// Buttons that align what is selected.
fn align_row_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    const ROW: [(CommandId, &str); 6] = [
        (CommandId::AlignLeft, icons::ALIGN_LEFT),
        (CommandId::AlignHorizontalCenters, icons::ALIGN_CENTERS),
        (CommandId::AlignRight, icons::ALIGN_RIGHT),
        (CommandId::AlignTop, icons::ALIGN_TOP),
        (CommandId::AlignVerticalCenters, icons::ALIGN_MIDDLES),
        (CommandId::AlignBottom, icons::ALIGN_BOTTOM),
    ];
    ui.add_space(4.0);
    ui.columns(ROW.len(), |columns| {
        for (column, (command, icon)) in columns.iter_mut().zip(ROW) {
            column.vertical_centered(|ui| CommandButton::icon(command, icon).show(ui, cx));
        }
    });
}

/// What it is, and its name; of several how many.
fn header_ui(ui: &mut Ui, subject: Subject<'_>) {
    let wanted = vec2(ui.available_width(), size::TOOLBAR);
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    ui.allocate_ui_with_layout(wanted, layout, |ui| {
        ui.set_min_height(size::TOOLBAR);
        ui.add_space(12.0);
        let theme = tokens(ui);
        let (icon, name) = match subject.ids {
            [_] => subject.nodes().next().map_or((icons::NODE, String::new()), |node| {
                (icons::of_node_kind(node.kind.type_name()), node.name.clone())
            }),
            several => (icons::NODES, count(several.len(), "layer")),
        };
        ui.label(rich_text(icon, Type::Icon, theme.dim));
        elided_label_ui(ui, &name, Type::Title, theme.text);
    });
    hairline_ui(ui);
}
