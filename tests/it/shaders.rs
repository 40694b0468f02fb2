//! What the graphics card draws is what the processor computes, within a step of 8 bits.

use std::sync::Arc;

use egui::{Rect, pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::wgpu::WgpuTestRenderer;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use pentimento::base::{Palette, Pixels};
use pentimento::gpu::{
    DifferenceSamples, HeatDraw, OverlayDraw, Samples, Target, heat_shape, overlay_shape,
};
use pentimento::raster::overlay::{HeatColors, Overlay, RAMP, Viewport, heat, overlay};

const SIDE: u32 = 96;
const GROUND: [u8; 3] = [24, 26, 30];

/// What is drawn, and with what.
#[derive(Clone, Debug)]
struct Case {
    seed: u32,
    sizes: [[u32; 2]; 2],
    origin: [f32; 2],
    size: [f32; 2],
    second_origin: [f32; 2],
    second_size: [f32; 2],
    sharp: bool,
    amount: f32,
    threshold: f32,
}

fn case() -> impl Strategy<Value = Case> {
    let sizes = [[1u32..40, 1u32..40], [1u32..40, 1u32..40]];
    let side = || 1f32..400.0;
    let origin = || [-60f32..60.0, -60f32..60.0];
    let place = (origin(), [side(), side()], origin(), [side(), side()]);
    (any::<u32>(), sizes, place, any::<bool>(), 0f32..1.0, 0f32..1.0).prop_map(
        |(seed, sizes, (origin, size, second_origin, second_size), sharp, amount, threshold)| {
            Case { seed, sizes, origin, size, second_origin, second_size, sharp, amount, threshold }
        },
    )
}

impl Case {
    fn viewport(&self) -> Viewport {
        let (left, top) = (7, 11);
        Viewport {
            left,
            top,
            width: SIDE - left - 3,
            height: SIDE - top - 5,
            origin: self.origin,
            size: self.size,
            second_origin: self.second_origin,
            second_size: self.second_size,
            sharp: self.sharp,
        }
    }

    fn picture(&self, which: usize) -> Arc<Samples> {
        let [width, height] = self.sizes[which];
        let mut noise = Noise(self.seed.wrapping_add(which as u32) | 1);
        let count = (width * height) as usize;
        if which == 0 {
            let rgba = (0..count).flat_map(|_| [noise.byte(), noise.byte(), noise.byte(), 255]);
            let pixels = Pixels::from_rgba(width, height, rgba.collect()).unwrap();
            return Arc::new(Samples::Opaque(pixels));
        }
        let clear = |noise: &mut Noise| {
            let alpha = noise.byte();
            let channel = |noise: &mut Noise| noise.byte().min(alpha);
            [channel(noise), channel(noise), channel(noise), alpha]
        };
        let rgba = (0..count).map(|_| clear(&mut noise)).collect();
        Arc::new(Samples::Made { rgba, width })
    }

    fn map(&self) -> Arc<DifferenceSamples> {
        let [width, height] = self.sizes[0];
        let mut noise = Noise(self.seed | 1);
        let values = (0..width * height).map(|_| f32::from(noise.byte()) / 255.0).collect();
        Arc::new(DifferenceSamples { values, width })
    }
}

/// A generator that gives the same on every machine (xorshift).
struct Noise(u32);

impl Noise {
    fn byte(&mut self) -> u8 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        (self.0 >> 11) as u8
    }
}

/// Draws shapes on a window of one colour, and gives what is in the viewport.
struct Card {
    harness: Harness<'static, Option<egui::Shape>>,
    target: Target,
}

impl Card {
    fn new() -> Self {
        let state = egui_kittest::wgpu::create_render_state(
            egui_kittest::wgpu::default_wgpu_setup(),
            eframe::egui_wgpu::RendererOptions::PREDICTABLE,
        );
        let target = Target::of(&state);
        let harness = Harness::builder()
            .with_size(vec2(SIDE as f32, SIDE as f32))
            .renderer(WgpuTestRenderer::from_render_state(state))
            .build_ui_state(
                |ui, shape: &mut Option<egui::Shape>| {
                    let all = ui.ctx().content_rect();
                    let [r, g, b] = GROUND;
                    let painter = ui.ctx().layer_painter(egui::LayerId::background());
                    painter.rect_filled(all, 0, egui::Color32::from_rgb(r, g, b));
                    painter.extend(shape.clone());
                },
                None,
            );
        Self { harness, target }
    }

    fn draw(&mut self, shape: egui::Shape, viewport: &Viewport) -> Vec<[u8; 4]> {
        *self.harness.state_mut() = Some(shape);
        self.harness.run_steps(2);
        let picture = self.harness.render().unwrap();
        let rows = viewport.top..viewport.top + viewport.height;
        let pixels = rows.flat_map(|y| {
            let columns = viewport.left..viewport.left + viewport.width;
            columns.map(|x| picture.get_pixel(x, y).0).collect::<Vec<_>>()
        });
        pixels.collect()
    }
}

fn rect(viewport: &Viewport) -> Rect {
    let [left, top, width, height] =
        [viewport.left, viewport.top, viewport.width, viewport.height].map(|it| it as f32);
    Rect::from_min_size(pos2(left, top), vec2(width, height))
}

/// How many pixels are more than a step apart in a channel.
fn differing(one: &[[u8; 4]], other: &[[u8; 4]]) -> usize {
    assert_eq!(one.len(), other.len());
    let apart = |(one, other): &(&[u8; 4], &[u8; 4])| {
        one.iter().zip(*other).take(3).any(|(one, other)| one.abs_diff(*other) > 1)
    };
    one.iter().zip(other).filter(apart).count()
}

/// Where a place lies on the border of two pixels, rounding decides which of them it is in, and cards
/// round in their own way: of 7,000 pixels so many may differ where pixels stay square.
const ON_BORDERS: usize = 8;

#[test]
fn pictures_over_one_another_are_as_the_processor_computes_them() {
    let mut card = Card::new();
    let mut runner = TestRunner::new(Config { cases: 60, ..Config::default() });
    let card = std::cell::RefCell::new(&mut card);
    runner
        .run(&case(), |case| {
            let viewport = case.viewport();
            let pictures = [case.picture(0), case.picture(1)];
            let edge = (case.amount * SIDE as f32).round();
            for how in [
                Overlay::Swipe(edge),
                Overlay::SwipeDown(edge),
                Overlay::Mix(case.amount),
                Overlay::Difference(1.0 + case.amount * 7.0),
            ] {
                let planes = [pictures[0].plane(), pictures[1].plane()];
                let wanted = overlay(planes, &viewport, how, GROUND);
                let draw = OverlayDraw {
                    number: 0,
                    pictures: pictures.clone(),
                    viewport,
                    how,
                    ground: GROUND,
                };
                let mut card = card.borrow_mut();
                let shape = overlay_shape(card.target, rect(&viewport), draw);
                let found = card.draw(shape, &viewport);
                let apart = differing(&found, &wanted);
                let allowed = if case.sharp { ON_BORDERS } else { 0 };
                prop_assert!(apart <= allowed, "{how:?}: {apart} pixels differ");
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_map_in_colours_is_as_the_processor_computes_it() {
    let ramp: [[u8; 3]; RAMP] = std::array::from_fn(|at| [at as u8, 255 - at as u8, 40]);
    hold_heat_together(&ramp, 0.0);
}

#[test]
fn a_map_of_both_signs_is_as_the_processor_computes_it() {
    let diverging = Palette::Diverging;
    hold_heat_together(&diverging.ramp(), diverging.neutral());
}

fn hold_heat_together(ramp: &[[u8; 3]; RAMP], neutral: f32) {
    let mut card = Card::new();
    let mut runner = TestRunner::new(Config { cases: 60, ..Config::default() });
    let card = std::cell::RefCell::new(&mut card);
    runner
        .run(&case(), |case| {
            let viewport = case.viewport();
            let map = case.map();
            let (threshold, opacity) = (case.threshold, 1.0 - case.amount * 0.7);
            let colors = HeatColors { ramp, neutral, threshold, opacity };
            let wanted: Vec<[u8; 4]> = heat(map.plane(), &viewport, colors)
                .into_iter()
                .map(|[r, g, b, a]| {
                    let under = GROUND.map(|it| f32::from(it) * (1.0 - f32::from(a) / 255.0));
                    let over = [r, g, b].map(f32::from);
                    let [r, g, b] = std::array::from_fn(|i| (over[i] + under[i]).round() as u8);
                    [r, g, b, 255]
                })
                .collect();
            let ramp = *ramp;
            let draw = HeatDraw { number: 0, map, viewport, ramp, neutral, threshold, opacity };
            let mut card = card.borrow_mut();
            let shape = heat_shape(card.target, rect(&viewport), draw);
            let found = card.draw(shape, &viewport);
            // At the threshold itself rounding decides as well.
            let apart = differing(&found, &wanted);
            prop_assert!(apart <= ON_BORDERS, "{apart} pixels differ");
            Ok(())
        })
        .unwrap();
}
