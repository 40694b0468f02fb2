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

/// The bytes of a font, shared.
pub(crate) type FontFile = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// Fonts for the letters of names and words that none of [`definitions`] has: what finds one by the letter, with its
/// name. It is asked when such a letter is shown for the first time.
pub(super) struct MoreFonts<F>(pub(super) F);

impl<F> FontProvider for MoreFonts<F>
where
    F: Fn(char) -> Option<(String, FontFile)> + Send + Sync,
{
    fn font_for(&self, request: &FallbackRequest<'_>) -> Option<FontInsert> {
        let icons = FontFamily::Name(ICONS.into());
        // An icon's code means another sign in a text font.
        if *request.family == icons {
            return None;
        }
        let (name, file) = (self.0)(request.cluster.chars().next()?)?;
        let [medium, semibold] = [MEDIUM, SEMIBOLD].map(|name| FontFamily::Name(name.into()));
        // In all of them at once, so that it is read once.
        let families = [FontFamily::Proportional, FontFamily::Monospace, medium, semibold]
            .map(|family| InsertFontFamily { family, priority: FontPriority::Lowest });
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

    /// As on a machine with one font, of Hebrew.
    fn hebrew(letter: char) -> Option<(String, FontFile)> {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/fonts/hebrew.ttf");
        let is_known = ('\u{5d0}'..='\u{5ea}').contains(&letter);
        is_known.then(|| -> (String, FontFile) {
            ("Hebrew".to_owned(), Arc::new(std::fs::read(file).unwrap()))
        })
    }

    fn families_for(cluster: &str, family: &FontFamily) -> Option<usize> {
        let request = FallbackRequest { cluster, family };
        MoreFonts(hebrew).font_for(&request).map(|font| font.families.len())
    }

    #[test]
    fn a_font_is_found_for_letters_that_no_other_has_and_none_for_icons() {
        let icons = FontFamily::Name(ICONS.into());
        assert_eq!(families_for("\u{5d0}", &FontFamily::Proportional), Some(4));
        assert_eq!(families_for("\u{5d0}", &icons), None);
        assert_eq!(families_for("\u{4e00}", &FontFamily::Proportional), None);
    }

    fn width(ctx: &egui::Context, text: &str) -> f32 {
        let mut width = 0.0;
        let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
            let (font, color) = (Type::Strong.font(), egui::Color32::WHITE);
            width = ui.painter().layout_no_wrap(text.to_owned(), font, color).size().x;
        });
        output.textures_delta.clear();
        width
    }

    #[test]
    fn letters_are_drawn_in_the_font_that_is_found() {
        let ctx = egui::Context::default();
        ctx.set_fonts(definitions());
        // A box for each letter at first, as wide as any other box.
        let boxes = width(&ctx, "\u{5d0}\u{5d5}");
        ctx.add_font_provider(Arc::new(MoreFonts(hebrew)));
        assert_ne!(width(&ctx, "\u{5d0}\u{5d5}"), boxes);
    }
}
