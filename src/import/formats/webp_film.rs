//! The frames of an animated WebP, each a picture, without any other program.

use std::io::Cursor;
use std::path::Path;
use std::time::{Duration, Instant};

use image_webp::WebPDecoder;

use crate::base::{Limits, Pixels, read_file_limited};
use crate::import::error::ImportError;
use crate::import::sink::Sink;

/// The flag of an animation in the first chunk, and where that has its flags.
const ANIMATED: u8 = 0x02;
const FLAGS_AT: usize = 20;

/// Whether a file begins as an animated WebP does.
pub(super) fn is_film(head: &[u8]) -> bool {
    head.starts_with(b"RIFF")
        && head.get(8..16) == Some(b"WEBPVP8X")
        && head.get(FLAGS_AT).is_some_and(|flags| flags & ANIMATED != 0)
}

/// Writes its frames, at most so many and for at most so long, as pictures into a folder; gives why there are not all
/// of them, if there are not.
pub(super) fn extract(
    film: &Path,
    to: &Path,
    most: u32,
    most_time: Duration,
    sink: &Sink<'_>,
) -> Result<Option<String>, ImportError> {
    let place = film.display().to_string();
    let began = Instant::now();
    let bytes = read_file_limited(film, Limits::IMAGE_BYTES)?;
    let mut decoder = WebPDecoder::new(Cursor::new(&bytes))
        .map_err(|error| ImportError::content(format!("cannot be decoded: {error}"), &*place))?;
    let (width, height) = decoder.dimensions();
    // From the header, before anything is allocated.
    let pixels = u64::from(width) * u64::from(height);
    if width.max(height) > Limits::IMAGE_SIDE || pixels > Limits::IMAGE_PIXELS {
        let why = format!("frames of {width} × {height} pixels are not taken");
        return Err(ImportError::content(why, place));
    }
    let count = if decoder.is_animated() { decoder.num_frames() } else { 0 };
    let mut samples = vec![0; decoder.output_buffer_size().unwrap_or_default()];
    for number in 1..=count {
        sink.cancel.check()?;
        if number > most || began.elapsed() > most_time {
            return Ok(Some(format!("only the first {} of {count} frames are taken", number - 1)));
        }
        // Each builds on those before it: behind one that is damaged there is none.
        if let Err(error) = decoder.read_frame(&mut samples) {
            return Ok(Some(format!("from frame {number} on it cannot be decoded: {error}")));
        }
        let rgba = if decoder.has_alpha() {
            samples.clone()
        } else {
            let (opaque, _) = samples.as_chunks::<3>();
            opaque.iter().flat_map(|[red, green, blue]| [*red, *green, *blue, u8::MAX]).collect()
        };
        let path = to.join(format!("{number:06}.png"));
        let saved = Pixels::from_rgba(width, height, rgba).and_then(|it| it.save_png(&path));
        saved.map_err(|error| ImportError::content(error.to_string(), &*place))?;
    }
    Ok(None)
}
