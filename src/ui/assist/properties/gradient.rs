//! Kinds of paint, the stops of a gradient, the pictures of a design.

use egui::{Align, Id, Layout, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use super::number_field::{FIELD, Fields, NumberField};
use super::parts::{hint_ui, segments_ui, small_button_ui};
use super::picker::{Phase, Picked, Picker, WIDTH, swatch_ui, value_ui};
use super::subject::Subject;
use crate::base::{Affine, Rgba};
use crate::design::{ColorStop, Gradient, GradientKind, ImagePaint, Paint, PaintKind};
use crate::editor::Common;
use crate::ui::icons;
use crate::ui::theme::{size, swatch_color, tokens};
use crate::ui::widgets::{Button, Look};

/// A kind of paint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PaintType {
    Solid,
    Gradient(GradientKind),
    Image,
}

const KINDS: [(PaintType, &str, &str); 6] = [
    (PaintType::Solid, icons::PAINT_SOLID, "Solid"),
    (PaintType::Gradient(GradientKind::Linear), icons::PAINT_LINEAR, "Linear gradient"),
    (PaintType::Gradient(GradientKind::Radial), icons::PAINT_RADIAL, "Radial gradient"),
    (PaintType::Gradient(GradientKind::Angular), icons::PAINT_ANGULAR, "Angular gradient"),
    (PaintType::Gradient(GradientKind::Diamond), icons::PAINT_DIAMOND, "Diamond gradient"),
    (PaintType::Image, icons::PICTURE, "Image"),
];

/// The kinds to choose from; gives the paint as another kind. A picture is offered only where the design has one.
pub(super) fn kinds_ui(ui: &mut Ui, subject: Subject<'_>, paint: &Paint) -> Option<Paint> {
    let now = match &paint.kind {
        PaintKind::Solid(_) => Common::Same(PaintType::Solid),
        PaintKind::Gradient(gradient) => Common::Same(PaintType::Gradient(gradient.kind)),
        PaintKind::Image(_) => Common::Same(PaintType::Image),
        PaintKind::Other(_) => Common::Nothing,
    };
    let pictures = pictures(subject);
    let has_pictures = now.is(&PaintType::Image) || !pictures.is_empty();
    let shown = if has_pictures { KINDS.len() } else { KINDS.len() - 1 };
    let chosen = segments_ui(ui, KINDS.get(..shown).unwrap_or(&KINDS), &now)?;
    let kind = match chosen {
        _ if now.is(&chosen) => return None,
        PaintType::Solid => PaintKind::Solid(first_color(paint)),
        PaintType::Gradient(kind) => PaintKind::Gradient(gradient_of(paint, kind)?),
        PaintType::Image => {
            let image_ref = pictures.into_iter().next();
            PaintKind::Image(ImagePaint { image_ref, ..ImagePaint::default() })
        }
    };
    Some(Paint { kind, ..paint.clone() })
}

/// The colour that a paint begins with.
fn first_color(paint: &Paint) -> Rgba {
    match &paint.kind {
        PaintKind::Solid(color) => *color,
        PaintKind::Gradient(gradient) => {
            gradient.stops.first().map_or(Rgba::DEFAULT_SHAPE, |stop| stop.color)
        }
        PaintKind::Image(_) | PaintKind::Other(_) => Rgba::DEFAULT_SHAPE,
    }
}

/// A gradient of this form, with the stops that the paint has; of one colour, from it to nothing of it.
fn gradient_of(paint: &Paint, kind: GradientKind) -> Option<Gradient> {
    if let PaintKind::Gradient(gradient) = &paint.kind {
        return Gradient::from_transform(kind, gradient.to_transform()?, gradient.stops.clone());
    }
    let color = first_color(paint);
    let stops = vec![
        ColorStop { position: 0.0, color },
        ColorStop { position: 1.0, color: color.with_alpha(0.0) },
    ];
    // A new linear one goes down, as Figma's.
    let down = Affine::from_rows([[0.0, 1.0, 0.0], [-1.0, 0.0, 1.0]]);
    let map = if kind == GradientKind::Linear { down } else { Affine::IDENTITY };
    Gradient::from_transform(kind, map, stops)
}

/// Draws the stops and the picker for one of them; gives the gradient as it is to be, or that what went on is over, and
/// whether more is to come.
pub(super) fn gradient_ui(
    ui: &mut Ui,
    fields: &mut Fields,
    picker: &mut Picker,
    subject: Subject<'_>,
    id: Id,
    gradient: &Gradient,
) -> Option<(Option<Gradient>, bool)> {
    bar_ui(ui, gradient);
    let mut changed = None;
    let count = gradient.stops.len();
    picker.stop = picker.stop.min(count.saturating_sub(1));
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for (at, stop) in gradient.stops.iter().enumerate() {
            let name = format!("Stop {} of {count}", at + 1);
            let swatch = swatch_ui(ui, &name, &[stop.color], FIELD);
            if at == picker.stop {
                let ring = Stroke::new(1.5, tokens(ui).accent);
                ui.painter().rect_stroke(swatch.rect, 3, ring, StrokeKind::Inside);
            }
            if swatch.clicked() {
                picker.stop = at;
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if small_button_ui(ui, icons::ADD, "Add stop") {
                changed = Some((Some(with_stop(gradient, picker.stop)), false));
            }
            if count > 2 && small_button_ui(ui, icons::MINUS, "Remove stop") {
                let mut gradient = gradient.clone();
                gradient.stops.remove(picker.stop);
                changed = Some((Some(gradient), false));
            }
            if small_button_ui(ui, icons::SWAP, "Turn the stops round") {
                let mut gradient = gradient.clone();
                gradient.stops.reverse();
                for stop in &mut gradient.stops {
                    stop.position = 1.0 - stop.position;
                }
                changed = Some((Some(gradient), false));
            }
        });
    });
    let Some(stop) = gradient.stops.get(picker.stop).copied() else { return changed };
    let old = stop.position * 100.0;
    let field = NumberField::new("Stop position", Common::Same(old)).range((0.0, 100.0)).unit("%");
    if let Some((value, phase)) = value_ui(ui, fields, subject, field, old, 80.0) {
        let moved = ColorStop { position: value / 100.0, ..stop };
        changed = Some(match phase {
            Phase::Ended => (None, false),
            Phase::Going => (Some(with(gradient, picker.stop, moved)), true),
            Phase::Set => (Some(with(gradient, picker.stop, moved)), false),
        });
    }
    let of_stop = id.with(picker.stop);
    let picked = picker.show(ui, fields, subject, of_stop, stop.color);
    let at = picker.stop;
    let recolored = picked.map(|picked| match picked {
        Picked::Going(color) => (Some(with(gradient, at, ColorStop { color, ..stop })), true),
        Picked::Set(color) => (Some(with(gradient, at, ColorStop { color, ..stop })), false),
        Picked::Ended => (None, false),
    });
    changed.or(recolored)
}

/// The gradient from its first place to its last.
fn bar_ui(ui: &mut Ui, gradient: &Gradient) {
    let (rect, response) = ui.allocate_exact_size(vec2(WIDTH, 16.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, "Gradient"));
    super::picker::paint_checkers(ui, rect);
    let mut stops = gradient.stops.clone();
    stops.sort_by(|a, b| a.position.total_cmp(&b.position));
    super::picker::paint_colors(ui, rect, |x, _| color_at(&stops, f64::from(x)));
    ui.painter().rect_stroke(rect, size::RADIUS_SMALL, tokens(ui).line(), StrokeKind::Outside);
    for stop in &stops {
        let x = rect.left() + stop.position as f32 * rect.width();
        let ends = [pos2(x, rect.top()), pos2(x, rect.bottom())];
        ui.painter().line_segment(ends, Stroke::new(1.0, swatch_color([255, 255, 255, 160])));
    }
}

/// The colour between stops that are in order.
fn color_at(stops: &[ColorStop], at: f64) -> Rgba {
    let after = stops.iter().position(|stop| stop.position >= at);
    let pair = match after {
        None => (stops.last(), stops.last()),
        Some(0) => (stops.first(), stops.first()),
        Some(after) => (stops.get(after - 1), stops.get(after)),
    };
    let (Some(a), Some(b)) = pair else { return Rgba::TRANSPARENT };
    let room = b.position - a.position;
    let share = if room > 0.0 { ((at - a.position) / room).clamp(0.0, 1.0) } else { 0.0 };
    let [from, to] = [a.color, b.color];
    let between = |from: f64, to: f64| from + (to - from) * share;
    Rgba::new(
        between(from.r, to.r),
        between(from.g, to.g),
        between(from.b, to.b),
        between(from.a, to.a),
    )
}

fn with(gradient: &Gradient, at: usize, stop: ColorStop) -> Gradient {
    let mut gradient = gradient.clone();
    if let Some(there) = gradient.stops.get_mut(at) {
        *there = stop;
    }
    gradient
}

/// One stop more, half way from this one to the next.
fn with_stop(gradient: &Gradient, at: usize) -> Gradient {
    let mut gradient = gradient.clone();
    let here = gradient.stops.get(at).copied();
    let next = gradient.stops.get(at + 1).copied();
    let stop = match (here, next) {
        (Some(a), Some(b)) => {
            let position = f64::midpoint(a.position, b.position);
            ColorStop { position, color: color_at(&[a, b], position) }
        }
        (Some(a), None) => ColorStop { position: 1.0, ..a },
        (None, _) => ColorStop { position: 0.0, color: Rgba::DEFAULT_SHAPE },
    };
    let at = (at + 1).min(gradient.stops.len());
    gradient.stops.insert(at, stop);
    gradient
}

/// Figma's words for how a picture fills a box.
const MODES: [(&str, &str); 5] =
    [("FILL", "Fill"), ("FIT", "Fit"), ("CROP", "Crop"), ("STRETCH", "Stretch"), ("TILE", "Tile")];

/// Draws which picture it is and how it fills the box; gives what it is to be.
pub(super) fn image_ui(
    ui: &mut Ui,
    subject: Subject<'_>,
    image: &ImagePaint,
) -> Option<ImagePaint> {
    let mut changed = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(2.0, 2.0);
        for (mode, words) in MODES {
            let is_on = image.scale_mode == mode;
            // One that was cropped keeps its cut; nobody chooses a cut here.
            if mode == "CROP" && !is_on {
                continue;
            }
            let button = Button::text(words).look(Look::Tool).height(22.0).compact();
            if button.selected(is_on).show(ui).clicked() && !is_on {
                changed = Some(ImagePaint { scale_mode: mode.to_owned(), ..image.clone() });
            }
        }
    });
    hint_ui(ui, "Pictures of this design");
    for (number, picture) in (1..).zip(pictures(subject)) {
        let is_on = image.image_ref.as_deref() == Some(picture.as_str());
        let name = format!("Picture {number}");
        let button = Button::text(&name).with_icon(icons::PICTURE).look(Look::Tool);
        if button.selected(is_on).tooltip(&picture).show(ui).clicked() && !is_on {
            changed = Some(ImagePaint { image_ref: Some(picture.clone()), ..image.clone() });
        }
    }
    changed
}

/// The names of the pictures that the design paints with, each once, in paint order.
fn pictures(subject: Subject<'_>) -> Vec<String> {
    let mut pictures: Vec<String> = Vec::new();
    for node in subject.document.iter_depth_first() {
        for paint in node.fills.iter().chain(&node.stroke.paints) {
            if let PaintKind::Image(ImagePaint { image_ref: Some(name), .. }) = &paint.kind
                && !pictures.contains(name)
            {
                pictures.push(name.clone());
            }
        }
    }
    pictures
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stop(position: f64, value: f64) -> ColorStop {
        ColorStop { position, color: Rgba::new(value, value, value, 1.0) }
    }

    #[test]
    fn the_color_between_stops_is_between_theirs() {
        let stops = [stop(0.25, 0.0), stop(0.75, 1.0)];
        for (at, value) in [(0.0, 0.0), (0.25, 0.0), (0.5, 0.5), (0.75, 1.0), (1.0, 1.0)] {
            assert_eq!(color_at(&stops, at), Rgba::new(value, value, value, 1.0), "{at}");
        }
        assert_eq!(color_at(&[], 0.5), Rgba::TRANSPARENT);
    }

    #[test]
    fn a_stop_more_changes_no_color() {
        let paint = Paint::solid(Rgba::BLACK);
        let gradient = gradient_of(&paint, GradientKind::Linear).unwrap();
        let more = with_stop(&gradient, 0);
        assert_eq!(more.stops.len(), 3);
        for at in [0.0, 0.3, 0.5, 0.8, 1.0] {
            let off = color_at(&more.stops, at).a - color_at(&gradient.stops, at).a;
            assert!(off.abs() < 1e-12, "{at}");
        }
    }

    #[test]
    fn a_gradient_of_another_form_keeps_its_stops_and_one_of_a_color_begins_with_it() {
        let paint = Paint::solid(Rgba::from_u8([1, 2, 3, 255]));
        let linear = gradient_of(&paint, GradientKind::Linear).unwrap();
        assert_eq!(linear.stops[0].color, Rgba::from_u8([1, 2, 3, 255]));
        let paint = Paint { kind: PaintKind::Gradient(linear.clone()), ..paint };
        let radial = gradient_of(&paint, GradientKind::Radial).unwrap();
        assert_eq!((radial.kind, radial.stops), (GradientKind::Radial, linear.stops));
    }
}
