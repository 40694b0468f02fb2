//! Text: font, distances, alignment, how the box follows the letters.

use egui::{Popup, ScrollArea, Ui};

use super::number_field::{Fields, NumberField, property_ui};
use super::parts::{column, hint_ui, menu_ui, section_ui, segments_ui, toggle_ui, words_menu_ui};
use super::subject::Subject;
use crate::design::{
    AutoResize, LineHeight, LineType, Node, TextAlign, TextCase, TextContent, TextDecoration,
    VerticalAlign,
};
use crate::editor::{
    Act, Common, NumberProperty, PropertyAct, Setting, WEIGHTS, list_of, style_of,
};
use crate::ui::icons;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{Button, Look, rich_text, tick_ui};

const ALIGNS: [(TextAlign, &str, &str); 4] = [
    (TextAlign::Left, icons::TEXT_LEFT, "Align text left"),
    (TextAlign::Center, icons::TEXT_CENTER, "Align text center"),
    (TextAlign::Right, icons::TEXT_RIGHT, "Align text right"),
    (TextAlign::Justified, icons::TEXT_JUSTIFIED, "Justify text"),
];

const VERTICAL_ALIGNS: [(VerticalAlign, &str, &str); 3] = [
    (VerticalAlign::Top, icons::AT_TOP, "Align text top"),
    (VerticalAlign::Center, icons::AT_MIDDLE, "Align text middle"),
    (VerticalAlign::Bottom, icons::AT_BOTTOM, "Align text bottom"),
];

const RESIZES: [(AutoResize, &str); 3] = [
    (AutoResize::WidthAndHeight, "Auto width"),
    (AutoResize::Height, "Auto height"),
    (AutoResize::None, "Fixed size"),
];

const CASES: [(TextCase, &str); 6] = [
    (TextCase::Original, "As typed"),
    (TextCase::Upper, "Uppercase"),
    (TextCase::Lower, "Lowercase"),
    (TextCase::Title, "Title case"),
    (TextCase::SmallCaps, "Small caps"),
    (TextCase::SmallCapsForced, "Forced small caps"),
];

const DECORATIONS: [(TextDecoration, &str); 3] = [
    (TextDecoration::None, "No decoration"),
    (TextDecoration::Underline, "Underline"),
    (TextDecoration::Strikethrough, "Strikethrough"),
];

const LISTS: [(LineType, &str); 3] = [
    (LineType::None, "No list"),
    (LineType::Unordered, "Bulleted list"),
    (LineType::Ordered, "Numbered list"),
];

/// A unit of line heights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Auto,
    Pixels,
    Percent,
}

const UNITS: [(Unit, &str); 3] = [(Unit::Auto, "Auto"), (Unit::Pixels, "px"), (Unit::Percent, "%")];

/// Draws the section; nothing where no text is selected.
pub(super) fn text_ui(ui: &mut Ui, fields: &mut Fields, subject: Subject<'_>) {
    if !subject.any(|node| node.text().is_some()) {
        return;
    }
    section_ui(
        ui,
        "Text",
        |_| {},
        |ui| {
            family_ui(ui, subject);
            face_ui(ui, fields, subject);
            distances_ui(ui, fields, subject);
            align_ui(ui, subject);
            let width = column(ui, 2);
            ui.horizontal(|ui| {
                let now = of_text(subject, |text| Common::Same(text.style.auto_resize));
                if let Some(resize) = menu_ui(ui, "Text resizing", &RESIZES, &now, width) {
                    subject.set(Setting::AutoResize(resize));
                }
                let now = of_text(subject, |text| style_of(text, &text.style.case, |own| own.case));
                if let Some(case) = menu_ui(ui, "Case", &CASES, &now, width) {
                    subject.set(Setting::TextCase(case));
                }
            });
            ui.horizontal(|ui| {
                let now = of_text(subject, |text| {
                    style_of(text, &text.style.decoration, |own| own.decoration)
                });
                if let Some(line) = menu_ui(ui, "Decoration", &DECORATIONS, &now, width) {
                    subject.set(Setting::TextDecoration(line));
                }
                let now = of_text(subject, list_of);
                if let Some(kind) = menu_ui(ui, "List", &LISTS, &now, width) {
                    subject.set(Setting::List(kind));
                }
            });
            truncation_ui(ui, fields, subject);
        },
    );
}

fn of_text<T: PartialEq>(
    subject: Subject<'_>,
    field: impl Fn(&TextContent) -> Common<T>,
) -> Common<T> {
    Common::of(subject.nodes().filter_map(Node::text).map(field))
}

/// The families that there are here, and whether the one that is set is among them.
fn family_ui(ui: &mut Ui, subject: Subject<'_>) {
    let now = of_text(subject, |text| {
        style_of(text, &text.style.font_family, |own| own.font_family.clone())
    });
    let families = subject.desk.render.fonts().families();
    let words = match &now {
        Common::Same(family) => family.as_str(),
        Common::Nothing | Common::Mixed => "Mixed",
    };
    let width = ui.available_width();
    let mut chosen = None;
    words_menu_ui(ui, "Font family", words, width, |ui| {
        for family in &families {
            if ui.selectable_label(now.is(family), family).clicked() {
                chosen = Some(family.clone());
            }
        }
        if let Common::Same(family) = &now
            && !subject.desk.render.fonts().has(family)
        {
            let words = format!("{family} (missing)");
            ui.add_enabled(false, egui::Button::selectable(true, words));
        }
    });
    if let Some(family) = chosen {
        subject.set(Setting::FontFamily(family));
    }
    if let Common::Same(family) = &now
        && !subject.desk.render.fonts().has(family)
    {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            let warn = tokens(ui).warn;
            ui.label(rich_text(icons::WARNING, Type::IconSmall, warn));
            hint_ui(ui, &format!("{family} is missing here: drawn in Inter."));
        });
        replace_ui(ui, subject, family, &families);
    }
}

/// The menu of families to have in place of one that is missing, wherever that is.
fn replace_ui(ui: &mut Ui, subject: Subject<'_>, missing: &str, families: &[String]) {
    let button = Button::text("Replace everywhere").look(Look::Raised);
    let tip = format!("Have every text in {missing} in another font, as one step.");
    let button = button.tooltip(&tip).show(ui);
    Popup::menu(&button).show(|ui| {
        ui.set_min_width(180.0);
        ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
            for family in families {
                if ui.button(family).clicked() {
                    let (from, to) = (missing.to_owned(), family.clone());
                    subject.act(Act::Property(PropertyAct::ReplaceFamily { from, to }));
                    ui.close();
                }
            }
        });
    });
}

/// Weight, slant and size.
fn face_ui(ui: &mut Ui, fields: &mut Fields, subject: Subject<'_>) {
    let weight =
        of_text(subject, |text| style_of(text, &text.style.font_weight, |own| own.font_weight));
    let italic = of_text(subject, |text| style_of(text, &text.style.italic, |own| own.italic));
    ui.horizontal(|ui| {
        const SIZE: f32 = 60.0;
        let room = (ui.available_width() - SIZE - 24.0 - 16.0).max(60.0);
        let options = WEIGHTS.map(|(name, weight)| (weight, name));
        if let Some(weight) = menu_ui(ui, "Font weight", &options, &weight, room) {
            let italic = italic.is(&true);
            subject.set(Setting::FontFace { weight, italic });
        }
        if let Some(italic) = toggle_ui(ui, icons::ITALIC, "Italic", italic.is(&true)) {
            let weight = weight.same().unwrap_or(400.0);
            subject.set(Setting::FontFace { weight, italic });
        }
        let property = NumberProperty::FontSize;
        let field = NumberField::new(property.label(), subject.number(property));
        property_ui(ui, fields, subject, property, field, SIZE);
    });
}

fn distances_ui(ui: &mut Ui, fields: &mut Fields, subject: Subject<'_>) {
    let width = column(ui, 2);
    let height =
        of_text(subject, |text| style_of(text, &text.style.line_height, |own| own.line_height));
    let unit = of_text(subject, |text| {
        style_of(text, &text.style.line_height, |own| own.line_height).map(unit_of)
    });
    ui.horizontal(|ui| {
        let property = NumberProperty::LineHeight;
        let value = if height == Common::Mixed { Common::Mixed } else { subject.number(property) };
        let field = NumberField::new(property.label(), value).mark(icons::LINE_HEIGHT);
        property_ui(ui, fields, subject, property, field.empty("Auto"), width);
        if let Some(unit) = menu_ui(ui, "Line height unit", &UNITS, &unit, width)
            && let Some(height) = in_unit(subject, height, unit)
        {
            subject.set(Setting::LineHeight(height));
        }
    });
    ui.horizontal(|ui| {
        for (property, mark) in [
            (NumberProperty::LetterSpacing, icons::LETTER_SPACING),
            (NumberProperty::ParagraphSpacing, icons::PARAGRAPH),
        ] {
            let field = NumberField::new(property.label(), subject.number(property)).mark(mark);
            property_ui(ui, fields, subject, property, field, width);
        }
    });
}

fn unit_of(height: LineHeight) -> Unit {
    match height {
        LineHeight::Auto => Unit::Auto,
        LineHeight::Pixels(_) => Unit::Pixels,
        LineHeight::Percent(_) => Unit::Percent,
    }
}

/// The line height in another unit, as high as it was as far as that is known; `None` if it is in that unit.
fn in_unit(subject: Subject<'_>, height: Common<LineHeight>, unit: Unit) -> Option<LineHeight> {
    let size = subject.number(NumberProperty::FontSize).same();
    match (unit, height.same()) {
        (unit, Some(height)) if unit_of(height) == unit => None,
        (Unit::Auto, _) => Some(LineHeight::Auto),
        (Unit::Pixels, Some(LineHeight::Percent(percent))) => {
            Some(LineHeight::Pixels((size? * percent / 100.0).round()))
        }
        (Unit::Percent, Some(LineHeight::Pixels(pixels))) => {
            Some(LineHeight::Percent((pixels / size? * 100.0).round()))
        }
        // What the font says is about that.
        (Unit::Pixels, _) => Some(LineHeight::Pixels((size.unwrap_or(12.0) * 1.2).round())),
        (Unit::Percent, _) => Some(LineHeight::Percent(120.0)),
    }
}

fn align_ui(ui: &mut Ui, subject: Subject<'_>) {
    ui.horizontal_wrapped(|ui| {
        let now = of_text(subject, |text| Common::Same(text.style.align));
        if let Some(align) = segments_ui(ui, &ALIGNS, &now) {
            subject.set(Setting::TextAlign(align));
        }
        let now = of_text(subject, |text| Common::Same(text.style.vertical_align));
        if let Some(align) = segments_ui(ui, &VERTICAL_ALIGNS, &now) {
            subject.set(Setting::VerticalAlign(align));
        }
    });
}

fn truncation_ui(ui: &mut Ui, fields: &mut Fields, subject: Subject<'_>) {
    let truncates = of_text(subject, |text| Common::Same(text.style.truncates));
    let tooltip = "End what does not fit with an ellipsis.";
    if let Some(on) = tick_ui(ui, "Truncate text", tooltip, truncates.is(&true)) {
        subject.set(Setting::Truncates(on));
    }
    if truncates.is(&true) {
        let property = NumberProperty::MaxLines;
        let width = column(ui, 2);
        let field = NumberField::new(property.label(), subject.number(property));
        property_ui(ui, fields, subject, property, field.empty("Any").unit("lines"), width);
    }
}
