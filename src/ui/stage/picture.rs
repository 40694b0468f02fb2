//! A picture alone.

use std::sync::Arc;

use egui::Ui;

use super::geometry::PaneBox;
use super::pixel_grid;
use super::textures::Textures;
use crate::ui::theme::tokens;
use crate::ui::widgets::say_picture;
use crate::workbench::protocol::StagePicture;
use crate::workbench::views::Pane;
use crate::workbench::{PictureKey, StagePane};

/// Draws a picture alone.
pub(super) fn picture_ui(
    ui: &Ui,
    textures: &mut Textures,
    pane: &PaneBox<StagePane>,
    shown: &Pane<'_>,
    scale: f32,
) {
    let (Some(picture), Some(key)) = (shown.picture, &shown.key) else { return };
    let painter = ui.painter().with_clip_rect(pane.visible.intersect(ui.clip_rect()));
    textures.picture_ui(&painter, key, picture, pane.picture);
    // After the picture and before the boxes, which must be seen on it.
    if scale >= pixel_grid::FROM_SCALE {
        pixel_grid::paint(&painter, tokens(ui), pane, &picture.pixels);
    }
    say_what(ui, pane, key, picture);
}

fn say_what(ui: &Ui, pane: &PaneBox<StagePane>, key: &PictureKey, picture: &Arc<StagePicture>) {
    let what = match key {
        PictureKey::Start(_) => "the start state".to_owned(),
        PictureKey::GroundTruth(_) | PictureKey::ItemTruth(_) => "the ground truth".to_owned(),
        PictureKey::Candidate(..) => "a candidate".to_owned(),
        PictureKey::Step(_, step) | PictureKey::Thumbnail(_, step) => format!("step {step}"),
        PictureKey::File(path) => path.display().to_string(),
        PictureKey::Branch(_, made) => format!("the what-if after {made} calls"),
        PictureKey::Document(_, step, program) => {
            format!("the document of program {}, as step {step} left it", program + 1)
        }
    };
    let (width, height) = (picture.pixels.width(), picture.pixels.height());
    let name = format!("Picture of {what}, {width} by {height} pixels");
    let id = ui.make_persistent_id(("stage_picture", pane.pane));
    say_picture(ui, id, pane.visible, &name);
}
