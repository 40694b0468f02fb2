//! A picture that is kept packed is drawn as one that is there whole: every pixel, at every zoom.

use std::sync::Arc;

use egui::vec2;
use egui_kittest::wgpu::WgpuTestRenderer;

use pentimento::base::{Pixels, TiledPixels};
use pentimento::gpu::Target;
use pentimento::raster::shrink;
use pentimento::workbench::{
    PictureKey, Reduced, StageCommand, StagePicture, StagePixels, StageView, State, TiledPicture,
    handle,
};

use super::fixture::{self, RUN, bare, put, task_ref};
use super::harness::{Host, window};

const SIZE: [f32; 2] = [1440.0, 900.0];

/// Some tiles a side, neither by a whole one: noise, a flat area, a clear one.
fn pixels(seed: u32) -> Pixels {
    let (width, height) = (1300u32, 1101u32);
    let samples = (0..height).flat_map(|y| (0..width).map(move |x| [x, y])).flat_map(|[x, y]| {
        let noise = (x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77)).wrapping_mul(seed);
        match (x / 200 + y / 150) % 4 {
            0 => [(noise >> 24) as u8, (noise >> 16) as u8, (noise >> 8) as u8, 255],
            1 => [240, 120, 60, 255],
            2 => [(x / 6) as u8, (y / 6) as u8, (seed >> 3) as u8, 255],
            _ => [20, 200, 220, (x % 256) as u8],
        }
    });
    Pixels::from_rgba(width, height, samples.collect()).unwrap()
}

fn packed(pixels: &Pixels) -> StagePicture {
    let (samples, _) = pixels.rgba().as_chunks::<4>();
    let (small, columns) = shrink(samples, pixels.width() as usize, (4, 4));
    let rows = small.len() / columns;
    let small = Pixels::from_rgba(columns as u32, rows as u32, small.into_flattened()).unwrap();
    let overview = Reduced { halvings: 2, pixels: small };
    let exact = TiledPixels::pack(pixels).unwrap();
    let tiled = StagePixels::Tiled(TiledPicture { exact, overview });
    StagePicture { pixels: tiled, reduced: Arc::default(), ..bare(pixels.clone()) }
}

/// The run's picture and the ground truth, both large, at this zoom.
fn state(make: impl Fn(&Pixels) -> StagePicture, view: StageView, zoom: f32) -> State {
    let mut state = fixture::full();
    let step = state.selection.step;
    put(&mut state, PictureKey::Step(RUN, step), make(&pixels(7)));
    put(&mut state, PictureKey::GroundTruth(task_ref("gid11-16")), make(&pixels(1_048_583)));
    for command in [
        StageCommand::Compare(view),
        StageCommand::Zoom(zoom),
        StageCommand::PanBy([0.113, -0.217]),
    ] {
        drop(handle(&mut state, pentimento::workbench::Command::Stage(command)));
    }
    state
}

/// What the window looks like with the pointer on the picture, and how many pixels the two ways are apart.
fn apart(view: StageView, zoom: f32, draw: impl Fn(State) -> image::RgbaImage) -> usize {
    let whole = draw(state(|pixels| bare(pixels.clone()), view, zoom));
    let tiled = draw(state(packed, view, zoom));
    let apart = whole.pixels().zip(tiled.pixels()).filter(|(one, other)| {
        one.0.iter().zip(other.0).any(|(one, other)| one.abs_diff(other) > 1)
    });
    apart.count()
}

fn by_processor(state: State) -> image::RgbaImage {
    let mut harness = window(state, SIZE);
    // The readout has the pixel under the pointer.
    harness.hover_at(egui::Pos2::ZERO + vec2(520.0, 330.0));
    harness.run_steps(8);
    harness.render().unwrap()
}

fn by_card(state: State) -> image::RgbaImage {
    let render = egui_kittest::wgpu::create_render_state(
        egui_kittest::wgpu::default_wgpu_setup(),
        eframe::egui_wgpu::RendererOptions::PREDICTABLE,
    );
    let target = Target::of(&render);
    let mut harness =
        Host::drawn_by(state, SIZE, WgpuTestRenderer::from_render_state(render), target);
    harness.run_steps(8);
    harness.render().unwrap()
}

#[test]
fn a_packed_picture_looks_as_it_does_whole_at_every_zoom() {
    // Its overview; halved once; smaller than it is; its pixels; between them; told apart; with values.
    for zoom in [0.2, 0.4, 0.75, 1.0, 1.5, 5.0, 48.0] {
        let apart = apart(StageView::SideBySide, zoom, by_processor);
        assert!(apart <= 40, "zoom {zoom}: {apart} pixels differ");
    }
}

#[test]
fn packed_pictures_are_laid_over_one_another_as_they_are_whole() {
    for (view, zoom) in [
        (StageView::Difference, 0.4),
        (StageView::Difference, 1.0),
        (StageView::Swipe, 1.5),
        (StageView::OnionSkin, 5.0),
    ] {
        for draw in [by_processor, by_card] {
            let apart = apart(view, zoom, draw);
            assert!(apart <= 40, "{view:?} at {zoom}: {apart} pixels differ");
        }
    }
}
