//! The pictures of the item, moving as one.

use egui::{
    Align2, CursorIcon, Id, PointerButton, Pos2, Rect, Sense, Stroke, StrokeKind, Ui, Vec2, pos2,
    vec2,
};

use super::difference::difference_ui;
use super::films::filmstrips_ui;
use super::layers::layers_ui;
use super::marks::{place_ui, places_of, region_ui};
use super::parts::{annotate, has_answer_bar};
use crate::label::form::QuestionKind;
use crate::label::{AnswerValue, ItemKind, Place, Preferred, Qualification};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::stage::geometry::{
    self, Arrangement, PaneBox, WantedPane, as_wide_as, center_after_zoom, middle_of_view,
};
use crate::ui::stage::{Drawing, Textures};
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{EmptyState, paint_text, say, say_picture, sentence, text_width};
use crate::workbench::views::{self, EvidenceShown, PaneStatus};
use crate::workbench::{
    AnnotateCommand, Desk, EvidenceCommand, EvidenceLayout, EvidencePane, EvidenceView,
};

use super::form::option_ui;

/// How long each of two pictures stands while they blink, in seconds.
const BLINK: f64 = 0.8;
/// The bar of the answers below the pictures.
const ANSWERS: f32 = 60.0;
/// The filmstrip of a run.
const FILMSTRIP: f32 = 52.0;
/// A drag of fewer points is a click.
const LEAST_DRAG: f32 = 4.0;

/// What the pictures themselves remember.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    /// Zooms by keys, about the middle, not carried out yet.
    zoom_factors: Vec<f32>,
    /// Where a region that is being dragged began: the pane and a fraction of its picture.
    drag: Option<(EvidencePane, [f32; 2])>,
    scale: Option<f32>,
    readout: Option<String>,
}

impl Evidence {
    pub(super) fn zoom_step(&mut self, inward: bool) {
        self.zoom_factors.push(if inward { 1.25 } else { 0.8 });
    }

    /// Screen points a pixel of the reference, as drawn last.
    pub(super) fn scale(&self) -> Option<f32> {
        self.scale
    }

    pub(super) fn readout(&self) -> Option<&str> {
        self.readout.as_deref()
    }

    /// No picture is on the screen, and nothing under the pointer.
    pub(super) fn clear(&mut self) {
        (self.scale, self.readout) = (None, None);
    }

    /// Draws the pictures, and the answers below them.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, drawing: &mut Drawing) {
        let Some(desk) = &cx.state.annotate.desk else { return };
        if cx.state.annotate.asked().is_none() {
            self.clear();
            done_ui(ui, desk);
            return;
        }
        let panes = views::evidence_panes(cx.state);
        let mut area = ui.available_rect_before_wrap();
        if let Some(text) = cx.state.annotate.asked().and_then(|(item, _)| item.text.clone()) {
            area.min.y += words_ui(ui, area, &text);
        }
        if has_answer_bar(cx) {
            area.max.y -= ANSWERS;
        }
        let has_films = views::has_evidence_steps(cx.state);
        let runs = panes.iter().filter(|it| matches!(it.pane, EvidencePane::Run(_))).count();
        if has_films {
            area.max.y -= FILMSTRIP * runs as f32 + 4.0;
        }
        // Room is taken from below and then from the sides, so that pictures get what is left in one piece.
        let films = pos2(area.left(), area.bottom());
        area = layers_ui(ui, cx, &panes, area);
        let arrangement = arrange(area, &panes, &desk.view);
        self.scale = (!arrangement.panes.is_empty()).then_some(arrangement.scale);
        let response = ui.interact(area, Id::unique("evidence_area"), Sense::click_and_drag());
        self.navigate(ui, cx, &arrangement, &response);
        self.read_out(&panes, &arrangement, response.hover_pos());
        for pane in &arrangement.panes {
            pane_ui(ui, cx, drawing, pane, &panes);
        }
        self.point(ui, cx, &arrangement, &panes, &response);
        if has_films {
            let height = FILMSTRIP * runs as f32 + 4.0;
            let films = Rect::from_min_size(films, vec2(ui.available_width(), height));
            filmstrips_ui(ui, cx, &mut drawing.textures, &panes, films);
        }
        if has_answer_bar(cx) {
            let full = ui.available_rect_before_wrap();
            let bar = Rect::from_min_max(pos2(full.left(), full.bottom() - ANSWERS), full.max);
            answer_bar_ui(ui, cx, bar);
        }
    }

    /// Wheel zooms at the pointer, drag moves or shows a region, double click fits.
    fn navigate(
        &mut self,
        ui: &Ui,
        cx: &ViewContext<'_>,
        arrangement: &Arrangement<EvidencePane>,
        response: &egui::Response,
    ) {
        let Some(desk) = &cx.state.annotate.desk else { return };
        let view = &desk.view;
        let factors = std::mem::take(&mut self.zoom_factors);
        if let Some(pane) = arrangement.panes.first().filter(|_| !factors.is_empty()) {
            zoom_at(cx, view, arrangement, middle_of_view(pane), &factors);
        }
        if let Some(pos) = response.hover_pos()
            && let Some(pane) = arrangement.panes.iter().find(|pane| pane.visible.contains(pos))
        {
            // The point under the pointer stays where it is, as on the stage.
            let (scroll, pinch) =
                ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
            let factor = pinch * (scroll / 240.0).exp();
            if (factor - 1.0).abs() > 1e-4 {
                zoom_at(cx, view, arrangement, pane.fraction_at(pos), &[factor]);
            }
        }
        // A drag points at something then, and moves nothing.
        if view.pointing.is_some() {
            return;
        }
        if response.dragged_by(PointerButton::Primary) || response.dragged_by(PointerButton::Middle)
        {
            if view.layout == EvidenceLayout::Swipe && is_pair(cx) {
                divide(cx, arrangement, response);
            } else {
                pan(ui, cx, view, arrangement, response.drag_delta());
            }
        }
        if response.double_clicked() {
            annotate(cx, AnnotateCommand::View(EvidenceCommand::Fit));
        }
    }

    /// What a drag or a click shows, while something is pointed at.
    fn point(
        &mut self,
        ui: &Ui,
        cx: &ViewContext<'_>,
        arrangement: &Arrangement<EvidencePane>,
        panes: &[EvidenceShown<'_>],
        response: &egui::Response,
    ) {
        let is_pointing =
            cx.state.annotate.desk.as_ref().is_some_and(|desk| desk.view.pointing.is_some());
        if !is_pointing {
            self.drag = None;
            return;
        }
        let runs = || arrangement.panes.iter().filter(|it| matches!(it.pane, EvidencePane::Run(_)));
        if response.hovered() {
            ui.ctx().set_cursor_icon(CursorIcon::Crosshair);
        }
        let pos = response.interact_pointer_pos();
        if response.drag_started() || response.clicked() {
            // Where the button went down: a drag is one only some points on.
            let from = ui.input(|input| input.pointer.press_origin()).or(pos);
            self.drag = from.and_then(|pos| {
                let pane = runs().find(|pane| pane.visible.contains(pos))?;
                Some((pane.pane, pane.fraction_at(pos)))
            });
        }
        let Some((which, from)) = self.drag else { return };
        let Some((pane, pos)) = runs().find(|pane| pane.pane == which).zip(pos) else { return };
        let to = pane.fraction_at(pos).map(|at| at.clamp(0.0, 1.0));
        let rect =
            Rect::from_two_pos(pane.screen_from_fraction(from), pane.screen_from_fraction(to));
        if response.dragged() {
            region_ui(ui, ui.painter(), rect, true);
        }
        if response.drag_stopped() || response.clicked() {
            self.drag = None;
            let is_region = rect.width().max(rect.height()) >= LEAST_DRAG;
            let shown = panes.iter().find(|shown| shown.pane == which);
            let region = is_region.then_some([from, to]);
            if let Some(place) = shown.and_then(|shown| place_at(cx, shown, from, region)) {
                annotate(cx, AnnotateCommand::PointedAt(place));
            }
        }
    }

    /// The pixel under the pointer, in every picture.
    fn read_out(
        &mut self,
        panes: &[EvidenceShown<'_>],
        arrangement: &Arrangement<EvidencePane>,
        pos: Option<Pos2>,
    ) {
        self.readout = pos.and_then(|pos| {
            let pane = arrangement.panes.iter().find(|pane| pane.visible.contains(pos))?;
            let fraction = pane.fraction_at(pos);
            let mut words = Vec::new();
            for shown in panes {
                let Some(picture) = shown.shown.picture else { continue };
                let pixels = &picture.pixels;
                let at = geometry::pixel_at(fraction, pixels.width(), pixels.height());
                let Some([x, y]) = at else { continue };
                // One place for all pictures, told once; each then says its colour there.
                if words.is_empty() {
                    words.push(format!("x {x} y {y}"));
                }
                let Some([r, g, b, _]) = pixels.get(x, y) else { continue };
                words.push(format!("{} #{r:02X}{g:02X}{b:02X}", shown.title));
            }
            Some(words.join(" · "))
        });
    }
}

/// The line between two runs follows the pointer.
fn divide(
    cx: &ViewContext<'_>,
    arrangement: &Arrangement<EvidencePane>,
    response: &egui::Response,
) {
    let first = arrangement.panes.first();
    let Some((pane, pos)) = first.zip(response.interact_pointer_pos()) else { return };
    let [x, _] = pane.fraction_at(pos);
    annotate(cx, AnnotateCommand::View(EvidenceCommand::Divide(x)));
}

fn is_pair(cx: &ViewContext<'_>) -> bool {
    cx.state.annotate.asked().is_some_and(|(item, _)| item.kind == ItemKind::Pair)
}

/// Where the pictures lie: all beside each other; of a pair that lies over each other, one place for both.
fn arrange(
    area: Rect,
    panes: &[EvidenceShown<'_>],
    view: &EvidenceView,
) -> Arrangement<EvidencePane> {
    let pixels = |shown: &EvidenceShown<'_>| {
        let picture = shown.shown.picture?;
        Some(vec2(picture.pixels.width() as f32, picture.pixels.height() as f32))
    };
    let truth = panes.iter().find(|shown| shown.pane == EvidencePane::Truth).and_then(pixels);
    let first = panes.iter().find_map(pixels);
    // A phone's screen until anything is there: what most tasks show.
    let reference = truth.or(first).unwrap_or(vec2(390.0, 844.0));
    let is_over =
        view.layout != EvidenceLayout::SideBySide && panes.iter().any(|it| it.title == "B");
    let wanted: Vec<WantedPane<EvidencePane>> = panes
        .iter()
        .filter(|shown| !(is_over && shown.title == "B"))
        .map(|shown| (shown.pane, pixels(shown).map(|pixels| as_wide_as(reference, pixels))))
        .collect();
    geometry::arrange(area, &wanted, reference, view.zoom, view.center)
}

fn zoom_at(
    cx: &ViewContext<'_>,
    view: &EvidenceView,
    arrangement: &Arrangement<EvidencePane>,
    fixed: [f32; 2],
    factors: &[f32],
) {
    let zoom = geometry::zoomed(arrangement.scale, factors);
    // While fitted the middle of the picture is the middle of the view.
    let center = if view.zoom.is_none() { [0.5, 0.5] } else { view.center };
    let center = center_after_zoom(center, fixed, arrangement.scale, zoom);
    annotate(cx, AnnotateCommand::View(EvidenceCommand::View { zoom, center }));
}

fn pan(
    ui: &Ui,
    cx: &ViewContext<'_>,
    view: &EvidenceView,
    arrangement: &Arrangement<EvidencePane>,
    delta: Vec2,
) {
    let Some(pane) = arrangement.panes.first().filter(|_| delta != Vec2::ZERO) else { return };
    ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    let size = pane.picture.size();
    let center = if view.zoom.is_none() { [0.5, 0.5] } else { view.center };
    let center = [center[0] - delta.x / size.x.max(1.0), center[1] - delta.y / size.y.max(1.0)];
    let zoom = arrangement.scale;
    annotate(cx, AnnotateCommand::View(EvidenceCommand::View { zoom, center }));
}

/// The place of a point or a region of a pane's picture: in pixels of the canvas.
fn place_at(
    cx: &ViewContext<'_>,
    shown: &EvidenceShown<'_>,
    at: [f32; 2],
    region: Option<[[f32; 2]; 2]>,
) -> Option<Place> {
    let EvidencePane::Run(run) = shown.pane else { return None };
    let canvas = canvas_of(cx, shown)?;
    let region = region.map(|[from, to]| {
        let edge = |a: f32, b: f32, side: f64| {
            let (low, high) = (f64::from(a.min(b)) * side, f64::from(a.max(b)) * side);
            (low.round(), (high - low).round().max(1.0))
        };
        let (x, width) = edge(from[0], to[0], canvas[0]);
        let (y, height) = edge(from[1], to[1], canvas[1]);
        [x, y, width, height]
    });
    let picture = shown.shown.picture?;
    // Without a region, the topmost node there.
    let (x, y) = (
        f64::from(at[0]) * f64::from(picture.pixels.width()),
        f64::from(at[1]) * f64::from(picture.pixels.height()),
    );
    let node = picture.nodes.iter().rev().find(|node| {
        let area = node.pixel_box;
        (area.x..area.right()).contains(&x) && (area.y..area.bottom()).contains(&y)
    });
    let runs = cx.state.annotate.asked().map_or(0, |(item, _)| item.runs.len());
    Some(Place {
        run: (runs > 1).then_some(u32::from(run)),
        step: shown.step.map(|(step, _)| step),
        node: node.filter(|_| region.is_none()).map(|node| node.id.clone()),
        region,
    })
}

/// The size that regions of a run count in: its canvas, or its picture where that is not known.
fn canvas_of(cx: &ViewContext<'_>, shown: &EvidenceShown<'_>) -> Option<[f64; 2]> {
    let EvidencePane::Run(run) = shown.pane else { return None };
    let picture = shown.shown.picture?;
    let evidence = views::evidence(cx.state)?;
    let size = match evidence {
        crate::workbench::Fetched::Ready(evidence) => {
            let run = evidence.runs.get(usize::from(run))?.as_ref().ok()?;
            run.manifest.canvas_size.map(|size| [size.width, size.height])
        }
        _ => None,
    };
    let pixels = [picture.pixels.width(), picture.pixels.height()].map(f64::from);
    Some(size.unwrap_or(pixels))
}

/// Draws one pane with its title, picture and places.
/// What a picture is called: with who made it, where that may be seen.
fn named(shown: &EvidenceShown<'_>) -> String {
    match shown.made_by {
        Some(name) => format!("{} · {name}", shown.title),
        None => shown.title.to_owned(),
    }
}

fn pane_ui(
    ui: &Ui,
    cx: &ViewContext<'_>,
    drawing: &mut Drawing,
    pane: &PaneBox<EvidencePane>,
    panes: &[EvidenceShown<'_>],
) {
    let tokens = tokens(ui);
    let Some(shown) = panes.iter().find(|shown| shown.pane == pane.pane) else { return };
    let Some(desk) = &cx.state.annotate.desk else { return };
    // Only A has something over it: laid over one another there is one pane for both.
    let other = panes.iter().find(|it| it.title == "B" && shown.title == "A");
    let over = other.filter(|_| desk.view.layout != EvidenceLayout::SideBySide);
    let truth = panes.iter().find(|it| it.pane == EvidencePane::Truth);
    let held = truth.filter(|_| desk.view.holds_truth && pane.pane != EvidencePane::Truth);
    let painter = ui.painter().with_clip_rect(pane.visible.expand(24.0).intersect(ui.clip_rect()));
    painter.add(tokens.picture_shadow().as_shape(pane.visible, 2));
    painter.rect(pane.visible, 0, tokens.panel, tokens.line(), StrokeKind::Outside);
    let title = match (held, over, desk.view.layout) {
        (Some(held), ..) => {
            picture_ui(ui, &mut drawing.textures, pane, held, pane.visible);
            "Ground truth".to_owned()
        }
        (None, Some(b), EvidenceLayout::Swipe) => {
            let x = pane.picture.left() + pane.picture.width() * desk.view.divide;
            let x = x.clamp(pane.visible.left(), pane.visible.right());
            let (left, right) = pane.visible.split_left_right_at_x(x);
            for (side, clip) in [(shown, left), (b, right)] {
                picture_ui(ui, &mut drawing.textures, pane, side, clip);
                difference_ui(ui, cx, drawing, (pane, clip), side);
            }
            let line = Stroke::new(2.0, tokens.accent);
            painter.vline(x, pane.visible.y_range(), line);
            painter.circle(pos2(x, pane.visible.center().y), 7.0, tokens.accent, Stroke::NONE);
            format!("{} | {}", named(shown), named(b))
        }
        (None, Some(b), EvidenceLayout::Blink) => {
            let now = ui.input(|input| input.time);
            let shows_b = (now / BLINK).rem_euclid(2.0) >= 1.0;
            ui.ctx().request_repaint_after_secs((BLINK - now.rem_euclid(BLINK)) as f32);
            let front = if shows_b { b } else { shown };
            picture_ui(ui, &mut drawing.textures, pane, front, pane.visible);
            difference_ui(ui, cx, drawing, (pane, pane.visible), front);
            named(front)
        }
        _ => {
            picture_ui(ui, &mut drawing.textures, pane, shown, pane.visible);
            difference_ui(ui, cx, drawing, (pane, pane.visible), shown);
            named(shown)
        }
    };
    title_ui(ui, pane, &title, shown);
    if let Some(canvas) = canvas_of(cx, shown) {
        let step = shown.step.map(|(step, _)| step);
        for place in places_of(&desk.draft.answer, desk.draft.mark.as_ref()) {
            place_ui(ui, pane, canvas, step, &place);
        }
    }
    if let EvidencePane::Candidate(place) = shown.pane
        && let Some(rank) = views::candidate_rank(cx.state, place)
    {
        rank_ui(ui, pane, shown.title, rank);
    }
    status_ui(ui, pane, shown);
}

/// Where a candidate stands, in the corner of its picture.
fn rank_ui(ui: &Ui, pane: &PaneBox<EvidencePane>, title: &str, rank: usize) {
    let tokens = tokens(ui);
    let badge = Rect::from_min_size(pane.visible.min + vec2(8.0, 8.0), Vec2::splat(26.0));
    let painter = ui.painter().with_clip_rect(pane.visible.intersect(ui.clip_rect()));
    painter.circle(badge.center(), 13.0, tokens.accent, Stroke::new(1.5, tokens.on_accent));
    let style = (Type::Strong, tokens.on_accent);
    let words = rank.to_string();
    paint_text(&painter, badge.center(), Align2::CENTER_CENTER, &words, style, badge.width());
    say(ui, ("candidate_rank", title), badge, &format!("{title} has rank {rank}"));
}

fn title_ui(ui: &Ui, pane: &PaneBox<EvidencePane>, title: &str, shown: &EvidenceShown<'_>) {
    let tokens = tokens(ui);
    let at = pane.title.left_center();
    let style = (Type::Strong, tokens.text);
    let room = pane.title.width();
    let name = paint_text(ui.painter(), at, Align2::LEFT_CENTER, title, style, room);
    let aside = match (shown.step, shown.pane) {
        (Some((step, last)), _) => format!("step {step} of {last}"),
        (None, EvidencePane::Truth) => "hold G in its place".to_owned(),
        (None, EvidencePane::Run(_) | EvidencePane::Candidate(_)) => String::new(),
    };
    let right = pane.title.right_center();
    if text_width(ui, &aside, Type::Caption) + name.width() + 12.0 < room {
        let style = (Type::Caption, tokens.dim);
        paint_text(ui.painter(), right, Align2::RIGHT_CENTER, &aside, style, room);
    }
}

/// The picture in its place, as far as it lies within `clip`.
fn picture_ui(
    ui: &Ui,
    textures: &mut Textures,
    pane: &PaneBox<EvidencePane>,
    shown: &EvidenceShown<'_>,
    clip: Rect,
) {
    let (Some(picture), Some(key)) = (shown.shown.picture, &shown.shown.key) else { return };
    // As wide as its place, and as high as its own shape makes it.
    let height = pane.picture.width() * picture.pixels.height() as f32
        / (picture.pixels.width() as f32).max(1.0);
    let rect = Rect::from_min_size(pane.picture.min, vec2(pane.picture.width(), height));
    let painter = ui.painter().with_clip_rect(clip.intersect(ui.clip_rect()));
    textures.picture_ui(&painter, key, picture, rect);
    let (width, height) = (picture.pixels.width(), picture.pixels.height());
    let name = format!("Picture of {}, {width} by {height} pixels", shown.title);
    say_picture(ui, Id::unique(("evidence_picture", shown.title)), pane.visible, &name);
}

fn status_ui(ui: &Ui, pane: &PaneBox<EvidencePane>, shown: &EvidenceShown<'_>) {
    let words = match shown.shown.status {
        PaneStatus::Current => return,
        PaneStatus::Loading => "Picture loading…".to_owned(),
        PaneStatus::Failed(why) | PaneStatus::Nothing(why) | PaneStatus::Asked(why) => {
            sentence(why)
        }
    };
    let tokens = tokens(ui);
    let room = (pane.visible.width() - 24.0).max(20.0);
    let painter = ui.painter().with_clip_rect(pane.visible.intersect(ui.clip_rect()));
    let font = Type::Body.font();
    let mut job = egui::text::LayoutJob::simple(words.clone(), font, tokens.dim, room);
    job.halign = egui::Align::Center;
    job.wrap.max_rows = 8;
    let galley = painter.layout_job(job);
    let at = pane.visible.center() - vec2(0.0, galley.size().y * 0.5);
    painter.galley(at, galley, tokens.dim);
    say(ui, ("evidence_status", shown.title), pane.visible, &words);
}

/// Words that are the item, such as a task's; how high they are.
fn words_ui(ui: &mut Ui, area: Rect, words: &str) -> f32 {
    let tokens = tokens(ui);
    let room = area.shrink2(vec2(20.0, 10.0));
    let mut job = egui::text::LayoutJob::simple(
        words.to_owned(),
        Type::Title.font(),
        tokens.text,
        room.width(),
    );
    job.wrap.max_rows = 12;
    let galley = ui.painter().layout_job(job);
    let height = galley.size().y + 20.0;
    ui.painter().galley(room.min, galley, tokens.text);
    say(ui, "evidence_words", Rect::from_min_size(area.min, vec2(area.width(), height)), words);
    height
}

/// Which of the pair, below the pictures.
fn answer_bar_ui(ui: &mut Ui, cx: &ViewContext<'_>, bar: Rect) {
    let Some((_, form)) = cx.state.annotate.asked() else { return };
    let Some(desk) = &cx.state.annotate.desk else { return };
    let Some(question) = form.questions.first() else { return };
    let QuestionKind::Preference { tie } = question.answer else { return };
    let is_swapped = desk.unit().is_some_and(|unit| unit.turn.is_swapped);
    let (left, right) = if is_swapped {
        (Preferred::Second, Preferred::First)
    } else {
        (Preferred::First, Preferred::Second)
    };
    let value = desk.draft.answer.values.get(&question.id);
    // Digits are the keys of whichever question has them.
    let has_keys = desk.draft.focused(form).is_some_and(|focused| focused.id == question.id);
    let mut answers = vec![(left, '1', "A is closer")];
    if tie {
        answers.push((Preferred::Tie, '2', "Tie"));
    }
    answers.push((right, '3', "B is closer"));
    let gap = 12.0;
    let count = answers.len() as f32;
    let inner = bar.shrink2(vec2(20.0, 8.0));
    let width = ((inner.width() - gap * (count - 1.0)) / count).min(300.0);
    let all = width * count + gap * (count - 1.0);
    let mut at = pos2(inner.center().x - all * 0.5, inner.top());
    for (preferred, key, words) in answers {
        let rect = Rect::from_min_size(at, vec2(width, inner.height().min(size::BUTTON + 18.0)));
        at.x += width + gap;
        let builder = egui::UiBuilder::new().max_rect(rect);
        let is_on = value == Some(&AnswerValue::Preference(preferred));
        let shown = ui.scope_builder(builder, |ui| {
            option_ui(ui, has_keys.then_some(key), words, is_on, rect.size())
        });
        if shown.inner.clicked() {
            let value = Some(AnswerValue::Preference(preferred));
            let question = question.id.clone();
            annotate(cx, AnnotateCommand::Answer { question, value });
        }
    }
}

fn done_ui(ui: &mut Ui, desk: &Desk) {
    if let Qualification::Failed(share) = desk.qualification {
        let words = format!(
            "Thank you for your time. {} of {} answers were as they should be, which is less than this study asks \
             for, so there are no further items for you. Whoever leads the study sees this, and may let you on.",
            share.hits, share.of
        );
        EmptyState::new(icons::INFO, "That was the qualification", &words).show(ui, |_| {});
        return;
    }
    let (title, words) = if desk.units.is_empty() {
        ("Nothing is asked of you", "No item of this project is yours.")
    } else {
        (
            "All done",
            "Every item is answered and on disk. The list at the left and the strip below open \
             any of them again.",
        )
    };
    EmptyState::new(icons::DONE, title, words).show(ui, |_| {});
}
