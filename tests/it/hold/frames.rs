//! Frames of the application, 60 a second, with what each took; and what the whole process takes.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use eframe::App as _;
use eframe::egui_wgpu::{RenderState, RendererOptions, ScreenDescriptor, WgpuSetup, wgpu};
use egui::epaint::ClippedPrimitive;
use egui::{Event, Key, Modifiers, TexturesDelta};
use egui_kittest::wgpu::{create_render_state, default_wgpu_setup};

use pentimento::app::{App, WindowOptions};
use pentimento::base::Variables;
use pentimento::environment::Environments;
use pentimento::workbench::{Settings, State};

/// Of a frame at 60 a second.
pub(super) const FRAME: Duration = Duration::from_micros(16_667);
/// Of the window, in points; a point is a pixel.
const SIZE: [u32; 2] = [1440, 900];

/// Draws frames, and keeps how long each took.
pub(super) struct Frames {
    ctx: egui::Context,
    frame: eframe::Frame,
    began: Instant,
    card: Option<Card>,
    pub(super) spent: Vec<Spent>,
}

/// What a frame took.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spent {
    /// Of a processor, by the window's own thread.
    pub(super) cpu: Duration,
    /// Until its triangles were there.
    pub(super) wall: Duration,
    /// From then until the graphics card had drawn them; nothing where there is none behind the frames.
    pub(super) card: Duration,
}

impl Frames {
    /// Frames that end with triangles.
    pub(super) fn new(ctx: egui::Context) -> Self {
        let (frame, began) = (eframe::Frame::_new_kittest(), Instant::now());
        Self { ctx, frame, began, card: None, spent: Vec::new() }
    }

    /// One frame: events into the state, the window drawn, its shapes made triangles; then sleeps until
    /// the next is due.
    pub(super) fn frame(&mut self, app: &mut App) {
        self.frame_with(app, Vec::new());
    }

    /// The same with what a person did.
    pub(super) fn frame_with(&mut self, app: &mut App, events: Vec<Event>) {
        let (cpu, wall) = (cpu_time(), Instant::now());
        let size = egui::vec2(SIZE[0] as f32, SIZE[1] as f32);
        let input = egui::RawInput {
            screen_rect: Some(egui::Rect::from_min_size(egui::Pos2::ZERO, size)),
            time: Some(self.began.elapsed().as_secs_f64()),
            events,
            ..egui::RawInput::default()
        };
        app.logic(&self.ctx, &mut self.frame);
        let mut output = self.ctx.run_ui(input, |ui| app.ui(ui, &mut self.frame));
        let shapes = std::mem::take(&mut output.shapes);
        let triangles = self.ctx.tessellate(shapes, output.pixels_per_point);
        assert!(!triangles.is_empty());
        let (cpu, until_triangles) = (cpu_time().saturating_sub(cpu), wall.elapsed());
        let drawn = Instant::now();
        if let Some(card) = &self.card {
            card.draw(&mut output.textures_delta, &triangles, output.pixels_per_point);
        }
        output.textures_delta.clear();
        let card = if self.card.is_some() { drawn.elapsed() } else { Duration::ZERO };
        self.spent.push(Spent { cpu, wall: until_triangles, card });
        std::thread::sleep(FRAME.saturating_sub(wall.elapsed()));
    }

    pub(super) fn report(&self, what: &str) {
        let of = |part: fn(&Spent) -> Duration| self.spent.iter().map(part).collect::<Vec<_>>();
        let (cpu, wall, card) = (of(|it| it.cpu), of(|it| it.wall), of(|it| it.card));
        let whole = of(|it| it.wall + it.card);
        let late = whole.iter().filter(|whole| **whole > FRAME).count();
        println!(
            "{what}: {} frames; processor {:.2?} in the median, {:.2?} at the 99th of a hundred, {:.2?} at \
             most; passed {:.2?}, {:.2?}; {late} over 16.7 ms",
            self.spent.len(),
            at(cpu.clone(), 0.5),
            at(cpu.clone(), 0.99),
            at(cpu, 1.0),
            at(wall.clone(), 0.5),
            at(wall, 0.99),
        );
        if self.card.is_some() {
            println!(
                "  and the graphics card after that: {:.2?} in the median, {:.2?} at the 99th of a hundred; both \
                 together {:.2?}, {:.2?}, {:.2?} at most",
                at(card.clone(), 0.5),
                at(card, 0.99),
                at(whole.clone(), 0.5),
                at(whole.clone(), 0.99),
                at(whole, 1.0),
            );
        }
    }
}

/// The application as the program opens it on these paths, with a workspace of its own in `dir`, and its frames; drawn
/// to the end by a graphics card, or what stands for one, if one is behind them.
pub(super) fn opened(dir: &Path, paths: Vec<PathBuf>, behind: Behind) -> (Frames, App) {
    let ctx = egui::Context::default();
    let mut cc = eframe::CreationContext::_new_kittest(ctx.clone());
    let mut frames = Frames::new(ctx);
    if behind == Behind::Card {
        let card = Card::new();
        cc.wgpu_render_state = Some(card.render.clone());
        frames.frame.wgpu_render_state = Some(card.render.clone());
        frames.card = Some(card);
    }
    // Somebody who has been here before: nothing is shown around.
    let settings = Settings { tour_is_seen: true, ..Settings::default() };
    std::fs::write(dir.join("settings.json"), settings.to_json().unwrap()).unwrap();
    let options = WindowOptions {
        paths,
        captions: None,
        workspace: Some(dir.join("workspace.sqlite")),
        runs: dir.join("out"),
        environments: Environments::default(),
        variables: Variables::default(),
        link: None,
    };
    let app = App::new(&cc, options).unwrap();
    (frames, app)
}

/// What is behind the frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Behind {
    /// Nothing: they end with triangles.
    Nothing,
    /// A graphics card; Mesa's in software, unless `PENTIMENTO_HOLD_HARDWARE` is set.
    Card,
}

impl Behind {
    /// A card if `PENTIMENTO_HOLD_CARD` is set.
    pub(super) fn asked() -> Self {
        match std::env::var_os("PENTIMENTO_HOLD_CARD") {
            Some(_) => Self::Card,
            None => Self::Nothing,
        }
    }
}

/// A graphics card that draws frames as for a window, and shows them nowhere.
struct Card {
    render: RenderState,
    view: wgpu::TextureView,
}

impl Card {
    fn new() -> Self {
        let is_hardware = std::env::var_os("PENTIMENTO_HOLD_HARDWARE").is_some();
        let setup =
            if is_hardware { WgpuSetup::without_display_handle() } else { default_wgpu_setup() };
        let render = create_render_state(setup, RendererOptions::default());
        println!("drawn by {}", render.adapter.get_info().name);
        let [width, height] = SIZE;
        let texture = render.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: render.target_format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        Self { render, view }
    }

    /// Draws a frame, and waits until it is drawn.
    fn draw(
        &self,
        textures: &mut TexturesDelta,
        triangles: &[ClippedPrimitive],
        pixels_per_point: f32,
    ) {
        let RenderState { device, queue, renderer, .. } = &self.render;
        let mut renderer = renderer.write();
        #[expect(clippy::iter_over_hash_type, reason = "each texture is uploaded by itself")]
        for (id, images) in textures.set.drain() {
            for image in images {
                renderer.update_texture(device, queue, id, &image);
            }
        }
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let screen = ScreenDescriptor { size_in_pixels: SIZE, pixels_per_point };
        let prepared = renderer.update_buffers(device, queue, &mut encoder, triangles, &screen);
        let attachment = wgpu::RenderPassColorAttachment {
            view: &self.view,
            resolve_target: None,
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                store: wgpu::StoreOp::Store,
            },
            depth_slice: None,
        };
        let pass = wgpu::RenderPassDescriptor {
            color_attachments: &[Some(attachment)],
            ..wgpu::RenderPassDescriptor::default()
        };
        let mut pass = encoder.begin_render_pass(&pass).forget_lifetime();
        renderer.render(&mut pass, triangles, &screen);
        drop(pass);
        queue.submit(prepared.into_iter().chain([encoder.finish()]));
        let timeout = Some(Duration::from_secs(10));
        device.poll(wgpu::PollType::Wait { submission_index: None, timeout }).unwrap();
        #[expect(clippy::iter_over_hash_type, reason = "each texture is let go by itself")]
        for id in textures.free.drain() {
            renderer.free_texture(&id);
        }
    }
}

/// A key that is pressed and let go.
pub(super) fn press(key: Key) -> Vec<Event> {
    let event = |pressed| Event::Key {
        key,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers: Modifiers::NONE,
    };
    vec![event(true), event(false)]
}

/// The time that this share of all stays below.
pub(super) fn at(mut times: Vec<Duration>, share: f64) -> Duration {
    times.sort();
    let at = ((times.len() as f64 * share) as usize).min(times.len().saturating_sub(1));
    times.get(at).copied().unwrap_or_default()
}

/// Draws frames until something is so; gives how long that took.
pub(super) fn until(
    window: &mut Frames,
    app: &mut App,
    what: &str,
    is_so: impl Fn(&State) -> bool,
) -> Duration {
    let began = Instant::now();
    while !is_so(app.state()) {
        let notices = &app.state().notices;
        assert!(began.elapsed() < Duration::from_mins(10), "it was never so: {what}; {notices:?}");
        window.frame(app);
    }
    began.elapsed()
}

/// What this thread has had of a processor.
fn cpu_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(text.split_whitespace().next().unwrap().parse().unwrap())
}

/// A figure of this process, in megabytes.
pub(super) fn memory(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(name)).unwrap();
    let kilobytes: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    kilobytes / 1024
}

/// From here on, `VmHWM` is of what comes.
pub(super) fn forget_peak() {
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
}

/// What was measured beside what is to be held, printed as a table at the end.
#[derive(Default)]
pub(super) struct Figures(Vec<[String; 3]>);

impl Figures {
    pub(super) fn add(&mut self, what: &str, measured: &str, hold: &str) {
        self.0.push([what, measured, hold].map(str::to_owned));
    }

    /// Adds a time with its median, the 99th of a hundred and the longest.
    pub(super) fn add_times(&mut self, what: &str, times: &[Duration], hold: &str) {
        let of = |share| at(times.to_vec(), share);
        let measured = format!("{:.2?}, {:.2?}, {:.2?}", of(0.5), of(0.99), of(1.0));
        self.add(what, &measured, hold);
    }

    /// Adds frames, the graphics card's part included where there is one behind them.
    pub(super) fn add_frames(&mut self, what: &str, window: &Frames, hold: &str) {
        window.report(what);
        let whole: Vec<Duration> = window.spent.iter().map(|it| it.wall + it.card).collect();
        self.add_times(what, &whole, hold);
    }

    pub(super) fn print(&self) {
        println!("\n| what | measured (of times: median, 99th of a hundred, longest) | hold |");
        println!("|---|---|---|");
        for [what, measured, hold] in &self.0 {
            println!("| {what} | {measured} | {hold} |");
        }
    }
}
