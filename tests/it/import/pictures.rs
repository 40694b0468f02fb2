use std::process::Command;

use pentimento::base::{CancelToken, Pixels};
use pentimento::import::{ImportRequest, import};
use pentimento::run::{Run, RunOrigin};
use serde_json::json;

use super::{import_into, imported, png, write, write_json};

#[test]
fn a_folder_of_pictures_is_copied_with_what_is_said_of_it() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("gpt-4.1");
    for number in [2, 10, 1] {
        write(&folder.join(format!("{number}.png")), png([number, 0, 0]));
    }
    write_json(
        &folder.join("run.json"),
        &json!({"task": "gid1", "kind": "task-2", "model": "gpt-4.1", "turns": 3}),
    );
    write(&folder.join("3.png"), "no picture");
    let imported = imported(&[dir.path()]);
    let run = imported.run();
    assert_eq!(
        (&*run.manifest.task.set, &*run.manifest.task.id),
        ("canvas-samples-task-2", "gid1")
    );
    let RunOrigin::Pictures { files, .. } = &run.origin else { panic!("{:?}", run.origin) };
    let names: Vec<_> = files.iter().map(|file| file.file_name().unwrap()).collect();
    assert_eq!(names, ["1.png", "2.png", "10.png"]);
    assert!(imported.report.runs[0].warnings[0].contains("3.png"), "{:?}", imported.report);
    let again = import_into(imported.out.path(), &[dir.path()]);
    assert!(again.runs[0].was_there, "{again:?}");
}

fn webp(rgb: [u8; 3]) -> Vec<u8> {
    let mut webp = Vec::new();
    let encoder = image_webp::WebPEncoder::new(&mut webp);
    encoder.encode(&rgb.repeat(4 * 3), 4, 3, image_webp::ColorType::Rgb8).unwrap();
    webp
}

/// An animated WebP with a frame of each of these colours.
fn film(colours: &[[u8; 3]]) -> Vec<u8> {
    let chunk = |name: &[u8], data: &[u8]| {
        [name, &(data.len() as u32).to_le_bytes(), data, &[0][..data.len() % 2]].concat()
    };
    // Width and height, less one, in three bytes each.
    let size = [3, 0, 0, 2, 0, 0];
    let mut chunks = chunk(b"VP8X", &[&[2, 0, 0, 0][..], &size[..]].concat());
    chunks.extend(chunk(b"ANIM", &[255, 255, 255, 255, 0, 0]));
    for colour in colours {
        // Its corner, its size, a tenth of a second, and that it takes the place of the one before.
        let head = [&[0; 6][..], &size[..], &[100, 0, 0, 2]].concat();
        chunks.extend(chunk(b"ANMF", &[&head[..], &webp(*colour)[12..]].concat()));
    }
    [&b"RIFF"[..], &(chunks.len() as u32 + 4).to_le_bytes(), b"WEBP", &chunks[..]].concat()
}

fn colours(run: &Run) -> Vec<[u8; 4]> {
    let RunOrigin::Pictures { files, .. } = &run.origin else { panic!("{:?}", run.origin) };
    files.iter().map(|file| Pixels::open(file).unwrap().get(0, 0).unwrap()).collect()
}

#[test]
fn webp_is_a_picture_of_a_folder_and_an_animated_one_is_a_film() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    for number in [2, 10] {
        write(&at(&format!("shots/{number}.webp")), webp([number, 0, 0]));
    }
    write(&at("shots/1.png"), png([1, 0, 0]));
    let shots = imported(&[&at("shots")]);
    assert_eq!(colours(&shots.run()), [1, 2, 10].map(|red| [red, 0, 0, 255]));
    let third = film(&[[9, 0, 0], [8, 0, 0]]).len();
    let film = film(&[[9, 0, 0], [8, 0, 0], [7, 0, 0]]);
    write(&at("film.webp"), &film);
    let frames = imported(&[&at("film.webp")]);
    let run = frames.run();
    assert_eq!((&*run.manifest.task.id, frames.report.runs[0].format), ("film", "video"));
    assert_eq!(colours(&run), [9, 8, 7].map(|red| [red, 0, 0, 255]));
    // In a folder as well, where it is no picture of one.
    write(&at("films/film.webp"), &film);
    let below = imported(&[&at("films")]);
    assert_eq!((colours(&below.run()).len(), below.report.runs[0].format), (3, "video"));
    // Whatever is left of one that is cut off, it is a run or said to be none.
    for cut in [21, 60, film.len() - 30] {
        write(&at("torn.webp"), &film[..cut]);
        let report = imported(&[&at("torn.webp")]).report;
        assert_eq!(report.runs.len() + report.skipped.len(), 1, "{cut}: {report:?}");
        let reason = report.skipped.first().map_or("", |it| &*it.reason);
        let is_told = reason.contains("cannot be decoded");
        assert!(is_told || (cut > 60 && !report.runs.is_empty()), "{cut}: {report:?}");
    }
    // In the head of its third frame, which is then none.
    write(&at("short.webp"), &film[..third + 5]);
    let short = imported(&[&at("short.webp")]);
    assert_eq!(colours(&short.run()).len(), 2);
    let warnings = &short.report.runs[0].warnings;
    assert!(warnings.len() == 1 && warnings[0].contains("cut off behind frame 2"), "{warnings:?}");
    // The first byte of what a frame shows, behind the heads of the frame and of that.
    let mut damaged = film.clone();
    damaged[third + 8 + 16 + 8] = 0;
    write(&at("damaged.webp"), &damaged);
    let damaged = imported(&[&at("damaged.webp")]);
    assert_eq!(colours(&damaged.run()), [9, 8].map(|red| [red, 0, 0, 255]));
    let warnings = &damaged.report.runs[0].warnings;
    assert!(warnings.len() == 1 && warnings[0].contains("from frame 3 on"), "{warnings:?}");
    write(&at("still.webp"), webp([1, 0, 0]));
    let still = imported(&[&at("still.webp")]);
    assert!(still.reason("still.webp").contains("no format"), "{:?}", still.report);
}

/// A GIF of one pixel with a frame of each of these colours.
fn gif(colours: &[[u8; 3]]) -> Vec<u8> {
    let mut gif = b"GIF89a\x01\0\x01\0\0\0\0".to_vec();
    for colour in colours {
        // Its corner and size, that it has two colours of its own, and the codes of the first of them.
        gif.extend(b"\x2c\0\0\0\0\x01\0\x01\0\x80");
        gif.extend([&colour[..], &[0; 3], b"\x02\x02\x44\x01\0"].concat());
    }
    gif.push(0x3b);
    gif
}

#[test]
fn gif_and_bmp_are_pictures_of_a_folder_and_a_gif_of_several_frames_is_a_film() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let mut bmp = Vec::new();
    let rgb = image::ExtendedColorType::Rgb8;
    image::codecs::bmp::BmpEncoder::new(&mut bmp).encode(&[2, 0, 0], 1, 1, rgb).unwrap();
    write(&at("shots/2.bmp"), bmp);
    write(&at("shots/1.gif"), gif(&[[1, 0, 0]]));
    let shots = imported(&[&at("shots")]);
    assert_eq!(shots.report.runs[0].format, "pictures");
    assert_eq!(colours(&shots.run()), [1, 2].map(|red| [red, 0, 0, 255]));
    let film = gif(&[[9, 0, 0], [8, 0, 0], [7, 0, 0]]);
    // Beside pictures that stand still it is one of them: none is lost for it.
    write(&at("both/1.gif"), gif(&[[1, 0, 0]]));
    write(&at("both/2.gif"), &film);
    let both = imported(&[&at("both")]);
    assert_eq!((both.report.runs.len(), both.report.runs[0].format), (1, "pictures"));
    assert_eq!(colours(&both.run()), [1, 9].map(|red| [red, 0, 0, 255]));
    write(&at("films/film.gif"), &film);
    for path in ["films", "films/film.gif"] {
        let frames = imported(&[&at(path)]);
        assert_eq!(frames.report.runs[0].format, "video");
        assert_eq!(colours(&frames.run()), [9, 8, 7].map(|red| [red, 0, 0, 255]));
        assert!(frames.report.runs[0].warnings.is_empty(), "{:?}", frames.report);
    }
    // Without its end, and in the middle of its third frame.
    for (cut, count) in [(1, 3), (4, 2)] {
        write(&at("torn.gif"), &film[..film.len() - cut]);
        let torn = imported(&[&at("torn.gif")]);
        assert_eq!((colours(&torn.run()).len(), torn.report.runs[0].warnings.len()), (count, 1));
    }
    write(&at("huge.gif"), [&b"GIF89a\xff\xff\xff\xff\0\0\0"[..], &film[13..]].concat());
    let huge = imported(&[&at("huge.gif")]);
    assert!(huge.reason("huge.gif").contains("over the limit"), "{:?}", huge.report);
}

#[test]
fn a_video_is_a_picture_a_second() {
    let dir = tempfile::tempdir().unwrap();
    let video = dir.path().join("recording.mp4");
    let made = Command::new("ffmpeg")
        .args([
            "-nostdin",
            "-loglevel",
            "error",
            "-f",
            "lavfi",
            "-i",
            "testsrc=duration=3:size=64x48:rate=10",
        ])
        .args(["-pix_fmt", "yuv420p"])
        .arg(&video)
        .status();
    let Ok(made) = made else {
        crate::tools::skip("ffmpeg is missing: tests/run installs it");
        return;
    };
    assert!(made.success());
    let imported = imported(&[&video]);
    let run = imported.run();
    assert_eq!((run.steps.len(), &*run.manifest.task.id), (3, "recording"));
    assert_eq!(run.manifest.agent.name, "not recorded");
    // One that is over before its first second is, has its first picture.
    let short = dir.path().join("short.mp4");
    let of_it = Command::new("ffmpeg")
        .args(["-nostdin", "-loglevel", "error", "-t", "0.2", "-i"])
        .args([&video, &short])
        .status();
    assert!(of_it.unwrap().success());
    assert_eq!(super::imported(&[&short]).run().steps.len(), 1);
    // One that is cut off is said, and not a run of nothing.
    let bytes = std::fs::read(&video).unwrap();
    write(&dir.path().join("torn.mp4"), &bytes[..200]);
    let torn = super::imported(&[&dir.path().join("torn.mp4")]);
    assert!(torn.reason("torn.mp4").contains("ffmpeg cannot read it"), "{:?}", torn.report);
}

#[test]
fn a_stopped_import_leaves_nothing_behind() {
    let dir = tempfile::tempdir().unwrap();
    write(&dir.path().join("in/1.png"), png([1, 0, 0]));
    let (cancel, out) = (CancelToken::new(), dir.path().join("out"));
    let paths = [dir.path().join("in")];
    let request = ImportRequest { paths: &paths, out_dir: &out, format: None };
    let stopped = import(&request, &cancel, &mut |_| cancel.cancel());
    assert!(stopped.unwrap_err().to_string().contains("cancelled"));
    assert!(!out.join("pictures").exists() && !out.join(".importing").exists());
}
