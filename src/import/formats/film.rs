//! The frames of a picture that moves, an animated WebP or GIF, each a picture, without any other program.

use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;
use std::time::{Duration, Instant};

use image::codecs::gif::GifDecoder;
use image::{AnimationDecoder as _, ImageDecoder as _};
use image_webp::WebPDecoder;

use crate::base::{
    Limits, Pixels, PixelsError, check_size, open_file, read_file_limited, read_webp,
};
use crate::import::error::ImportError;
use crate::import::sink::Sink;

/// The flag of an animation in the first chunk of a WebP, and where that has its flags.
const ANIMATED: u8 = 0x02;
const FLAGS_AT: usize = 20;
/// What begins a frame of a GIF, an extension, and what ends the file (GIF89a specification, 20, 23 and 27).
const FRAME: u8 = 0x2c;
const EXTENSION: u8 = 0x21;
const TRAILER: u8 = 0x3b;

/// Whether a file that begins so is an animated WebP, or a GIF of several frames, whatever its name says.
pub(super) fn is_film(head: &[u8], path: &Path) -> bool {
    is_webp_film(head) || (is_gif(head) && is_film_at(path))
}

/// The same of a file of which nothing was read; `false` of one that cannot be.
pub(in crate::import) fn is_film_at(path: &Path) -> bool {
    let Ok(mut file) = open_file(path) else { return false };
    let mut head = Vec::new();
    if file.by_ref().take(FLAGS_AT as u64 + 1).read_to_end(&mut head).is_err() {
        return false;
    }
    let is_moving = is_gif(&head)
        && gif_frames(head.as_slice().chain(file.take(Limits::IMAGE_BYTES)), 2).count > 1;
    is_moving || is_webp_film(&head)
}

fn is_webp_film(head: &[u8]) -> bool {
    head.starts_with(b"RIFF")
        && head.get(8..16) == Some(b"WEBPVP8X")
        && head.get(FLAGS_AT).is_some_and(|flags| flags & ANIMATED != 0)
}

fn is_gif(head: &[u8]) -> bool {
    head.starts_with(b"GIF87a") || head.starts_with(b"GIF89a")
}

/// How much is taken of a film.
pub(super) struct Most {
    pub(super) frames: u32,
    pub(super) time: Duration,
    /// Of its pictures on the disk: a small file may be hours of large ones.
    pub(super) bytes: u64,
}

/// A film that was opened.
struct Film<'a> {
    /// How many frames begin in it.
    count: u32,
    /// Whether its end is there.
    is_whole: bool,
    frames: Box<dyn Iterator<Item = Result<Pixels, PixelsError>> + 'a>,
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
    let opened = if is_gif(&bytes) { open_gif(&bytes) } else { open_webp(&bytes) };
    let Film { count, is_whole, mut frames } =
        opened.map_err(|error| ImportError::content(error.to_string(), &*place))?;
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
        let frame = match frames.next() {
            Some(Ok(frame)) => frame,
            // Each builds on those before it: behind one that is damaged there is none.
            Some(Err(error)) => return Ok(Some(format!("from frame {number} on it {error}"))),
            None => return Ok(Some(format!("from frame {number} on there is nothing in it"))),
        };
        let path = to.join(format!("{number:06}.png"));
        let saved = frame.save_png(&path);
        saved.map_err(|error| ImportError::content(error.to_string(), &*place))?;
        written += path.metadata().map_or(0, |file| file.len());
    }
    Ok((!is_whole).then(|| format!("it is cut off behind frame {count}: what follows is missing")))
}

fn open_webp(bytes: &[u8]) -> Result<Film<'_>, PixelsError> {
    let decoder = read_webp(|| WebPDecoder::new(Cursor::new(bytes)))?;
    let (width, height) = decoder.dimensions();
    // From the header, before anything is allocated.
    check_size(width, height)?;
    let count = if decoder.is_animated() { decoder.num_frames() } else { 0 };
    let samples = vec![0; decoder.output_buffer_size().unwrap_or_default()];
    // How long the rest is, the header says behind its first four bytes.
    let length: Option<[u8; 4]> = bytes.get(4..8).and_then(|length| length.try_into().ok());
    let length = u64::from(length.map_or(0, u32::from_le_bytes));
    let is_whole = bytes.len() as u64 >= length + 8;
    Ok(Film { count, is_whole, frames: Box::new(WebpFrames { decoder, samples }) })
}

/// The frames of a WebP, each with those before it under it.
struct WebpFrames<'a> {
    decoder: WebPDecoder<Cursor<&'a [u8]>>,
    samples: Vec<u8>,
}

impl Iterator for WebpFrames<'_> {
    type Item = Result<Pixels, PixelsError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (width, height) = self.decoder.dimensions();
        if let Err(error) = read_webp(|| self.decoder.read_frame(&mut self.samples)) {
            return Some(Err(error));
        }
        let rgba = if self.decoder.has_alpha() {
            self.samples.clone()
        } else {
            let (opaque, _) = self.samples.as_chunks::<3>();
            opaque.iter().flat_map(|[red, green, blue]| [*red, *green, *blue, u8::MAX]).collect()
        };
        Some(Pixels::from_rgba(width, height, rgba))
    }
}

fn open_gif(bytes: &[u8]) -> Result<Film<'_>, PixelsError> {
    let mut decoder = GifDecoder::new(Cursor::new(bytes))?;
    let (width, height) = decoder.dimensions();
    check_size(width, height)?;
    let mut limits = image::Limits::default();
    // What is shown, what stays of it, a frame and one more: a frame may say that it is larger than the film.
    limits.max_alloc = Some(u64::from(width) * u64::from(height) * 4 * 4);
    decoder.set_limits(limits)?;
    let FrameCount { count, is_whole } = gif_frames(bytes, u32::MAX);
    let frames = decoder.into_frames().map(|frame| {
        let shown = frame?.into_buffer();
        let (width, height) = shown.dimensions();
        Pixels::from_rgba(width, height, shown.into_raw())
    });
    Ok(Film { count, is_whole, frames: Box::new(frames) })
}

/// What a GIF has, without what its frames show.
struct FrameCount {
    /// How many frames begin in it.
    count: u32,
    /// Whether its end is there.
    is_whole: bool,
}

/// Counts the frames of a GIF, but no more than so many; of one that is cut off those up to there.
fn gif_frames(gif: impl Read, most: u32) -> FrameCount {
    let mut count = 0;
    let is_whole = pass_frames(&mut BufReader::new(gif), most, &mut count).is_ok();
    FrameCount { count, is_whole }
}

/// Passes over the parts of a GIF up to its end, or up to so many frames.
fn pass_frames(gif: &mut impl Read, most: u32, count: &mut u32) -> io::Result<()> {
    // The signature and the size, of which the colours and their number are told in one byte.
    let mut screen = [0; 13];
    gif.read_exact(&mut screen)?;
    pass(gif, color_bytes(screen[10]))?;
    loop {
        let mut kind = [0];
        gif.read_exact(&mut kind)?;
        match kind {
            [FRAME] => {
                let mut about = [0; 9];
                gif.read_exact(&mut about)?;
                *count += 1;
                if *count >= most {
                    return Ok(());
                }
                // Behind its colours the size of its first codes.
                pass(gif, color_bytes(about[8]) + 1)?;
            }
            [EXTENSION] => pass(gif, 1)?,
            [TRAILER] => return Ok(()),
            _ => return Err(io::ErrorKind::InvalidData.into()),
        }
        pass_blocks(gif)?;
    }
}

/// How many bytes the colours have that these flags tell of.
fn color_bytes(flags: u8) -> u64 {
    if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) }
}

/// Passes over blocks of data, each behind its length, up to the empty one.
fn pass_blocks(gif: &mut impl Read) -> io::Result<()> {
    loop {
        let mut length = [0];
        gif.read_exact(&mut length)?;
        if length == [0] {
            return Ok(());
        }
        pass(gif, u64::from(length[0]))?;
    }
}

fn pass(gif: &mut impl Read, bytes: u64) -> io::Result<()> {
    let passed = io::copy(&mut gif.by_ref().take(bytes), &mut io::sink())?;
    if passed == bytes { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frames_of_a_gif_are_counted_as_far_as_they_are_there() {
        let frame = b"\x21\xf9\x04\0\x0a\0\0\0\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0";
        let head = b"GIF89a\x01\0\x01\0\x80\0\0\xff\0\0\0\0\0";
        let gif = [&head[..], frame, frame, frame, &[TRAILER]].concat();
        let counted = |bytes: &[u8], most| {
            let FrameCount { count, is_whole } = gif_frames(bytes, most);
            (count, is_whole)
        };
        assert_eq!(counted(&gif, u32::MAX), (3, true));
        assert_eq!(counted(&gif, 2), (2, true));
        assert_eq!(counted(&gif[..gif.len() - 1], 9), (3, false));
        assert_eq!(counted(&gif[..head.len() + frame.len() + 10], 9), (1, false));
        assert_eq!(counted(&gif[..20], 9), (0, false));
        assert_eq!(counted(b"GIF89a", 9), (0, false));
    }
}
