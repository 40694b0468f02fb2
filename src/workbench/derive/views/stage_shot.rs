//! What the stage shows, to be written to a file.

use std::sync::Arc;

use crate::base::{Palette, Rect, shell_line};
use crate::evaluate::MadeBy;
use crate::workbench::model::{
    FAINTEST_PIXEL_DIFFERENCE, IgnoredArea, PIXEL_DIFFERENCE_SCALE, ShotBox, ShotContent, ShotPane,
    StagePane, StageShot, StageView, State,
};

use super::nodes::{StageBox, boxes, is_compared, side_in};
use super::stage::{Heat, against_pane, heat, pane, panes};

/// What the stage shows, pane by pane; those without a picture are left out.
pub fn stage_shot(state: &State, scale: u8) -> StageShot {
    let boxes = if state.stage.boxes { boxes(state).0 } else { Vec::new() };
    let shown = panes(state).into_iter().filter_map(|which| shot_pane(state, which, &boxes));
    // All are drawn as wide as the picture that the zoom counts in.
    let width = [StagePane::GroundTruth, StagePane::Run]
        .into_iter()
        .find_map(|which| Some(pane(state, which).picture?.pixels.width()));
    let panes = shown.collect();
    StageShot { panes, width: width.unwrap_or(1), scale, about: stage_about(state) }
}

/// What a file of the stage says of itself: which run and step, by which variant the heat is, and the command that
/// opens the window there.
pub fn stage_about(state: &State) -> String {
    let title = match (state.selected_run(), state.selected_task()) {
        (Some(run), _) => {
            let (task, agent) = (&run.task.id, &run.manifest.agent.name);
            format!("{task} · {agent}, step {} of {}", state.selection.step, run.steps)
        }
        (None, Some(task)) => task.id.clone(),
        (None, None) => String::new(),
    };
    let shows_heat = state.stage.panes.contains(&StagePane::Heat) || state.stage.heat_opacity > 0.0;
    let heat = state.heat_variant().filter(|_| shows_heat);
    let made_by = MadeBy {
        command: open_command(state),
        variants: heat.into_iter().map(|variant| variant.id.to_string()).collect(),
        ..MadeBy::default()
    };
    let lines = std::iter::once(title).filter(|title| !title.is_empty()).chain(made_by.lines());
    lines.collect::<Vec<_>>().join("\n")
}

/// The command that opens the window where it stands.
pub(in crate::workbench) fn open_command(state: &State) -> String {
    // A link leads to the very place; without a run the folders are the nearest to it.
    let place = match state.link() {
        Some(link) => vec!["open".to_owned(), link.to_string()],
        None => state.paths_of_runs(),
    };
    shell_line(std::iter::once("pentimento").chain(place.iter().map(String::as_str)))
}

/// A pane with what lies over it.
fn shot_pane(state: &State, which: StagePane, boxes: &[StageBox]) -> Option<ShotPane> {
    let content = shot_content(state, which)?;
    let side = is_compared(state, which).then(|| side_in(state, which));
    let boxes = boxes.iter().filter(|found| Some(found.side) == side);
    let boxes = boxes.map(|found| ShotBox {
        area: in_widths(found.screen_box, found.screen.width),
        color: if content.is_on_black() {
            found.kind.color_on_map()
        } else {
            found.kind.color_on_picture()
        },
        is_filled: found.kind.is_filled(),
    });
    let boxes = boxes.collect();
    let is_difference = which == StagePane::Overlaid && state.shows_difference();
    let ignored = if is_difference { state.ignored_areas() } else { &[] };
    let ignored = ignored.iter().map(|area| {
        let [[left, top], [right, bottom]] =
            [area.min, area.max].map(|corner| corner.map(f64::from));
        let area = Rect::new(left, top, right - left, bottom - top);
        in_widths(area, f64::from(IgnoredArea::WIDTH))
    });
    Some(ShotPane { ignored: ignored.collect(), boxes, content })
}

/// The same where what is so wide is one wide.
fn in_widths(area: Rect, width: f64) -> Rect {
    let Rect { x, y, width: across, height } = area;
    let [x, y, across, height] = [x, y, across, height].map(|it| it / width.max(1.0));
    Rect::new(x, y, across, height)
}

fn shot_content(state: &State, which: StagePane) -> Option<ShotContent> {
    let stage = &state.stage;
    match which {
        StagePane::Heat => {
            let heat = heat(state);
            let (places, width) = places(&heat)?;
            let (threshold, palette) = (stage.heat_threshold, heat.palette);
            Some(ShotContent::Heat { places, width, threshold, palette, over: None })
        }
        StagePane::Overlaid => overlaid_content(state),
        StagePane::Run if stage.heat_opacity > 0.0 && state.shows_compared_document() => {
            let picture = pane(state, which).picture?;
            // Without a map the picture alone is what can be seen.
            let heat = heat(state);
            let Some((places, width)) = places(&heat) else {
                return Some(ShotContent::Picture(Arc::clone(picture)));
            };
            Some(ShotContent::Heat {
                places,
                width,
                threshold: stage.heat_threshold,
                palette: heat.palette,
                over: Some((picture.pixels.clone(), stage.heat_opacity)),
            })
        }
        which => Some(ShotContent::Picture(Arc::clone(pane(state, which).picture?))),
    }
}

/// The run and what it is compared with over one another; where something is let pass, which pixels differ, once that
/// is known.
fn overlaid_content(state: &State) -> Option<ShotContent> {
    let stage = &state.stage;
    // What is let pass is drawn as it is seen: as a map, which has no picture of the run in it.
    let tolerant = state.pixel_difference_key();
    if let Some(found) = tolerant.and_then(|key| state.derived.pixel_differences.ready(&key)) {
        let values = found.map.values.iter();
        return Some(ShotContent::Heat {
            places: values.map(|value| PIXEL_DIFFERENCE_SCALE.place(*value)).collect(),
            width: found.map.width,
            threshold: FAINTEST_PIXEL_DIFFERENCE,
            palette: Palette::Sequential(state.settings.heat_colors),
            over: None,
        });
    }
    let first = Arc::clone(pane(state, StagePane::Run).picture?);
    let second = Arc::clone(pane(state, against_pane(state)).picture?);
    let amount = match stage.view {
        StageView::Swipe => stage.swipe,
        StageView::OnionSkin => stage.onion,
        StageView::Difference => stage.gain,
        StageView::SideBySide | StageView::Blink => 0.0,
    };
    let (view, swipe_down) = (stage.view, stage.swipe_down);
    Some(ShotContent::Overlaid { pictures: [first, second], view, amount, swipe_down })
}

fn places(heat: &Heat<'_>) -> Option<(Vec<f32>, u32)> {
    let map = heat.map?;
    Some((map.values.iter().map(|value| heat.scale.place(*value)).collect(), map.width))
}
