//! A picture of 8,000 × 8,000 pixels in the window: how much memory it takes, drawn by software.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use egui_kittest::Harness;
use pentimento::app::App;
use pentimento::workbench::views::{self, PaneStatus};
use pentimento::workbench::{Command, Settings, StageCommand, StagePane, State};
use pentimento::worker::WorkerConfig;

use super::frames::{forget_peak, memory};

const SIDE: u32 = 8000;
/// Of a picture that any design or screenshot might be.
const HOLD: u64 = 400;

#[test]
#[ignore = "a measurement: see benches/README.md"]
fn a_large_design_in_the_window_takes_little_memory() {
    // Rows of cards with words of noise in them, on a page of a slope.
    measure("a design", |x, y| {
        let [u, v] = [x % 400, y % 260];
        let is_word = (40..300).contains(&u) && (40..220).contains(&v) && v % 30 < 16;
        match (u, v) {
            _ if is_word && noise(x / 3, y / 3).is_multiple_of(3) => [30, 32, 40],
            (20..380, 20..240) => [250, 250, 252],
            _ => [(x / 63) as u8, (y / 63) as u8, 140],
        }
    });
}

#[test]
#[ignore = "a measurement: see benches/README.md"]
fn a_large_photo_in_the_window_takes_little_memory() {
    // A slope with the grain of a camera: about four bits of noise in each channel.
    measure("a photo", |x, y| {
        let grain = noise(x, y);
        [0, 8, 16].map(|shift| ((x + y) / 90 + ((grain >> shift) & 15)) as u8)
    });
}

fn noise(x: u32, y: u32) -> u32 {
    let mixed = x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77);
    let mixed = (mixed ^ (mixed >> 15)).wrapping_mul(0x2C1B_3C6D);
    mixed ^ (mixed >> 13)
}

fn measure(name: &str, pixel: impl Fn(u32, u32) -> [u8; 3]) {
    let dir = tempfile::tempdir().unwrap();
    let pictures = dir.path().join("pictures");
    std::fs::create_dir(&pictures).unwrap();
    write(&pictures.join("000.png"), pixel);
    let size = std::fs::metadata(pictures.join("000.png")).unwrap().len() >> 20;
    let state = State::new(Settings::default(), dir.path().join("out"));
    let mut harness = Harness::builder()
        .with_size(egui::vec2(1440.0, 900.0))
        .with_max_steps(100)
        .wgpu()
        .build_eframe(|cc| {
            let config = WorkerConfig::default();
            App::with_state(&cc.egui_ctx, config, state, Vec::new()).unwrap()
        });
    harness.step();
    harness.render().unwrap();
    forget_peak();
    println!("{name}: {size} MB of PNG; {} MB before", memory("VmHWM"));
    harness.state_mut().carry_out(Command::Open(vec![pictures]));
    wait(&mut harness, "it is listed", |state| !state.library.runs.is_empty());
    let run = *harness.state().state().library.runs.keys().next().unwrap();
    harness.state_mut().carry_out(Command::SelectRun(run));
    let took = wait(&mut harness, "it is on the stage", |state| {
        views::pane(state, StagePane::Run).status == PaneStatus::Current
    });
    harness.render().unwrap();
    println!("seen whole after {took:.2?}: {} MB at most", memory("VmHWM"));
    for zoom in [0.4, 1.0, 1.0, 3.0, 50.0] {
        harness.state_mut().carry_out(Command::Stage(StageCommand::Zoom(zoom)));
        for _ in 0..12 {
            let pan = StageCommand::PanBy([0.021, 0.013]);
            harness.state_mut().carry_out(Command::Stage(pan));
            harness.step();
            harness.render().unwrap();
        }
        println!("walked over at {zoom}: {} MB at most", memory("VmHWM"));
    }
    let peak = memory("VmHWM");
    println!("{name}: {peak} MB at most, {} MB at the end", memory("VmRSS"));
    assert!(peak < HOLD, "{peak} MB");
}

fn wait(harness: &mut Harness<'_, App>, what: &str, is_so: impl Fn(&State) -> bool) -> Duration {
    let began = Instant::now();
    while !is_so(harness.state().state()) {
        assert!(began.elapsed() < Duration::from_mins(2), "it was never so: {what}");
        harness.step();
        std::thread::sleep(Duration::from_millis(5));
    }
    began.elapsed()
}

/// Writes the picture row by row, as it is not to be in this process's memory.
fn write(path: &Path, pixel: impl Fn(u32, u32) -> [u8; 3]) {
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(path).unwrap()), SIDE, SIDE);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header().unwrap();
    let mut rows = writer.stream_writer().unwrap();
    for y in 0..SIDE {
        let row: Vec<u8> = (0..SIDE).flat_map(|x| pixel(x, y)).collect();
        rows.write_all(&row).unwrap();
    }
    rows.finish().unwrap();
}
