//! How the window looks: the only place that names colours, sizes and fonts.
//!
//! [`Tokens`] holds the colours of one theme, [`size`] the measures both share (a 4-px grid),
//! [`Type`] the text styles. [`install`] gives egui's own widgets the same look.

#![expect(clippy::unreadable_literal, reason = "colours are written as designers write them")]

mod fonts;

pub(crate) use fonts::{FontFile, Type};

use std::sync::Arc;

use egui::style::{HandleShape, ScrollStyle, Selection, WidgetVisuals};
use egui::{Color32, CornerRadius, Margin, Shadow, Stroke, Vec2};

use crate::environment::ToolCategory;
use crate::workbench::views::BoxKind;
use crate::workbench::{ChangeKind, Comparison, ThemeChoice};

/// Measures in points; everything sits on a grid of four.
pub(crate) mod size {
    /// The bar at the top.
    pub(crate) const TOP_BAR: f32 = 40.0;
    /// The bar of a panel's own tools.
    pub(crate) const TOOLBAR: f32 = 36.0;
    /// The line at the bottom.
    pub(crate) const STATUS_BAR: f32 = 24.0;
    /// A row of a list.
    pub(crate) const ROW: f32 = 24.0;
    /// A button.
    pub(crate) const BUTTON: f32 = 26.0;
    /// The library when first seen.
    pub(crate) const LIBRARY: f32 = 248.0;
    /// The inspector when first seen.
    pub(crate) const INSPECTOR: f32 = 312.0;
    /// The timeline when first seen.
    pub(crate) const TIMELINE: f32 = 228.0;
    /// Between a panel's edge and what it holds.
    pub(crate) const GUTTER: f32 = 12.0;
    /// Corners of chips and caps.
    pub(crate) const RADIUS_SMALL: u8 = 4;
    /// Corners of buttons, fields and rows.
    pub(crate) const RADIUS: u8 = 6;
    /// Corners of what floats.
    pub(crate) const RADIUS_LARGE: u8 = 8;
}

/// The colours of a theme.
#[derive(Debug)]
pub(crate) struct Tokens {
    /// Bars around everything.
    pub(crate) window: Color32,
    /// Panels at the sides and below.
    pub(crate) panel: Color32,
    /// Buttons, fields, cards.
    pub(crate) raised: Color32,
    /// The same under the pointer.
    pub(crate) raised_hover: Color32,
    /// What floats over the window.
    pub(crate) overlay: Color32,
    /// Behind the pictures.
    pub(crate) stage: Color32,
    /// Between panels and around cards.
    pub(crate) hairline: Color32,
    /// Grid lines of curves.
    pub(crate) grid: Color32,
    /// What is read first.
    pub(crate) text: Color32,
    /// What is read second.
    pub(crate) dim: Color32,
    /// Hints; never the only carrier of a fact.
    pub(crate) faint: Color32,
    /// Selection and the primary action, nothing else.
    pub(crate) accent: Color32,
    /// The primary action under the pointer.
    pub(crate) accent_hover: Color32,
    /// Behind what is selected.
    pub(crate) accent_wash: Color32,
    /// Words on the accent.
    pub(crate) on_accent: Color32,
    /// Better than before.
    pub(crate) gain: Color32,
    /// Worse than before, and failures.
    pub(crate) loss: Color32,
    /// Behind a failure.
    pub(crate) loss_wash: Color32,
    /// Odd, but not wrong.
    pub(crate) warn: Color32,
    /// Behind what is odd.
    pub(crate) warn_wash: Color32,
    /// More than there should be.
    pub(crate) extra: Color32,
    /// [`Self::gain`] for words that stand in chosen rows, too.
    pub(crate) gain_ink: Color32,
    /// [`Self::accent`] for words: links, names of what is chosen.
    pub(crate) accent_ink: Color32,
    /// Models in plots; never the accent, which is selection.
    pub(crate) series: [Color32; 4],
    /// Bars of what a step changed for the better and for the worse: blue-green and orange, which every kind of
    /// colour vision tells apart, as it does not green and red.
    pub(crate) bars: [Color32; 2],
    /// Outlines of what would be added, removed and changed: over somebody's picture, the same in both themes, and
    /// each with a line of its own beside the colour.
    pub(crate) ghost: [Color32; 3],
    /// Lines along which what is dragged is in line with others.
    pub(crate) guide: Color32,
    /// What lies behind in plots: runs outside the filter.
    pub(crate) context: Color32,
    /// Under what floats.
    pub(crate) shadow: Color32,
    /// Over the window while a dialog is open.
    pub(crate) backdrop: Color32,
    /// Behind the heat and under its lowest value.
    pub(crate) heat_ground: Color32,
    /// Lines between the pixels of a picture; drawn light beside dark to show on anything.
    pub(crate) pixel_grid: Color32,
    /// The crosshair's halo, against pictures of any colour.
    pub(crate) halo: Color32,
    /// Handles, and words on the guide: over somebody's picture, the same in both themes.
    pub(crate) handle: Color32,
    /// Edges of the brand mark, from the top left on.
    pub(crate) brand: [Color32; 3],
}

const fn rgb(hex: u32) -> Color32 {
    let [_, r, g, b] = hex.to_be_bytes();
    Color32::from_rgb(r, g, b)
}

static DARK: Tokens = Tokens {
    window: rgb(0x17181B),
    panel: rgb(0x1D1F23),
    raised: rgb(0x25282D),
    raised_hover: rgb(0x2E3238),
    overlay: rgb(0x23262B),
    stage: rgb(0x111214),
    hairline: rgb(0x2C2F35),
    grid: rgb(0x23262B),
    text: rgb(0xE8E9EC),
    dim: rgb(0x9AA0A9),
    faint: rgb(0x717883),
    accent: rgb(0x6B9BFF),
    accent_hover: rgb(0x86ADFF),
    accent_wash: rgb(0x26324D),
    on_accent: rgb(0x0C1220),
    gain: rgb(0x4CC38A),
    loss: rgb(0xF2737D),
    loss_wash: rgb(0x3A2428),
    warn: rgb(0xE5B454),
    warn_wash: rgb(0x38301F),
    extra: rgb(0xB794F6),
    gain_ink: rgb(0x4CC38A),
    accent_ink: rgb(0x6B9BFF),
    series: [rgb(0x4FB6C2), rgb(0xE5A45B), rgb(0xC792EA), rgb(0x8CC265)],
    bars: [rgb(0x3FBFAE), rgb(0xF08A4B)],
    ghost: [rgb(0x1B9A64), rgb(0xD03B49), rgb(0xB0760D)],
    guide: rgb(0xD81B80),
    context: rgb(0x4A4F58),
    shadow: Color32::from_black_alpha(120),
    backdrop: Color32::from_black_alpha(140),
    heat_ground: Color32::BLACK,
    pixel_grid: Color32::from_black_alpha(70),
    halo: Color32::from_black_alpha(150),
    handle: Color32::WHITE,
    brand: [rgb(0xF0A35E), rgb(0xA279E8), rgb(0x5B8DF6)],
};

static LIGHT: Tokens = Tokens {
    window: rgb(0xF7F8F9),
    panel: rgb(0xFFFFFF),
    raised: rgb(0xF1F2F4),
    raised_hover: rgb(0xE7E9EC),
    overlay: rgb(0xFFFFFF),
    stage: rgb(0xE9EAED),
    hairline: rgb(0xE0E2E6),
    grid: rgb(0xECEEF1),
    text: rgb(0x1A1C20),
    dim: rgb(0x5F6671),
    faint: rgb(0x868E99),
    accent: rgb(0x2F6BEB),
    accent_hover: rgb(0x2059D2),
    accent_wash: rgb(0xE4EDFF),
    on_accent: rgb(0xFFFFFF),
    gain: rgb(0x197B4C),
    loss: rgb(0xC23140),
    loss_wash: rgb(0xFCECEE),
    warn: rgb(0x8F5D06),
    warn_wash: rgb(0xFBF3E2),
    extra: rgb(0x7A4FD0),
    gain_ink: rgb(0x177548),
    accent_ink: rgb(0x2560DC),
    series: [rgb(0x157D8A), rgb(0xA85B0E), rgb(0x8445B8), rgb(0x4A7D22)],
    bars: [rgb(0x0B8577), rgb(0xC9540F)],
    ghost: [rgb(0x1B9A64), rgb(0xD03B49), rgb(0xB0760D)],
    guide: rgb(0xD81B80),
    context: rgb(0xBEC3CB),
    shadow: Color32::from_black_alpha(34),
    backdrop: Color32::from_black_alpha(70),
    heat_ground: Color32::BLACK,
    pixel_grid: Color32::from_black_alpha(50),
    halo: Color32::from_black_alpha(150),
    handle: Color32::WHITE,
    brand: [rgb(0xF0A35E), rgb(0xA279E8), rgb(0x5B8DF6)],
};

/// The colours of the theme this part of the window is drawn in.
pub(crate) fn tokens(ui: &egui::Ui) -> &'static Tokens {
    tokens_of(ui.visuals().dark_mode)
}

/// The tokens for what lies on the heat, which is black in both themes.
pub(crate) fn tokens_on_heat() -> &'static Tokens {
    &DARK
}

/// The colours of a theme, where there is no part of the window to ask.
pub(crate) fn tokens_in(dark_mode: bool) -> &'static Tokens {
    tokens_of(dark_mode)
}

fn tokens_of(dark_mode: bool) -> &'static Tokens {
    if dark_mode { &DARK } else { &LIGHT }
}

/// The colour of a kind of tool call; the same in both themes.
pub(crate) fn category_color(category: ToolCategory) -> Color32 {
    rgb(match category {
        ToolCategory::Creation => 0x7AA2F7,
        ToolCategory::Inspection => 0x8A8F98,
        ToolCategory::Layout => 0xC792EA,
        ToolCategory::Operation => 0x4FB6C2,
        ToolCategory::Style => 0xE5A45B,
        ToolCategory::Text => 0x8CC265,
        ToolCategory::Connection => 0xB0B6C0,
        ToolCategory::Other => 0x6F7580,
    })
}

/// The colour of a kind of tool call for words, which can be read on a card.
pub(crate) fn category_ink(ui: &egui::Ui, category: ToolCategory) -> Color32 {
    category_ink_in(ui.visuals().dark_mode, category)
}

fn category_ink_in(dark_mode: bool, category: ToolCategory) -> Color32 {
    let color = category_color(category);
    match (dark_mode, category) {
        // A swatch may be as dark as this.
        (true, ToolCategory::Other) => color.lerp_to_gamma(Color32::WHITE, 0.2),
        // The colours were chosen for a dark ground, where their swatches stay as they are.
        (true, _) => color,
        (false, _) => color.lerp_to_gamma(Color32::BLACK, 0.45),
    }
}

/// A colour of a picture's pixel, as a swatch shows it.
pub(crate) fn swatch_color([r, g, b, a]: [u8; 4]) -> Color32 {
    Color32::from_rgba_unmultiplied(r, g, b, a)
}

/// Black or white: what can be read on a pixel of this colour.
pub(crate) fn ink_on([r, g, b, _]: [u8; 4]) -> Color32 {
    // The weights of BT.601: near enough to choose between black and white.
    let luma = 0.299 * f32::from(r) + 0.587 * f32::from(g) + 0.114 * f32::from(b);
    if luma > 140.0 { Color32::from_black_alpha(210) } else { Color32::from_white_alpha(220) }
}

/// The tint that draws a texture as it is, at this opacity.
pub(crate) fn picture_tint(opacity: f32) -> Color32 {
    Color32::WHITE.gamma_multiply(opacity.clamp(0.0, 1.0))
}

impl Tokens {
    /// Words of better or worse, whatever the sign means for the metric.
    pub(crate) fn change(&self, better_by: f64) -> Color32 {
        // What rounds to 0.000 is no change.
        if better_by >= 0.000_5 {
            self.gain_ink
        } else if better_by <= -0.000_5 {
            self.loss
        } else {
            self.dim
        }
    }

    /// How a node stands to the ground truth.
    pub(crate) fn box_kind(&self, kind: BoxKind) -> Color32 {
        match kind {
            BoxKind::Matched => self.gain,
            BoxKind::Moved => self.warn,
            BoxKind::Missing => self.loss,
            BoxKind::Extra => self.extra,
        }
    }

    /// A kind of difference. Added is good news between two steps, and too much against the ground
    /// truth.
    pub(crate) fn mark(&self, mark: ChangeKind, against: Comparison) -> Color32 {
        match mark {
            ChangeKind::Added if against == Comparison::GroundTruth => self.extra,
            ChangeKind::Added => self.gain,
            ChangeKind::Removed => self.loss,
            ChangeKind::Moved | ChangeKind::Resized | ChangeKind::Turned => self.warn,
            ChangeKind::Restyled | ChangeKind::Rewritten | ChangeKind::Retyped => self.text,
            ChangeKind::Reparented | ChangeKind::Reordered | ChangeKind::Renamed => self.dim,
        }
    }

    /// A hairline.
    pub(crate) fn line(&self) -> Stroke {
        Stroke::new(1.0, self.hairline)
    }

    /// Under pictures.
    pub(crate) fn picture_shadow(&self) -> Shadow {
        Shadow { offset: [0, 4], blur: 16, spread: 0, color: self.shadow.gamma_multiply(0.6) }
    }

    /// Under what floats over the window.
    pub(crate) fn overlay_shadow(&self) -> Shadow {
        Shadow { offset: [0, 10], blur: 32, spread: 0, color: self.shadow }
    }

    /// What floats over the window: palette, dialogs, notices.
    pub(crate) fn overlay_frame(&self) -> egui::Frame {
        egui::Frame::new()
            .fill(self.overlay)
            .stroke(self.line())
            .corner_radius(size::RADIUS_LARGE)
            .shadow(self.overlay_shadow())
            .inner_margin(Margin::same(12))
    }

    /// A card inside a panel.
    pub(crate) fn card_frame(&self) -> egui::Frame {
        egui::Frame::new()
            .fill(self.raised)
            .corner_radius(size::RADIUS)
            .inner_margin(Margin::symmetric(10, 8))
    }
}

/// Gives a context the fonts and the style of both themes. Once, when the window opens.
pub(crate) fn install(ctx: &egui::Context) {
    // Commands do it, and the scale is remembered.
    ctx.options_mut(|options| options.zoom_with_keyboard = false);
    ctx.set_fonts(fonts::definitions());
    ctx.set_style_of(egui::Theme::Dark, Arc::new(style(egui::Theme::Dark)));
    ctx.set_style_of(egui::Theme::Light, Arc::new(style(egui::Theme::Light)));
}

/// Adds what finds fonts for letters that no font of a context has.
pub(crate) fn add_fonts(
    ctx: &egui::Context,
    find: impl Fn(char) -> Option<(String, FontFile)> + Send + Sync + 'static,
) {
    ctx.add_font_provider(Arc::new(fonts::MoreFonts(find)));
}

/// What egui calls the choice.
pub(crate) fn preference(choice: ThemeChoice) -> egui::ThemePreference {
    match choice {
        ThemeChoice::System => egui::ThemePreference::System,
        ThemeChoice::Dark => egui::ThemePreference::Dark,
        ThemeChoice::Light => egui::ThemePreference::Light,
    }
}

fn style(theme: egui::Theme) -> egui::Style {
    let tokens = tokens_of(theme == egui::Theme::Dark);
    let mut style = egui::Style {
        visuals: visuals(theme, tokens),
        text_styles: fonts::text_styles(),
        // Short: a workbench answers at once, and screenshots of tests do not wait for it.
        animation_time: 0.08,
        ..egui::Style::default()
    };
    style.spacing.item_spacing = Vec2::new(8.0, 4.0);
    style.spacing.button_padding = Vec2::new(10.0, 4.0);
    style.spacing.interact_size = Vec2::new(24.0, size::BUTTON);
    style.spacing.menu_margin = Margin::same(6);
    style.spacing.tooltip_width = 320.0;
    style.spacing.icon_width = 14.0;
    style.spacing.icon_width_inner = 8.0;
    style.spacing.slider_rail_height = 4.0;
    style.spacing.scroll = ScrollStyle::floating();
    style.interaction.tooltip_delay = 0.35;
    // Labels are handles of rows here; what is worth copying asks to be selectable.
    style.interaction.selectable_labels = false;
    style
}

fn visuals(theme: egui::Theme, tokens: &Tokens) -> egui::Visuals {
    let mut visuals = theme.default_visuals();
    // An override would paint the words of every button alike, enabled or not.
    visuals.override_text_color = None;
    visuals.weak_text_color = Some(tokens.dim);
    visuals.hyperlink_color = tokens.accent_ink;
    visuals.panel_fill = tokens.panel;
    visuals.window_fill = tokens.overlay;
    visuals.window_stroke = tokens.line();
    visuals.window_shadow = tokens.overlay_shadow();
    visuals.popup_shadow = tokens.overlay_shadow();
    visuals.window_corner_radius = CornerRadius::same(size::RADIUS_LARGE);
    visuals.menu_corner_radius = CornerRadius::same(size::RADIUS_LARGE);
    visuals.extreme_bg_color = tokens.raised;
    visuals.text_edit_bg_color = Some(tokens.raised);
    visuals.faint_bg_color = tokens.grid;
    visuals.code_bg_color = tokens.raised;
    visuals.warn_fg_color = tokens.warn;
    visuals.error_fg_color = tokens.loss;
    visuals.selection = Selection {
        bg_fill: tokens.accent.gamma_multiply(0.35),
        stroke: Stroke::new(1.0, tokens.accent),
    };
    visuals.slider_trailing_fill = true;
    visuals.handle_shape = HandleShape::Circle;
    visuals.widgets.noninteractive = widget(tokens.panel, tokens.hairline, tokens.text);
    visuals.widgets.inactive = widget(tokens.raised, tokens.hairline, tokens.text);
    visuals.widgets.hovered = widget(tokens.raised_hover, tokens.hairline, tokens.text);
    visuals.widgets.active = widget(tokens.raised_hover, tokens.accent, tokens.text);
    visuals.widgets.open = widget(tokens.raised_hover, tokens.hairline, tokens.text);
    visuals
}

fn widget(fill: Color32, outline: Color32, text: Color32) -> WidgetVisuals {
    WidgetVisuals {
        bg_fill: fill,
        weak_bg_fill: fill,
        bg_stroke: Stroke::new(1.0, outline),
        corner_radius: CornerRadius::same(size::RADIUS),
        fg_stroke: Stroke::new(1.0, text),
        expansion: 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::color_vision::seen_distances;

    fn luminance(color: Color32) -> f64 {
        // Relative luminance of WCAG 2.1.
        let [r, g, b] = [color.r(), color.g(), color.b()].map(|channel| {
            let v = f64::from(channel) / 255.0;
            if v <= 0.040_45 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    fn contrast(a: Color32, b: Color32) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn words_can_be_read_on_every_ground_they_stand_on() {
        for dark_mode in [true, false] {
            let tokens = tokens_of(dark_mode);
            // WCAG 2.1 asks for 4.5 of text and 3 of what is large; hints may fall a little short
            // of that.
            for ground in [tokens.window, tokens.panel, tokens.raised, tokens.overlay] {
                assert!(contrast(tokens.text, ground) >= 7.0);
                assert!(contrast(tokens.dim, ground) >= 4.5);
                assert!(contrast(tokens.faint, ground) >= 2.8);
            }
            assert!(contrast(tokens.text, tokens.accent_wash) >= 7.0);
            assert!(contrast(tokens.on_accent, tokens.accent) >= 4.5);
            for ground in [tokens.panel, tokens.raised, tokens.overlay] {
                for ink in [tokens.gain, tokens.extra] {
                    assert!(contrast(ink, ground) >= 4.5, "{ink:?} on {ground:?}");
                }
            }
            // These stand on the canvas and in rows, too, which are chosen or under the pointer.
            for ground in [
                tokens.window,
                tokens.panel,
                tokens.raised,
                tokens.raised_hover,
                tokens.overlay,
                tokens.stage,
                tokens.accent_wash,
            ] {
                let inks = [tokens.gain_ink, tokens.accent_ink, tokens.loss, tokens.warn];
                for ink in inks.into_iter().chain([tokens.dim]) {
                    assert!(contrast(ink, ground) >= 4.5, "{ink:?} on {ground:?}");
                }
            }
            // Forms and lines of plots, whose words have the ink of other words.
            for ink in tokens.series {
                assert!(contrast(ink, tokens.panel) >= 3.0, "{ink:?}");
            }
            // The name of a call on its card.
            for category in ToolCategory::ALL {
                let ink = category_ink_in(dark_mode, category);
                assert!(contrast(ink, tokens.raised) >= 4.5, "{category:?}");
            }
            // Around tags, whose words have the ink of other words.
            for ink in tokens.ghost {
                assert!(contrast(ink, tokens.overlay) >= 3.0, "{ink:?}");
            }
            assert!(contrast(tokens.warn, tokens.warn_wash) >= 4.5);
            assert!(contrast(tokens.loss, tokens.loss_wash) >= 4.5);
        }
    }

    #[test]
    fn gains_and_losses_differ_for_every_kind_of_colour_vision() {
        for tokens in [&DARK, &LIGHT] {
            let [gain, loss] = tokens.bars.map(|color| [color.r(), color.g(), color.b()]);
            for apart in seen_distances(gain, loss) {
                assert!(apart > 70.0, "{apart} of {gain:?} and {loss:?}");
            }
            for ink in tokens.bars {
                assert!(contrast(ink, tokens.panel) >= 3.0, "{ink:?}");
            }
        }
    }

    #[test]
    fn a_change_too_small_to_show_is_neither_better_nor_worse() {
        assert_eq!(DARK.change(0.000_4), DARK.dim);
        assert_eq!(DARK.change(-0.000_4), DARK.dim);
        assert_eq!(DARK.change(0.002), DARK.gain_ink);
        assert_eq!(DARK.change(-0.002), DARK.loss);
    }

    #[test]
    fn boxes_in_files_have_the_colours_of_those_on_the_screen() {
        for kind in BoxKind::ALL {
            let [on_picture, on_map] = [kind.color_on_picture(), kind.color_on_map()]
                .map(|[r, g, b]| Color32::from_rgb(r, g, b));
            let drawn = (LIGHT.box_kind(kind), tokens_on_heat().box_kind(kind));
            assert_eq!((on_picture, on_map), drawn, "{kind:?}");
        }
    }
}
