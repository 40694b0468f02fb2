//! What a layer is exported as: a row a file, and the button that writes them.

use egui::{Align, Id, Layout, Popup, Ui, vec2};

use super::number_field::{FIELD, Fields};
use super::parts::{WordsField, hint_ui, menu_ui, padded_ui, plus_ui, section_ui, small_button_ui};
use super::subject::Subject;
use crate::design::{ExportFileFormat, ExportSetting, ExportSize};
use crate::editor::{Common, ExportAct, PropertyAct, exported_nodes, exports_of};
use crate::ui::icons;
use crate::ui::widgets::{Button, Look, count};
use crate::workbench::{Browse, Command};

/// Sizes to choose from.
const SIZES: [ExportSize; 8] = [
    ExportSize::Scale(0.5),
    ExportSize::Scale(1.0),
    ExportSize::Scale(2.0),
    ExportSize::Scale(3.0),
    ExportSize::Scale(4.0),
    ExportSize::Width(512.0),
    ExportSize::Width(1024.0),
    ExportSize::Height(512.0),
];

/// The most rows that are listed.
const MOST: usize = 40;

/// Draws the section; nothing of nodes that cannot be exported.
pub(super) fn export_ui(ui: &mut Ui, fields: &mut Fields, subject: Subject<'_>) {
    let exports = exports_of(subject.document, subject.ids);
    if !exports.is_there() {
        return;
    }
    section_ui(
        ui,
        "Export",
        |ui| {
            if plus_ui(ui, "Add export") {
                subject.send(PropertyAct::Export(ExportAct::Add));
            }
        },
        |ui| match &exports {
            Common::Nothing => {}
            Common::Mixed => hint_ui(ui, "Mixed. Add one to replace them all."),
            Common::Same(settings) => {
                for (at, setting) in settings.iter().enumerate().take(MOST) {
                    let count = settings.len();
                    let name =
                        if count == 1 { "Export".to_owned() } else { format!("Export {}", at + 1) };
                    let row = ExportRow { at, setting, name: &name };
                    row.show(ui, fields, subject);
                }
                if settings.len() > MOST {
                    let more = count(settings.len() - MOST, "more row");
                    hint_ui(ui, &format!("{more}."));
                }
            }
        },
    );
    let layers = exported_nodes(subject.document, subject.ids).len();
    if layers > 0 {
        padded_ui(ui, |ui| {
            let words = format!("Export {}…", count(layers, "layer"));
            let button = Button::text(&words).look(Look::Raised);
            let tip = "Write a file for each row into a folder; no file that is there is replaced.";
            if button.tooltip(tip).show(ui).clicked() {
                subject.cx.send(Command::Browse(Browse::ExportLayers));
            }
        });
    }
}

/// A row.
#[derive(Clone, Copy, Debug)]
struct ExportRow<'a> {
    at: usize,
    setting: &'a ExportSetting,
    name: &'a str,
}

impl ExportRow<'_> {
    fn set(self, subject: Subject<'_>, setting: ExportSetting) {
        subject.send(PropertyAct::Export(ExportAct::Set { at: self.at, setting }));
    }

    fn show(self, ui: &mut Ui, fields: &mut Fields, subject: Subject<'_>) {
        const SIZE: f32 = 70.0;
        const FORMAT: f32 = 68.0;
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            self.size_ui(ui, fields, subject, SIZE);
            let rest = FORMAT + 20.0 + 3.0 * 4.0;
            let room = (ui.available_width() - rest).max(32.0);
            let suffix = format!("{} suffix", self.name);
            let shown = self.setting.suffix.as_str();
            let id = id_of(&suffix);
            let field = WordsField { id, name: &suffix, shown, empty: "Suffix", width: room };
            let done = field.show(ui, fields, subject.ids);
            if let Some(done) = done.filter(|done| done.nodes == subject.ids) {
                let suffix = done.text.trim().chars().take(LONGEST_SUFFIX).collect();
                self.set(subject, ExportSetting { suffix, ..self.setting.clone() });
            }
            let formats = ExportFileFormat::ALL.map(|format| (format, format.label()));
            let now = Common::Same(self.setting.format);
            let format = format!("{} format", self.name);
            if let Some(format) = menu_ui(ui, &format, &formats, &now, FORMAT) {
                self.set(subject, with_format(self.setting, format));
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let remove = format!("Remove {}", self.name.to_lowercase());
                if small_button_ui(ui, icons::MINUS, &remove) {
                    subject.send(PropertyAct::Export(ExportAct::Remove(self.at)));
                }
            });
        });
    }

    /// The size, typed or chosen; shapes have none.
    fn size_ui(self, ui: &mut Ui, fields: &mut Fields, subject: Subject<'_>, width: f32) {
        if !self.setting.format.is_pixels() {
            let words = format!("{} size", self.name);
            let button = Button::text("1x").look(Look::Tool).height(FIELD).enabled(false);
            let tip = format!("{words}: SVG and PDF are as large as the layer.");
            ui.allocate_ui(vec2(width, FIELD), |ui| {
                ui.set_min_width(width);
                button.tooltip(&tip).show(ui);
            });
            return;
        }
        let name = format!("{} size", self.name);
        let shown = self.setting.size.to_string();
        let (id, width) = (id_of(&name), width - 22.0);
        let field = WordsField { id, name: &name, shown: &shown, empty: "", width };
        let done = field.show(ui, fields, subject.ids);
        if let Some(done) = done.filter(|done| done.nodes == subject.ids) {
            match done.text.parse::<ExportSize>() {
                Ok(size) => self.set(subject, with_size(self.setting, size)),
                Err(why) => fields.typing.refuse(id, why.to_string()),
            }
        }
        let sizes = format!("{name}s");
        let menu = Button::icon(icons::UNFOLDED, &sizes).look(Look::Tool).height(20.0);
        let menu = menu.tooltip("Choose a size.").show(ui);
        Popup::menu(&menu).show(|ui| {
            ui.set_min_width(80.0);
            for size in SIZES {
                let is_now = size == self.setting.size;
                if ui.selectable_label(is_now, size.to_string()).clicked() {
                    self.set(subject, with_size(self.setting, size));
                }
            }
        });
    }
}

/// The longest suffix, in characters.
const LONGEST_SUFFIX: usize = 60;

fn id_of(name: &str) -> Id {
    Id::unique(("assist_export", name))
}

/// Another size; a suffix that named the one before names this one.
fn with_size(setting: &ExportSetting, size: ExportSize) -> ExportSetting {
    let follows = setting.suffix.is_empty() || setting.suffix == suffix_of(setting.size);
    let suffix = if follows { suffix_of(size) } else { setting.suffix.clone() };
    ExportSetting { suffix, size, ..*setting }
}

/// Another format; what has no pixels has no size of its own.
fn with_format(setting: &ExportSetting, format: ExportFileFormat) -> ExportSetting {
    let setting = ExportSetting { format, ..setting.clone() };
    if format.is_pixels() { setting } else { with_size(&setting, ExportSize::Scale(1.0)) }
}

/// What Figma puts behind the name for a size.
fn suffix_of(size: ExportSize) -> String {
    if size == ExportSize::Scale(1.0) { String::new() } else { format!("@{size}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suffix_follows_the_size_until_somebody_types_another() {
        let once = ExportSetting {
            suffix: String::new(),
            format: ExportFileFormat::Png,
            size: ExportSize::Scale(1.0),
        };
        let twice = with_size(&once, ExportSize::Scale(2.0));
        assert_eq!(twice.suffix, "@2x");
        assert_eq!(with_size(&twice, ExportSize::Width(512.0)).suffix, "@512w");
        let own = ExportSetting { suffix: "-retina".to_owned(), ..twice.clone() };
        assert_eq!(with_size(&own, ExportSize::Scale(3.0)).suffix, "-retina");
        let vector = with_format(&twice, ExportFileFormat::Svg);
        assert_eq!((vector.size, vector.suffix.as_str()), (ExportSize::Scale(1.0), ""));
        assert_eq!(with_format(&twice, ExportFileFormat::Jpg).size, twice.size);
    }
}
