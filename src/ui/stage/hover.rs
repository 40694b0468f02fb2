//! What is under the pointer: the same place in every pane, its colours, the node there.

use std::sync::Arc;

use egui::{
    Id, Label, PopupAnchor, Pos2, Response, RichText, Stroke, StrokeKind, Tooltip, Ui, vec2,
};

use super::geometry::{Arrangement, PaneBox, PicturePlace, pixel_at};
use super::loupe::{self, Magnified, hex};
use super::pixel_grid::FROM_SCALE;
use super::shown::{ShownPanes, is_compared};
use crate::design::NodeId;
use crate::metric::{MapKind, ScalarMap};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, picture_tint, swatch_color, tokens};
use crate::ui::widgets::{change_words, rich_text, score_words};
use crate::workbench::protocol::{NodeBox, StagePicture};
use crate::workbench::views::{self, Heat};
use crate::workbench::{MapKey, NodeRef, NodeSide, PanePicture, SLOT_NAMES, StagePane};

/// The place under the pointer, and what is there.
#[derive(Debug, Default)]
pub(super) struct Hover {
    at: Option<HoveredPlace>,
    node: Option<HoveredNode>,
    /// The same node for the workbench.
    node_ref: Option<NodeRef>,
    readout: Option<String>,
    /// What the loupe shows, while it is on.
    loupe: Vec<Magnified>,
    /// The mean over a node is a pass over its pixels: kept until something changes.
    mean: Option<(MeanKey, Option<OnMap>)>,
    /// All difference or saliency of a map, kept as well.
    total: Option<(MapKey, f64)>,
}

/// Both sides may have a node of one id.
type MeanKey = (MapKey, NodeSide, String);

/// What a map says of a node.
#[derive(Clone, Copy, Debug)]
struct OnMap {
    /// The mean of its values in the node's box.
    mean: f64,
    /// How much of all difference or saliency lies there, 0 ..= 1; `None` where there is none.
    share: Option<f64>,
}

#[derive(Clone, Debug)]
struct HoveredPlace {
    pane: StagePane,
    at: PicturePlace,
    run: Option<[u8; 4]>,
    ground_truth: Option<[u8; 4]>,
    /// Of the run with other calls, while that is shown.
    branch: Option<[u8; 4]>,
    /// Of what stands beside the run, by their places.
    slots: Vec<Option<[u8; 4]>>,
    /// Pixels of the picture that places are told in.
    pixels: Option<[u32; 2]>,
    /// What the heat says of it, while that is shown.
    heat: Option<String>,
}

#[derive(Clone, Debug)]
struct HoveredNode {
    node: NodeBox,
    /// The pane it was found in.
    pane: StagePane,
    /// The node is of the ground truth, not of the run.
    of_ground_truth: bool,
    /// Pixels of the picture it lies in.
    pixels: [u32; 2],
    /// What lies there on the other side, and the call that changed the run's node last, as far as that is known.
    about: Vec<String>,
    /// What the map says of its box.
    on_map: Option<String>,
}

impl Hover {
    /// What the status bar says.
    pub(super) fn readout(&self) -> Option<&str> {
        self.readout.as_deref()
    }

    /// The node under the pointer.
    pub(super) fn node_ref(&self) -> Option<&NodeRef> {
        self.node_ref.as_ref()
    }

    /// The pane under the pointer.
    pub(super) fn pane(&self) -> Option<StagePane> {
        self.at.as_ref().map(|place| place.pane)
    }

    /// Nothing is under the pointer.
    pub(super) fn clear(&mut self) {
        self.at = None;
        self.node = None;
        self.node_ref = None;
        self.readout = None;
        self.loupe.clear();
    }

    /// Looks under the pointer.
    pub(super) fn update(
        &mut self,
        ui: &Ui,
        cx: &ViewContext<'_>,
        arrangement: &Arrangement<StagePane>,
        shown: &ShownPanes<'_>,
        response: &Response,
    ) {
        self.clear();
        // What lies over the window takes the pointer; what is under it there is not meant.
        let Some(pos) = response.hover_pos().filter(|_| cx.state.overlay.is_none()) else { return };
        let found = arrangement.panes.iter().find(|pane| pane.visible.contains(pos));
        // Words have no place that another picture would have too.
        let Some(pane) = found.filter(|pane| shown.pixels(pane.pane).is_some()) else { return };
        ui.ctx().set_cursor_icon(egui::CursorIcon::Crosshair);
        let at = place_at(pane, shown, pos);
        let own = shown.pane(if is_document(pane.pane) { pane.pane } else { StagePane::Run });
        let [run, ground_truth] = [own, &shown.ground_truth].map(|pane| color_at(pane.picture, at));
        let slots = shown.slots.iter().map(|slot| color_at(slot.picture, at)).collect();
        let place = HoveredPlace {
            pane: pane.pane,
            at,
            run,
            // Another document has nothing to do with the ground truth.
            ground_truth: ground_truth
                .filter(|_| is_compared(cx, pane.pane) || has_own_nodes(pane.pane)),
            branch: color_at(shown.branch.picture.filter(|_| shown.shows_branch()), at),
            slots,
            // Told in the ground truth's, so that one place has one pair of numbers in all panes.
            pixels: match pane.pane {
                StagePane::Program(_) => shown.pixels(pane.pane),
                _ => shown.pixels(StagePane::GroundTruth).or_else(|| shown.pixels(StagePane::Run)),
            },
            heat: heat_at(cx, shown, pane.pane, at),
        };
        self.readout = Some(readout(&place));
        if cx.state.stage.loupe {
            let own = if is_document(pane.pane) { pane.pane } else { StagePane::Run };
            self.loupe = loupe::magnified(shown, own, place.ground_truth.is_some(), place.at);
        }
        // While the pictures move, another node would light up with every point.
        if !response.dragged() {
            self.find_node(cx, shown, &place);
        }
        self.at = Some(place);
    }

    fn find_node(&mut self, cx: &ViewContext<'_>, shown: &ShownPanes<'_>, place: &HoveredPlace) {
        let (at, kind) = (place.at, shown.heat.kind);
        let is_heat = place.pane == StagePane::Heat;
        // Over the saliency of the ground truth its nodes are pointed at.
        let is_truth =
            place.pane == StagePane::GroundTruth || is_heat && kind == MapKind::GroundTruth;
        let own = shown.pane(place.pane).picture;
        let truth = shown.ground_truth.picture;
        let here = node_in(if is_truth { truth } else { own }, at);
        // It may be hot because the run lacks what the ground truth has there.
        let is_of_truth = shown.heat.slot.is_none() && kind == MapKind::Difference;
        let is_missing = here.is_none() && is_heat && is_of_truth;
        let of_ground_truth = is_truth || is_missing;
        let found = if is_missing { node_in(truth, at) } else { here };
        let Some((node, pixels)) = found else { return };
        let side = if of_ground_truth { NodeSide::GroundTruth } else { NodeSide::Canvas };
        // The lists are of the selected run: a node of another one, or of other calls, is none of theirs.
        let node_ref = (!has_own_nodes(place.pane))
            .then(|| NodeRef { side, id: NodeId::from(node.id.as_str()) });
        let is_both = is_compared(cx, place.pane)
            && (is_document(place.pane) || is_compared(cx, StagePane::Run))
            && (!is_heat || is_of_truth);
        let own = if place.pane == StagePane::GroundTruth { shown.run.picture } else { own };
        let (other, name) = if of_ground_truth { (own, "run") } else { (truth, "ground truth") };
        let other = other.filter(|picture| is_both && !picture.nodes.is_empty());
        let mut about: Vec<String> = other.map(|it| side_words(name, it, at)).into_iter().collect();
        // Only what the run has was changed by its calls.
        let changed = if of_ground_truth {
            node_in(other, at).map(|(node, _)| NodeId::from(node.id.as_str()))
        } else {
            node_ref.as_ref().map(|node| node.id.clone())
        };
        let changed = changed.map(|id| NodeRef { side: NodeSide::Canvas, id });
        if let Some(call) = changed.and_then(|node| last_call(cx, &node)) {
            // Behind the node that it is about.
            about.insert(if of_ground_truth { about.len() } else { 0 }, call);
        }
        self.node_ref = node_ref;
        // The map lies over the compared document; another document has no difference to tell. That of one side
        // alone is of its nodes.
        let is_of_map = match kind {
            MapKind::Difference => true,
            MapKind::Generated => !of_ground_truth,
            MapKind::GroundTruth => of_ground_truth,
        };
        let has_heat = is_of_map && is_compared(cx, place.pane);
        let (node, pane) = (node.clone(), place.pane);
        let on_map = if has_heat { self.mean_here(shown, &node, side, pixels) } else { None };
        let on_map = on_map.map(|on_map| on_map.words(&shown.heat));
        self.node = Some(HoveredNode { node, pane, of_ground_truth, pixels, about, on_map });
    }

    fn mean_here(
        &mut self,
        shown: &ShownPanes<'_>,
        node: &NodeBox,
        side: NodeSide,
        pixels: [u32; 2],
    ) -> Option<OnMap> {
        let (map, key) = (shown.heat.map?, shown.heat.key.clone()?);
        let key = (key, side, node.id.clone());
        if let Some((known, mean)) = &self.mean
            && *known == key
        {
            return *mean;
        }
        let scale = shown.heat.scale;
        let total = match &self.total {
            Some((known, total)) if *known == key.0 => *total,
            _ => map.values.iter().map(|value| f64::from(scale.difference(*value))).sum(),
        };
        self.total = Some((key.0.clone(), total));
        let on_map = mean_in(map, node.pixel_box, pixels, f64::from).map(|mean| {
            let there =
                mean_in(map, node.pixel_box, pixels, |value| f64::from(scale.difference(value)));
            let count = values_in(map, node.pixel_box, pixels).1 as f64;
            let share = there.filter(|_| total > 0.0).map(|there| there * count / total);
            OnMap { mean, share }
        });
        self.mean = Some((key, on_map));
        on_map
    }

    /// Draws the crosshair in the other panes, and the node's box.
    pub(super) fn marks_ui(
        &self,
        ui: &Ui,
        arrangement: &Arrangement<StagePane>,
        shown: &ShownPanes<'_>,
    ) {
        let Some(place) = &self.at else { return };
        for pane in &arrangement.panes {
            // Documents side by side are different pages: the same fraction of another one is
            // another place.
            let shows_the_same = !is_document(pane.pane) && !is_document(place.pane);
            if pane.pane != place.pane && shows_the_same && pane.picture.is_positive() {
                let pixels = shown.pixels(pane.pane);
                let fraction = pixels.map_or(place.at.fraction, |it| place.at.fraction_in(it));
                crosshair_ui(ui, pane, fraction);
            }
            if let Some(hovered) = &self.node {
                node_outline_ui(ui, pane, hovered, shown);
            }
        }
    }

    /// Draws the card beside the pointer: the node, and the colours when pixels are large.
    pub(super) fn card_ui(&self, ui: &Ui, arrangement: &Arrangement<StagePane>) {
        let Some(place) = &self.at else { return };
        let large = arrangement.scale >= FROM_SCALE;
        // Not while a button is down: the card would follow the drag and hide what is looked at.
        let magnifies = !self.loupe.is_empty();
        if self.node.is_none() && !large && !magnifies || ui.input(|input| input.pointer.any_down())
        {
            return;
        }
        let id = Id::unique("stage_card");
        let tooltip =
            Tooltip::always_open(ui.ctx().clone(), ui.layer_id(), id, PopupAnchor::Pointer);
        let width = if magnifies { loupe::WIDTH } else { 260.0 };
        tooltip.gap(14.0).width(width).show(|ui| {
            if let Some(hovered) = &self.node {
                node_ui(ui, hovered);
            }
            if magnifies {
                loupe::loupe_ui(ui, &self.loupe);
            } else if large {
                colors_ui(ui, place);
            }
        });
    }
}

impl HoveredPlace {
    /// The colours of what stands beside the run and the ground truth, with what each is called.
    fn beside(&self) -> impl Iterator<Item = (&'static str, [u8; 4])> {
        let slots = SLOT_NAMES.into_iter().zip(&self.slots);
        let all = [("what-if", &self.branch)].into_iter().chain(slots);
        all.filter_map(|(name, color)| Some((name, (*color)?)))
    }
}

impl OnMap {
    fn words(self, heat: &Heat<'_>) -> String {
        let share =
            self.share.map(|share| format!(" · {:.0} % {}", share * 100.0, heat.whole_name()));
        let mean = value_words(heat, self.mean);
        format!("{} here {mean}{}", heat.value_name(), share.unwrap_or_default())
    }
}

/// A value of the heat; of both signs with its own.
fn value_words(heat: &Heat<'_>, value: f64) -> String {
    if heat.scale.is_signed { change_words(value) } else { score_words(value) }
}

/// What the heat says of a place, where it is shown at all and is of what the pane shows.
fn heat_at(
    cx: &ViewContext<'_>,
    shown: &ShownPanes<'_>,
    pane: StagePane,
    at: PicturePlace,
) -> Option<String> {
    let is_shown = shown.panes.contains(&StagePane::Heat) || cx.state.stage.heat_opacity > 0.0;
    let map = shown.heat.map.filter(|_| is_shown && is_compared(cx, pane))?;
    // The map covers a picture, of whose pixels it need not have all.
    let fraction = at.fraction_in(shown.pixels(StagePane::Heat)?);
    let [x, y] = pixel_at(fraction, map.width, map.height)?;
    let value = map.get(x, y).filter(|value| value.is_finite())?;
    Some(format!("{} {}", shown.heat.value_name(), value_words(&shown.heat, f64::from(value))))
}

/// What lies under a point of a pane.
fn place_at(pane: &PaneBox<StagePane>, shown: &ShownPanes<'_>, pos: Pos2) -> PicturePlace {
    let run = shown.pixels(StagePane::Run).filter(|_| pane.pane == StagePane::Overlaid);
    let laid_over = run.map(|[width, height]| height as f32 / (width as f32).max(1.0));
    PicturePlace { fraction: pane.fraction_at(pos), laid_over }
}

fn pixels_of(picture: &StagePicture) -> [u32; 2] {
    [picture.pixels.width(), picture.pixels.height()]
}

/// The node at a place of a picture, with the pixels of that.
fn node_in(picture: Option<&Arc<StagePicture>>, at: PicturePlace) -> Option<(&NodeBox, [u32; 2])> {
    let picture = picture?;
    Some((node_at(picture, at)?, pixels_of(picture)))
}

/// What lies at a place of one side, in words.
fn side_words(side: &str, picture: &StagePicture, at: PicturePlace) -> String {
    match node_at(picture, at) {
        Some(node) => format!("{side} here: {}", node.name),
        None => format!("the {side} has nothing here"),
    }
}

/// The topmost node at a place, but not one that covers the whole picture.
fn node_at(picture: &StagePicture, at: PicturePlace) -> Option<&NodeBox> {
    let [x, y] = at.fraction_in(pixels_of(picture));
    let (width, height) = (f64::from(picture.pixels.width()), f64::from(picture.pixels.height()));
    let point = crate::base::Point { x: f64::from(x) * width, y: f64::from(y) * height };
    picture
        .nodes
        .iter()
        // The last drawn lies on top.
        .rev()
        .find(|node| node.pixel_box.contains(point))
        // The screen itself is under every point, and pointing at it says nothing.
        .filter(|node| node.pixel_box.area() < 0.97 * width * height)
}

/// Which call changed a node last.
fn last_call(cx: &ViewContext<'_>, node: &NodeRef) -> Option<String> {
    let step = views::history_of(cx.state, node)?.changed;
    let at = (step as usize).checked_sub(1)?;
    let call = cx.state.selected_run()?.loaded.as_ref()?.steps.get(at)?.call.as_ref()?;
    Some(format!("last changed by {} · step {step}", call.name))
}

/// The mean of what is made of the map's values in a box given in the pixels of a picture of another size.
fn mean_in(
    map: &ScalarMap,
    area: crate::base::Rect,
    pixels: [u32; 2],
    value: impl Fn(f32) -> f64,
) -> Option<f64> {
    let ([columns, rows], count) = values_in(map, area, pixels);
    let sum: f64 =
        rows.flat_map(|y| columns.clone().filter_map(move |x| map.get(x, y))).map(value).sum();
    (count > 0).then(|| sum / count as f64)
}

/// The columns and rows of the map that lie in a box given in the pixels of a picture of another size, and
/// how many values that is.
fn values_in(
    map: &ScalarMap,
    area: crate::base::Rect,
    [width, height]: [u32; 2],
) -> ([std::ops::Range<u32>; 2], u64) {
    // A node may reach over the edges of the picture; the map has no values there.
    let sides =
        [(area.x, area.right(), map.width, width), (area.y, area.bottom(), map.height, height)];
    let [columns, rows] = sides.map(|(from, to, end, pixels)| {
        let scale = f64::from(end) / f64::from(pixels.max(1));
        let [from, to] = [from, to].map(|at| (at * scale).clamp(0.0, f64::from(end)) as u32);
        from..to
    });
    let count = u64::from(columns.end.saturating_sub(columns.start))
        * u64::from(rows.end.saturating_sub(rows.start));
    ([columns, rows], count)
}

fn crosshair_ui(ui: &Ui, pane: &PaneBox<StagePane>, fraction: [f32; 2]) {
    let tokens = tokens(ui);
    let at = pane.screen_from_fraction(fraction);
    let painter = ui.painter().with_clip_rect(pane.visible.intersect(ui.clip_rect()));
    // Dark below light: a cross that is seen on pictures of any colour.
    for (width, color) in [(3.0, tokens.halo), (1.0, picture_tint(0.95))] {
        let stroke = Stroke::new(width, color);
        for (from, to) in [(4.0, 12.0), (-12.0, -4.0)] {
            painter.hline(at.x + from..=at.x + to, at.y, stroke);
            painter.vline(at.x, at.y + from..=at.y + to, stroke);
        }
    }
}

fn node_outline_ui(
    ui: &Ui,
    pane: &PaneBox<StagePane>,
    hovered: &HoveredNode,
    shown: &ShownPanes<'_>,
) {
    let facts = pane.pane.facts();
    let own_side = match facts.picture {
        // Nodes of either side have their place in a map.
        _ if facts.is_map => shown.heat.map.is_some() && !is_other(hovered.pane),
        PanePicture::Run => !hovered.of_ground_truth && !is_other(hovered.pane),
        PanePicture::GroundTruth => hovered.of_ground_truth,
        PanePicture::Program(_) | PanePicture::Slot(_) | PanePicture::Branch => {
            hovered.pane == pane.pane
        }
    };
    if !own_side {
        return;
    }
    let rect = pane.screen_from_pixels(hovered.node.pixel_box, hovered.pixels);
    let painter = ui.painter().with_clip_rect(pane.visible.intersect(ui.clip_rect()));
    let tokens = tokens(ui);
    painter.rect_stroke(rect, 1, Stroke::new(3.0, tokens.halo), StrokeKind::Middle);
    painter.rect_stroke(rect, 1, Stroke::new(1.5, tokens.accent), StrokeKind::Middle);
}

/// Whether a pane shows neither the selected run nor what it is scored by.
fn is_other(pane: StagePane) -> bool {
    is_document(pane) || has_own_nodes(pane)
}

/// Whether the nodes of a pane are of another run, or of other calls, and not those that lists show.
fn has_own_nodes(pane: StagePane) -> bool {
    matches!(pane, StagePane::Slot(_) | StagePane::Branch)
}

/// Whether a pane shows one of several documents side by side.
fn is_document(pane: StagePane) -> bool {
    matches!(pane, StagePane::Program(_))
}

fn readout(place: &HoveredPlace) -> String {
    let pixel = place.pixels.and_then(|pixels| place.at.pixel_in(pixels));
    let both = place.run.zip(place.ground_truth);
    let [run, truth] = [place.run, place.ground_truth].map(|color| color.map(hex));
    let parts = [
        pixel.map(|[x, y]| format!("x {x}  y {y}")),
        place.heat.clone(),
        run.map(|run| format!("run {run}")),
        truth.map(|truth| format!("truth {truth}")),
        both.map(|(run, truth)| format!("ΔRGB {}", color_distance(run, truth))),
    ];
    let beside = place.beside().map(|(name, color)| format!("{name} {}", hex(color)));
    parts.into_iter().flatten().chain(beside).collect::<Vec<_>>().join("  ·  ")
}

fn color_at(picture: Option<&Arc<StagePicture>>, at: PicturePlace) -> Option<[u8; 4]> {
    let picture = picture?;
    let [x, y] = at.pixel_in(pixels_of(picture))?;
    picture.pixels.get(x, y)
}

/// The largest difference of a channel on white, as the difference is drawn and counted: 0..=255.
fn color_distance(a: [u8; 4], b: [u8; 4]) -> u8 {
    let [a, b] = [a, b].map(on_white);
    (0..3).map(|channel| a[channel].abs_diff(b[channel])).max().unwrap_or(0)
}

fn on_white([r, g, b, a]: [u8; 4]) -> [u8; 3] {
    let (opaque, clear) = (u16::from(a), u16::from(u8::MAX - a));
    [r, g, b].map(|channel| ((u16::from(channel) * opaque + 255 * clear + 127) / 255) as u8)
}

fn node_ui(ui: &mut Ui, hovered: &HoveredNode) {
    let tokens = tokens(ui);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let icon = icons::of_node_kind(&hovered.node.kind);
        ui.label(rich_text(icon, Type::Icon, tokens.dim));
        let name = RichText::new(&hovered.node.name).font(Type::Strong.font());
        ui.add(Label::new(name.color(tokens.text)).truncate());
    });
    let area = hovered.node.pixel_box;
    let kind = hovered.node.kind.to_lowercase().replace('_', " ");
    let detail = format!(
        "{kind} · {:.0} × {:.0} px at {:.0}, {:.0} on the page",
        area.width, area.height, area.x, area.y
    );
    ui.label(rich_text(detail, Type::Caption, tokens.dim));
    for words in &hovered.about {
        let words = rich_text(words, Type::Caption, tokens.dim);
        ui.add(Label::new(words).truncate());
    }
    if let Some(words) = &hovered.on_map {
        let words = RichText::new(words).font(Type::Caption.font());
        ui.label(words.color(tokens.text));
    }
}

fn colors_ui(ui: &mut Ui, place: &HoveredPlace) {
    if let Some([x, y]) = place.pixels.and_then(|pixels| place.at.pixel_in(pixels)) {
        let words = RichText::new(format!("pixel {x}, {y}")).font(Type::Caption.font());
        ui.label(words.color(tokens(ui).dim));
    }
    let both = [("run", place.run), ("truth", place.ground_truth)];
    let both = both.into_iter().filter_map(|(name, color)| Some((name, color?)));
    for (name, [r, g, b, a]) in both.chain(place.beside()) {
        ui.horizontal(|ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(12.0, 12.0), egui::Sense::hover());
            let line = tokens(ui).line();
            let fill = swatch_color([r, g, b, a]);
            ui.painter().rect(rect, 2, fill, line, StrokeKind::Outside);
            let alpha = if a < u8::MAX { format!(" {a:>3}") } else { String::new() };
            let words = format!("{name:<7} {r:>3} {g:>3} {b:>3}{alpha}");
            ui.label(rich_text(words, Type::Mono, tokens(ui).text));
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn the_mean_is_over_the_box_and_scales_with_the_picture() {
        let values: Vec<f32> = (0..16).map(|at| if at % 4 < 2 { 1.0 } else { 0.0 }).collect();
        let map = ScalarMap { width: 4, height: 4, values: Arc::from(values) };
        let left = crate::base::Rect { x: 0.0, y: 0.0, width: 4.0, height: 8.0 };
        assert_eq!(mean_in(&map, left, [8, 8], f64::from), Some(1.0));
        let all = crate::base::Rect { x: 0.0, y: 0.0, width: 8.0, height: 8.0 };
        assert_eq!(mean_in(&map, all, [8, 8], f64::from), Some(0.5));
        let nothing = crate::base::Rect { x: 20.0, y: 0.0, width: 8.0, height: 8.0 };
        assert_eq!(mean_in(&map, nothing, [8, 8], f64::from), None);
    }

    #[test]
    fn the_distance_of_colours_is_that_of_their_farthest_channel() {
        assert_eq!(color_distance([10, 20, 30, 255], [12, 90, 30, 255]), 70);
        assert_eq!(color_distance([10, 20, 30, 0], [255; 4]), 0, "what is clear is white on white");
        assert_eq!(color_distance([0, 0, 0, 128], [0, 0, 0, 255]), 127);
    }
}
