//! Inter in three weights, Phosphor for icons, egui's Hack for code.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::epaint::text::{FontTweak, VariationCoords};
use egui::{FontData, FontDefinitions, FontFamily, FontId, TextStyle};

static INTER: &[u8] = include_bytes!("../../../assets/fonts/InterVariable.ttf");
static PHOSPHOR: &[u8] = include_bytes!("../../../assets/fonts/Phosphor.ttf");

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
        let named = |size, name: &str| FontId::new(size, FontFamily::Name(name.into()));
        match self {
            Self::Body => FontId::proportional(12.0),
            Self::Medium => named(12.0, MEDIUM),
            Self::Strong => named(12.0, SEMIBOLD),
            Self::Title => named(13.0, SEMIBOLD),
            Self::Display => named(16.0, SEMIBOLD),
            Self::Caption => FontId::proportional(11.0),
            Self::Section => named(11.0, SEMIBOLD),
            Self::Mono => FontId::monospace(11.0),
            Self::Icon => named(15.0, ICONS),
            Self::IconSmall => named(13.0, ICONS),
            Self::IconLarge => named(32.0, ICONS),
        }
    }
}

/// The fonts egui is given. Inter comes first; egui's own follow for what Inter lacks.
pub(super) fn definitions() -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    let fallback = fonts.families.get(&FontFamily::Proportional).cloned().unwrap_or_default();
    for (name, weight) in [("inter", 400.0), (MEDIUM, 500.0), (SEMIBOLD, 600.0)] {
        fonts.font_data.insert(name.to_owned(), Arc::new(inter(weight)));
        let family =
            if name == "inter" { FontFamily::Proportional } else { FontFamily::Name(name.into()) };
        let mut faces = vec![name.to_owned()];
        faces.extend(fallback.iter().cloned());
        fonts.families.insert(family, faces);
    }
    // Icons sit on the baseline of their own box; a nudge centres them on the text's.
    let icons = FontData::from_static(PHOSPHOR);
    fonts.font_data.insert(ICONS.to_owned(), Arc::new(icons));
    fonts.families.insert(FontFamily::Name(ICONS.into()), vec![ICONS.to_owned()]);
    if let Some(mono) = fonts.families.get_mut(&FontFamily::Monospace) {
        mono.push("inter".to_owned());
    }
    fonts
}

fn inter(weight: f32) -> FontData {
    FontData::from_static(INTER).tweak(FontTweak {
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
