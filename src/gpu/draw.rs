//! The paint callbacks.

use std::sync::Arc;

use bytemuck::bytes_of;
use eframe::egui_wgpu::{Callback, CallbackResources, CallbackTrait, ScreenDescriptor};
use eframe::wgpu;
use egui::{PaintCallbackInfo, Rect, Shape};

use super::Target;
use super::resources::{Resources, Shader};
use super::samples::{DifferenceSamples, Samples};
use crate::raster::overlay::{Overlay, RAMP, Viewport};

/// Two pictures over one another.
#[derive(Clone, Debug)]
pub struct OverlayDraw {
    /// Which draw of a frame this is: no other one of it has the same number.
    pub number: u64,
    /// The first and the second.
    pub pictures: [Arc<Samples>; 2],
    /// Where they lie, in pixels of the screen.
    pub viewport: Viewport,
    /// How.
    pub how: Overlay,
    /// What shines through where they are clear.
    pub ground: [u8; 3],
}

/// A map in colours.
#[derive(Clone, Debug)]
pub struct HeatDraw {
    /// Which draw of a frame this is: no other one of it has the same number.
    pub number: u64,
    /// What it shows.
    pub map: Arc<DifferenceSamples>,
    /// Where it lies, in pixels of the screen.
    pub viewport: Viewport,
    /// From no difference to the largest, or from the largest to one side to that to the other.
    pub ramp: [[u8; 3]; RAMP],
    /// Where on the ramp nothing differs: 0 at its beginning ..= 0.5 in its middle.
    pub neutral: f32,
    /// Differences below this share of the largest are not drawn.
    pub threshold: f32,
    /// 0 clear ..= 1.
    pub opacity: f32,
}

/// What draws two pictures over one another in `rect`, which is the viewport in points.
pub fn overlay_shape(target: Target, rect: Rect, draw: OverlayDraw) -> Shape {
    Shape::Callback(Callback::new_paint_callback(rect, OnTarget { target, draw }))
}

/// What draws a map in colours in `rect`, which is the viewport in points.
pub fn heat_shape(target: Target, rect: Rect, draw: HeatDraw) -> Shape {
    Shape::Callback(Callback::new_paint_callback(rect, OnTarget { target, draw }))
}

struct OnTarget<D> {
    target: Target,
    draw: D,
}

/// As `shaders/compare.wgsl` reads it.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct OverlayView {
    origin: [f32; 2],
    size: [f32; 2],
    second_size: [f32; 2],
    second_origin: [f32; 2],
    ground: [f32; 4],
    how: u32,
    amount: f32,
    sharp: u32,
    linear_target: u32,
}

/// As `shaders/heat.wgsl` reads it.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct HeatView {
    origin: [f32; 2],
    size: [f32; 2],
    threshold: f32,
    opacity: f32,
    sharp: u32,
    linear_target: u32,
    neutral: f32,
    /// The ramp begins at a multiple of 16 bytes.
    padding: [f32; 3],
    ramp: [[f32; 4]; RAMP],
}

impl<D: Draw> CallbackTrait for OnTarget<D> {
    fn prepare(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        _screen: &ScreenDescriptor,
        _encoder: &mut wgpu::CommandEncoder,
        resources: &mut CallbackResources,
    ) -> Vec<wgpu::CommandBuffer> {
        let format = self.target.format;
        let resources =
            resources.entry::<Resources>().or_insert_with(|| Resources::new(device, format));
        // Before the uploads: what goes and what comes need not lie there at once.
        resources.sweep();
        self.draw.prepare((device, queue), resources, format.is_srgb());
        Vec::new()
    }

    fn paint(
        &self,
        _info: PaintCallbackInfo,
        pass: &mut wgpu::RenderPass<'static>,
        resources: &CallbackResources,
    ) {
        let Some(resources) = resources.get::<Resources>() else { return };
        let (number, shader) = self.draw.which();
        // A texture that could not be made is not drawn.
        let Some(bound) = resources.bound(number) else { return };
        pass.set_pipeline(resources.pipeline(shader));
        pass.set_bind_group(0, bound, &[]);
        pass.draw(0..3, 0..1);
    }
}

/// What a callback draws.
trait Draw: Send + Sync + 'static {
    fn which(&self) -> (u64, Shader);

    fn prepare(
        &self,
        gpu: (&wgpu::Device, &wgpu::Queue),
        resources: &mut Resources,
        is_linear: bool,
    );
}

impl Draw for OverlayDraw {
    fn which(&self) -> (u64, Shader) {
        (self.number, Shader::Overlay)
    }

    fn prepare(
        &self,
        gpu: (&wgpu::Device, &wgpu::Queue),
        resources: &mut Resources,
        is_linear: bool,
    ) {
        for picture in &self.pictures {
            resources.upload_picture(gpu, picture);
        }
        let (how, amount) = self.how.code();
        let [r, g, b] = self.ground.map(|channel| f32::from(channel) / 255.0);
        let view = OverlayView {
            origin: self.viewport.origin,
            size: self.viewport.size,
            second_size: self.viewport.second_size,
            second_origin: self.viewport.second_origin,
            ground: [r, g, b, 1.0],
            how,
            amount,
            sharp: u32::from(self.viewport.sharp),
            // An sRGB target encodes what is written to it, so that the shader gives it light.
            linear_target: u32::from(is_linear),
        };
        let textures = self.pictures.each_ref().map(|picture| Arc::as_ptr(picture) as usize);
        resources.bind(gpu.0, self.number, (Shader::Overlay, bytes_of(&view)), &textures);
    }
}

impl Draw for HeatDraw {
    fn which(&self) -> (u64, Shader) {
        (self.number, Shader::Heat)
    }

    fn prepare(
        &self,
        gpu: (&wgpu::Device, &wgpu::Queue),
        resources: &mut Resources,
        is_linear: bool,
    ) {
        resources.upload_map(gpu, &self.map);
        let view = HeatView {
            origin: self.viewport.origin,
            size: self.viewport.size,
            threshold: self.threshold,
            opacity: self.opacity,
            sharp: u32::from(self.viewport.sharp),
            linear_target: u32::from(is_linear),
            neutral: self.neutral,
            padding: [0.0; 3],
            ramp: self.ramp.map(|[r, g, b]| [r, g, b, 255].map(|it| f32::from(it) / 255.0)),
        };
        let textures = [Arc::as_ptr(&self.map) as usize];
        resources.bind(gpu.0, self.number, (Shader::Heat, bytes_of(&view)), &textures);
    }
}
