//! Inter in three weights, Phosphor for icons, egui's Hack for code; and what this machine has for letters that none of
//! these has.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::epaint::text::{
    FallbackRequest, FontInsert, FontPriority, FontProvider, FontTweak, InsertFontFamily,
    VariationCoords,
};
use egui::{FontData, FontDefinitions, FontFamily, FontId, TextStyle};

use crate::base::{INTER_FILE, PHOSPHOR_FILE};
use crate::render::{FontSource, Fonts};

const MEDIUM: &str = "inter-medium";
const SEMIBOLD: &str = "inter-semibold";
const ICONS: &str = "phosphor";

/// The text styles there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    /// 12, regular: nearly everything.
    Body,
    /// 12, medium: names of things, buttons.
    Medium,
    /// 12, semibold: what a row is about.
    Strong,
    /// 13, semibold: titles.
    Title,
    /// 16, semibold: the heading of an empty window.
    Display,
    /// 11, regular: captions, counts, legends.
    Caption,
    /// 11, semibold: headings of sections.
    Section,
    /// 11, monospace: arguments, values of pixels.
    Mono,
    /// 15: an icon beside body text.
    Icon,
    /// 13: an icon beside a caption.
    IconSmall,
    /// 32: the icon of an empty place.
    IconLarge,
}

impl Type {
    /// What egui calls it.
    pub(crate) fn font(self) -> FontId {
        let (size, name) = match self {
            Self::Body => return FontId::proportional(12.0),
            Self::Caption => return FontId::proportional(11.0),
            Self::Mono => return FontId::monospace(11.0),
            Self::Medium => (12.0, MEDIUM),
            Self::Strong => (12.0, SEMIBOLD),
            Self::Title => (13.0, SEMIBOLD),
            Self::Display => (16.0, SEMIBOLD),
            Self::Section => (11.0, SEMIBOLD),
            Self::Icon => (15.0, ICONS),
            Self::IconSmall => (13.0, ICONS),
            Self::IconLarge => (32.0, ICONS),
        };
        FontId::new(size, FontFamily::Name(name.into()))
    }
}

/// The fonts egui is given. Inter comes first; egui's own follow for what Inter lacks.
pub(super) fn definitions() -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    // egui's own fonts have what Inter lacks: signs, arrows, emoji in names of nodes.
    let fallback = fonts.families.get(&FontFamily::Proportional).cloned().unwrap_or_default();
    // A family a weight: egui knows no weights, only names of families.
    for (name, weight) in [("inter", 400.0), (MEDIUM, 500.0), (SEMIBOLD, 600.0)] {
        fonts.font_data.insert(name.to_owned(), Arc::new(inter(weight)));
        let family =
            if name == "inter" { FontFamily::Proportional } else { FontFamily::Name(name.into()) };
        let mut faces = vec![name.to_owned()];
        faces.extend(fallback.iter().cloned());
        fonts.families.insert(family, faces);
    }
    // A family alone: an icon's code means another sign in a text font.
    let icons = FontData::from_static(&PHOSPHOR_FILE);
    fonts.font_data.insert(ICONS.to_owned(), Arc::new(icons));
    fonts.families.insert(FontFamily::Name(ICONS.into()), vec![ICONS.to_owned()]);
    if let Some(mono) = fonts.families.get_mut(&FontFamily::Monospace) {
        // Hack has no such range of letters as Inter; arguments may hold any.
        mono.push("inter".to_owned());
    }
    fonts
}

/// The fonts of this machine, for the letters of names and words that none of [`definitions`] has. They are looked for
/// when the first such letter is shown.
#[derive(Debug)]
pub(crate) struct MachineFonts(Fonts);

impl MachineFonts {
    /// Nothing is looked for yet.
    pub(crate) fn new() -> Self {
        Self(Fonts::new(FontSource::Machine))
    }
}

impl FontProvider for MachineFonts {
    fn font_for(&self, request: &FallbackRequest<'_>) -> Option<FontInsert> {
        let named = |name: &str| FontFamily::Name(name.into());
        // An icon's code means another sign in a text font.
        if *request.family == named(ICONS) {
            return None;
        }
        let (name, file) = self.0.outlines_of(request.cluster.chars().next()?)?;
        let families =
            [FontFamily::Proportional, FontFamily::Monospace, named(MEDIUM), named(SEMIBOLD)];
        // In all of them at once, so that it is read once.
        let families =
            families.map(|family| InsertFontFamily { family, priority: FontPriority::Lowest });
        Some(FontInsert::new(&name, FontData::from_blob(file, 0), families.into()))
    }
}

fn inter(weight: f32) -> FontData {
    FontData::from_static(&INTER_FILE).tweak(FontTweak {
        // Small sizes are drawn from the text end of the optical-size axis.
        coords: VariationCoords::new([(b"wght", weight), (b"opsz", 14.0)]),
        hinting: Some(false),
        ..FontTweak::default()
    })
}

/// What egui's own widgets use.
pub(super) fn text_styles() -> BTreeMap<TextStyle, FontId> {
    BTreeMap::from([
        (TextStyle::Small, Type::Caption.font()),
        (TextStyle::Body, Type::Body.font()),
        (TextStyle::Button, Type::Body.font()),
        (TextStyle::Heading, Type::Title.font()),
        (TextStyle::Monospace, Type::Mono.font()),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_hebrew() -> MachineFonts {
        let mut fonts = Fonts::default();
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/fonts/hebrew.ttf");
        assert!(!fonts.add(std::fs::read(file).unwrap()).is_empty());
        MachineFonts(fonts)
    }

    #[test]
    fn a_font_is_found_for_letters_that_no_other_has_and_none_for_icons() {
        let found = |fonts: &MachineFonts, cluster, family: &FontFamily| {
            fonts.font_for(&FallbackRequest { cluster, family })
        };
        let (fonts, letter, icons) = (with_hebrew(), "\u{5d0}", FontFamily::Name(ICONS.into()));
        let font = found(&fonts, letter, &FontFamily::Proportional).unwrap();
        assert_eq!(font.families.len(), 4);
        assert!(found(&fonts, letter, &icons).is_none());
        assert!(found(&fonts, "\u{4e00}", &FontFamily::Proportional).is_none());
        let none = MachineFonts(Fonts::default());
        assert!(found(&none, letter, &FontFamily::Proportional).is_none());
    }

    #[test]
    fn letters_are_drawn_in_the_font_that_is_found() {
        let ctx = egui::Context::default();
        ctx.set_fonts(definitions());
        let width = |text: &str| {
            let mut width = 0.0;
            let output = ctx.run_ui(egui::RawInput::default(), |ui| {
                let (font, color) = (Type::Strong.font(), egui::Color32::WHITE);
                width = ui.painter().layout_no_wrap(text.to_owned(), font, color).size().x;
            });
            drop(output);
            width
        };
        // A box for each letter at first, as wide as any other box.
        let boxes = width("\u{5d0}\u{5d5}");
        ctx.add_font_provider(Arc::new(with_hebrew()));
        assert_ne!(width("\u{5d0}\u{5d5}"), boxes);
    }
}
