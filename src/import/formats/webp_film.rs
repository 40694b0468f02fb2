//! The frames of an animated WebP, each a picture, without any other program.

use std::io::{Cursor, Read as _};
use std::path::Path;
use std::time::{Duration, Instant};

use image_webp::WebPDecoder;

use crate::base::{Limits, Pixels, check_size, open_file, read_file_limited, read_webp};
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

/// The same of a file, whatever its name says; `false` of one that cannot be read.
pub(in crate::import) fn is_film_at(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = open_file(path).and_then(|it| it.take(FLAGS_AT as u64 + 1).read_to_end(&mut head));
    read.is_ok() && is_film(&head)
}

/// How much is taken of a film.
pub(super) struct Most {
    pub(super) frames: u32,
    pub(super) time: Duration,
    /// Of its pictures on the disk: a small file may be hours of large ones.
    pub(super) bytes: u64,
}

/// Writes its frames as pictures into a folder; gives why there are not all of them, if there are not.
pub(super) fn extract(
    film: &Path,
    to: &Path,
    most: &Most,
    sink: &Sink<'_>,
) -> Result<Option<String>, ImportError> {
    let place = film.display().to_string();
    let began = Instant::now();
    let bytes = read_file_limited(film, Limits::IMAGE_BYTES)?;
    let mut decoder = read_webp(|| WebPDecoder::new(Cursor::new(&bytes)))
        .map_err(|error| ImportError::content(error.to_string(), &*place))?;
    let (width, height) = decoder.dimensions();
    // From the header, before anything is allocated.
    check_size(width, height).map_err(|error| ImportError::content(error.to_string(), &*place))?;
    let count = if decoder.is_animated() { decoder.num_frames() } else { 0 };
    let mut samples = vec![0; decoder.output_buffer_size().unwrap_or_default()];
    let mut written = 0;
    for number in 1..=count {
        sink.cancel.check()?;
        let taken = format!("only the first {} of {count} frames are taken", number - 1);
        if number > most.frames || began.elapsed() > most.time {
            return Ok(Some(taken));
        }
        if written > most.bytes {
            return Ok(Some(format!("{taken}: they have more than {} bytes", most.bytes)));
        }
        // Each builds on those before it: behind one that is damaged there is none.
        if let Err(error) = read_webp(|| decoder.read_frame(&mut samples)) {
            return Ok(Some(format!("from frame {number} on it {error}")));
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
        written += path.metadata().map_or(0, |file| file.len());
    }
    Ok(None)
}
