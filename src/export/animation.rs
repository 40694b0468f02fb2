//! A run as an animation: an animated PNG, WebP or GIF, or whatever an installed ffmpeg makes of its pictures.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use image::codecs::gif::{GifEncoder, Repeat};
use image::{Delay, RgbaImage};
use image_webp::{ColorType, WebPEncoder};

use crate::base::{CancelToken, Cancelled, Pixels};

use super::frames::Frame;
use super::metadata::escaped_xml;

/// The program that makes videos.
const FFMPEG: &str = "ffmpeg";
/// Pictures a second of a video: fine enough for any delay that is asked for.
const VIDEO_RATE: u32 = 25;
/// Longest side of an animation.
const LONGEST: u32 = 4096;
/// Milliseconds that a GIF can show a picture at most: its hundredths have 16 bits.
const LONGEST_IN_GIF: u32 = u16::MAX as u32 * 10;
/// How the colours of a GIF are chosen, from 1 (best) to 30 (fastest), of a picture that has more than 256.
const GIF_SPEED: i32 = 10;
/// Most of what ffmpeg says that is shown.
const SAID: usize = 400;

/// Why there is no animation.
#[derive(Debug, thiserror::Error)]
pub enum AnimationError {
    /// There is nothing to show.
    #[error("the run has no picture")]
    NoPicture,
    /// Its pictures are too large.
    #[error(
        "its pictures are {width} × {height}, and {LONGEST} a side are the most: choose a smaller --width"
    )]
    TooLarge {
        /// Across.
        width: u32,
        /// Down.
        height: u32,
    },
    /// It cannot be encoded as PNG.
    #[error(transparent)]
    Png(#[from] png::EncodingError),
    /// It cannot be encoded as WebP.
    #[error(transparent)]
    Webp(#[from] image_webp::EncodingError),
    /// It cannot be encoded as GIF.
    #[error(transparent)]
    Gif(#[from] image::ImageError),
    /// A picture is shown longer than a GIF can say.
    #[error(
        "a GIF shows a picture for {} s at most, and one is to be shown for {} s: choose less of --delay and --hold, or WebP",
        LONGEST_IN_GIF / 1000,
        shown_millis.div_ceil(1000)
    )]
    TooSlow {
        /// How long the picture is to be shown, in milliseconds.
        shown_millis: u32,
    },
    /// ffmpeg is not there.
    #[error(
        "a video is made by ffmpeg, which is not installed ({0}): install the package ffmpeg (apt-get install ffmpeg), or choose PNG, WebP or GIF, which need nothing"
    )]
    NoFfmpeg(std::io::Error),
    /// The video cannot be put in its place.
    #[error("{} cannot be written: {source}", path.display())]
    Write {
        /// Where.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Somebody stopped it.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// ffmpeg could not make it.
    #[error("ffmpeg could not make {}: {said}", path.display())]
    Ffmpeg {
        /// What it was to make.
        path: PathBuf,
        /// The end of what it said.
        said: String,
    },
}

/// Pictures with how long each is shown, all of one size.
#[derive(Debug)]
pub struct Animation {
    width: u32,
    height: u32,
    /// Each with its milliseconds.
    pictures: Vec<(Vec<u8>, u32)>,
    /// What the file says of itself.
    about: String,
}

impl Animation {
    /// Of a run's pictures: each for `delay` milliseconds a step, the last one for `hold` more. Smaller pictures
    /// lie in the upper left corner, on white; `beside` stands at the right of each.
    ///
    /// # Errors
    ///
    /// [`AnimationError::NoPicture`], [`AnimationError::TooLarge`].
    pub fn new(
        frames: Vec<Frame>,
        beside: Option<&Pixels>,
        delay: u32,
        hold: u32,
    ) -> Result<Self, AnimationError> {
        // As large as the largest: pages grow while a run works, and to scale each would let them jump.
        let sizes = frames.iter().map(|frame| (frame.picture.width(), frame.picture.height()));
        let own =
            sizes.reduce(|a, b| (a.0.max(b.0), a.1.max(b.1))).ok_or(AnimationError::NoPicture)?;
        let (gap, other) = match beside {
            Some(beside) => (GAP, (beside.width(), beside.height())),
            None => (0, (0, 0)),
        };
        // Even sides, as most codecs want; checked before the first buffer is taken, as width times height may be
        // more than memory.
        let [width, height] =
            [own.0 + gap + other.0, own.1.max(other.1)].map(|side| side.next_multiple_of(2));
        if width.max(height) > LONGEST {
            return Err(AnimationError::TooLarge { width, height });
        }
        let mut pictures: Vec<(Vec<u8>, u32)> = Vec::with_capacity(frames.len());
        for frame in frames {
            let mut rgba = vec![255; width as usize * height as usize * 4];
            lay(&mut rgba, width, 0, &frame.picture);
            if let Some(beside) = beside {
                lay(&mut rgba, width, own.0 + gap, beside);
            }
            // A step of no time would leave the pace to the player.
            pictures.push((rgba, delay.max(1).saturating_mul(frame.steps)));
        }
        // Otherwise a loop starts again before the result was seen.
        if let Some((_, shown)) = pictures.last_mut() {
            *shown = shown.saturating_add(hold);
        }
        Ok(Self { width, height, pictures, about: String::new() })
    }

    /// The same, with what its file says of itself.
    pub(super) fn described(self, about: String) -> Self {
        Self { about, ..self }
    }

    /// How many pictures it has.
    pub fn pictures(&self) -> usize {
        self.pictures.len()
    }

    /// How long it is, in milliseconds.
    pub fn duration(&self) -> u64 {
        self.pictures.iter().map(|(_, shown)| u64::from(*shown)).sum()
    }

    /// An animated PNG that begins anew for ever.
    ///
    /// # Errors
    ///
    /// [`AnimationError::Png`].
    pub fn to_png(&self) -> Result<Vec<u8>, AnimationError> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_animated(self.pictures.len() as u32, 0)?;
        if !self.about.is_empty() {
            encoder.add_itxt_chunk("Comment".to_owned(), self.about.clone())?;
        }
        let mut writer = encoder.write_header()?;
        for (rgba, shown) in &self.pictures {
            // Hundredths reach further than 65 seconds in milliseconds would.
            let hundredths = u16::try_from(shown.div_ceil(10)).unwrap_or(u16::MAX);
            writer.set_frame_delay(hundredths, 100)?;
            writer.write_image_data(rgba)?;
        }
        writer.finish()?;
        Ok(bytes)
    }

    /// An animated WebP without loss that begins anew for ever (RFC 9649, sections 2.7 and 3).
    ///
    /// # Errors
    ///
    /// [`AnimationError::Webp`].
    pub fn to_webp(&self) -> Result<Vec<u8>, AnimationError> {
        let mut chunks = Vec::new();
        let described = if self.about.is_empty() { 0 } else { WITH_XMP };
        let mut extended = vec![ANIMATED | WITH_ALPHA | described, 0, 0, 0];
        extended.extend(three_bytes(self.width - 1));
        extended.extend(three_bytes(self.height - 1));
        push_chunk(&mut chunks, *b"VP8X", &extended);
        // White behind it, and no end.
        push_chunk(&mut chunks, *b"ANIM", &[255, 255, 255, 255, 0, 0]);
        for (rgba, shown) in &self.pictures {
            let mut file = Vec::new();
            let encoder = WebPEncoder::new(Cursor::new(&mut file));
            encoder.encode(rgba, self.width, self.height, ColorType::Rgba8)?;
            let mut frame = Vec::with_capacity(file.len() + 16);
            // Its corner, its size, how long; in place of what is there and not blended with it, which decoders
            // round.
            frame.extend([0; 6]);
            frame.extend(three_bytes(self.width - 1));
            frame.extend(three_bytes(self.height - 1));
            frame.extend(three_bytes(*shown));
            frame.push(NO_BLEND);
            // What follows the twelve bytes of the file's head are its own chunks.
            frame.extend_from_slice(file.get(12..).unwrap_or_default());
            push_chunk(&mut chunks, *b"ANMF", &frame);
        }
        if !self.about.is_empty() {
            push_chunk(&mut chunks, *b"XMP ", xmp(&self.about).as_bytes());
        }
        let mut bytes = b"RIFF".to_vec();
        bytes.extend((chunks.len() as u32 + 4).to_le_bytes());
        bytes.extend(b"WEBP");
        bytes.extend(chunks);
        Ok(bytes)
    }

    /// An animated GIF that begins anew for ever: each picture once, in up to 256 colours of its own, as long as it is
    /// shown.
    ///
    /// # Errors
    ///
    /// [`AnimationError::TooSlow`], [`AnimationError::Gif`], [`AnimationError::Cancelled`].
    pub fn to_gif(&self, cancel: &CancelToken) -> Result<Vec<u8>, AnimationError> {
        // Before any is encoded, which takes a while.
        let longest = self.pictures.iter().map(|(_, shown)| *shown).max();
        if let Some(shown_millis) = longest.filter(|shown| *shown > LONGEST_IN_GIF) {
            return Err(AnimationError::TooSlow { shown_millis });
        }
        let mut bytes = Vec::new();
        let mut encoder = GifEncoder::new_with_speed(&mut bytes, GIF_SPEED);
        encoder.set_repeat(Repeat::Infinite)?;
        for (rgba, shown) in &self.pictures {
            cancel.check()?;
            let picture = RgbaImage::from_raw(self.width, self.height, rgba.clone());
            let picture = picture.ok_or(AnimationError::NoPicture)?;
            // Whole hundredths: the encoder would cut off what is left.
            let delay = Delay::from_numer_denom_ms(shown.div_ceil(10) * 10, 1);
            encoder.encode_frame(image::Frame::from_parts(picture, 0, 0, delay))?;
        }
        // It writes the end of the file.
        drop(encoder);
        if !self.about.is_empty() && bytes.pop_if(|last| *last == GIF_TRAILER).is_some() {
            push_gif_comment(&mut bytes, &self.about);
            bytes.push(GIF_TRAILER);
        }
        Ok(bytes)
    }

    /// Has the installed ffmpeg make a video; which kind, the ending of the file says. What was there before is
    /// replaced only by a whole video.
    ///
    /// # Errors
    ///
    /// [`AnimationError::NoFfmpeg`], [`AnimationError::Ffmpeg`], [`AnimationError::Write`],
    /// [`AnimationError::Cancelled`].
    pub fn write_video(&self, path: &Path, cancel: &CancelToken) -> Result<(), AnimationError> {
        let unfinished = unfinished(path);
        let made = self.encode_video(path, &unfinished, cancel);
        let placed = made.and_then(|()| {
            let path = path.to_path_buf();
            std::fs::rename(&unfinished, &path)
                .map_err(|source| AnimationError::Write { path, source })
        });
        if placed.is_err() {
            // It is not there if ffmpeg never began it.
            std::fs::remove_file(&unfinished).ok();
        }
        placed
    }

    fn encode_video(
        &self,
        path: &Path,
        unfinished: &Path,
        cancel: &CancelToken,
    ) -> Result<(), AnimationError> {
        let size = format!("{}x{}", self.width, self.height);
        let rate = VIDEO_RATE.to_string();
        let mut command = Command::new(FFMPEG);
        command.args(["-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgba"]);
        command.args(["-s", &size, "-r", &rate, "-i", "-"]);
        // What every player can show.
        command.args(["-pix_fmt", "yuv420p"]);
        if !self.about.is_empty() {
            command.arg("-metadata").arg(format!("comment={}", self.about));
        }
        command.arg(unfinished);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(AnimationError::NoFfmpeg)?;
        if let Err(cancelled) = self.feed(&mut child, cancel) {
            // One that ended by itself meanwhile cannot be stopped any more, and need not be.
            child.kill().ok();
            child.wait().ok();
            return Err(cancelled.into());
        }
        let failed = |said: String| AnimationError::Ffmpeg { path: path.to_path_buf(), said };
        let output = child.wait_with_output().map_err(|error| failed(error.to_string()))?;
        if output.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let said: String = said.trim().chars().take(SAID).collect();
        Err(failed(said))
    }

    /// Gives ffmpeg all pictures, and closes its input.
    fn feed(&self, child: &mut Child, cancel: &CancelToken) -> Result<(), Cancelled> {
        let Some(mut input) = child.stdin.take() else { return Ok(()) };
        // Who ends early says why on its own; that its input broke is only what follows from it.
        self.write_frames(&mut input, cancel).ok();
        cancel.check()
    }

    fn write_frames(
        &self,
        input: &mut impl std::io::Write,
        cancel: &CancelToken,
    ) -> std::io::Result<()> {
        let mut shown_until = 0.0;
        let mut written = 0_u64;
        for (rgba, shown) in &self.pictures {
            shown_until += f64::from(*shown) / 1000.0;
            // By the sum and not each by itself, so that what is rounded does not add up.
            let until = ((shown_until * f64::from(VIDEO_RATE)).round() as u64).max(written + 1);
            for _ in written..until {
                // Between pictures: of one that lasts long there are many.
                if cancel.is_cancelled() {
                    return Ok(());
                }
                input.write_all(rgba)?;
            }
            written = until;
        }
        input.flush()
    }
}

/// Between two pictures.
const GAP: u32 = 16;
/// Flags of a WebP's extended head.
const ANIMATED: u8 = 1 << 1;
const WITH_ALPHA: u8 = 1 << 4;
const WITH_XMP: u8 = 1 << 2;
/// A flag of one of its frames.
const NO_BLEND: u8 = 1 << 1;

/// The last byte of a GIF.
const GIF_TRAILER: u8 = 0x3B;

/// Words as a comment of a GIF (GIF89a, section 24), in blocks of up to 255 bytes.
fn push_gif_comment(bytes: &mut Vec<u8>, words: &str) {
    bytes.extend([0x21, 0xFE]);
    for block in words.as_bytes().chunks(255) {
        bytes.push(block.len() as u8);
        bytes.extend_from_slice(block);
    }
    bytes.push(0);
}

/// Where a video is made until it is whole: beside its place, with the same ending, by which ffmpeg knows what to make.
fn unfinished(path: &Path) -> PathBuf {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    path.with_file_name(format!(".unfinished-{}", name.unwrap_or_default()))
}

/// A description as XMP (ISO 16684-1), which WebP has its words in.
fn xmp(about: &str) -> String {
    format!(
        "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\
         <rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><dc:description><rdf:Alt>\
         <rdf:li xml:lang=\"x-default\">{}</rdf:li></rdf:Alt></dc:description></rdf:Description></rdf:RDF></x:xmpmeta>",
        escaped_xml(about)
    )
}

fn three_bytes(number: u32) -> [u8; 3] {
    let [a, b, c, _] = number.min(0x00FF_FFFF).to_le_bytes();
    [a, b, c]
}

fn push_chunk(chunks: &mut Vec<u8>, name: [u8; 4], payload: &[u8]) {
    chunks.extend_from_slice(&name);
    chunks.extend((payload.len() as u32).to_le_bytes());
    chunks.extend(payload);
    if payload.len() % 2 == 1 {
        chunks.push(0);
    }
}

/// Lays a picture over white into a larger one.
fn lay(into: &mut [u8], width: u32, left: u32, picture: &Pixels) {
    let row_bytes = width as usize * 4;
    for (y, row) in picture.rgba().chunks_exact(picture.width() as usize * 4).enumerate() {
        let start = y * row_bytes + left as usize * 4;
        let Some(room) = into.get_mut(start..start + row.len()) else { return };
        for (to, from) in room.chunks_exact_mut(4).zip(row.chunks_exact(4)) {
            let alpha = u32::from(from[3]);
            for channel in 0..3 {
                let over = u32::from(from[channel]) * alpha + 255 * (255 - alpha);
                to[channel] = ((over + 127) / 255) as u8;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(step: u32, side: u32, color: [u8; 4]) -> Frame {
        Frame { step, steps: 2, picture: Pixels::filled(side, side, color).unwrap() }
    }

    fn animation() -> Animation {
        let frames = [frame(0, 8, [255, 0, 0, 255]), frame(2, 9, [0, 0, 255, 255])];
        let truth = Pixels::filled(5, 12, [0, 255, 0, 255]).unwrap();
        let animation = Animation::new(frames.to_vec(), Some(&truth), 100, 1000).unwrap();
        animation.described("a & b".to_owned())
    }

    #[test]
    fn an_animated_png_holds_every_picture_and_its_time() {
        let animation = animation();
        assert_eq!((animation.width, animation.height), (30, 12));
        assert_eq!(animation.duration(), 1400);
        let bytes = animation.to_png().unwrap();
        let mut reader = png::Decoder::new(Cursor::new(&bytes)).read_info().unwrap();
        assert_eq!(reader.info().animation_control.unwrap().num_frames, 2);
        assert_eq!(reader.info().utf8_text[0].get_text().unwrap(), "a & b");
        let mut rgba = vec![0; reader.output_buffer_size().unwrap()];
        for (color, shown) in [([255, 0, 0, 255], 20), ([0, 0, 255, 255], 120)] {
            reader.next_frame(&mut rgba).unwrap();
            assert_eq!(rgba[..4], color);
            assert_eq!(reader.info().frame_control.unwrap().delay_num, shown);
            // The ground truth at the right, white below the smaller picture.
            assert_eq!(rgba[25 * 4..25 * 4 + 4], [0, 255, 0, 255]);
            assert_eq!(rgba[30 * 4 * 11..30 * 4 * 11 + 4], [255; 4]);
        }
    }

    #[test]
    fn an_animated_webp_holds_the_same_pictures() {
        let animation = animation();
        let bytes = animation.to_webp().unwrap();
        let mut decoder = image_webp::WebPDecoder::new(Cursor::new(&bytes)).unwrap();
        assert!(decoder.is_animated());
        let xmp = decoder.xmp_metadata().unwrap().expect("it says what made it");
        assert!(String::from_utf8(xmp).unwrap().contains("a &amp; b"));
        assert_eq!((decoder.dimensions(), decoder.num_frames()), ((30, 12), 2));
        let mut rgba = vec![0; decoder.output_buffer_size().unwrap()];
        for (rgba_of_frame, shown) in &animation.pictures {
            let said = decoder.read_frame(&mut rgba).unwrap();
            assert_eq!(said, *shown);
            assert_eq!(&rgba, rgba_of_frame);
        }
    }

    #[test]
    fn a_gif_has_each_picture_once_for_as_long_as_it_is_shown() {
        use image::AnimationDecoder as _;
        use image::codecs::gif::GifDecoder;

        let animation = animation();
        let bytes = animation.to_gif(&CancelToken::new()).unwrap();
        assert!(bytes.windows(5).any(|it| it == b"a & b"), "it says what made it");
        let decoder = GifDecoder::new(Cursor::new(&bytes)).unwrap();
        let frames = decoder.into_frames().collect_frames().unwrap();
        let shown: Vec<u32> = frames.iter().map(|it| it.delay().numer_denom_ms().0).collect();
        assert_eq!(shown, [200, 1200]);
        for (frame, (rgba, _)) in frames.iter().zip(&animation.pictures) {
            assert_eq!(frame.buffer().as_raw(), rgba);
        }
        // What it cannot say is no other pace in silence.
        let one = || vec![frame(0, 8, [255; 4])];
        let longest = Animation::new(one(), None, 1, 655_348).unwrap();
        assert!(longest.to_gif(&CancelToken::new()).is_ok());
        let slow = Animation::new(one(), None, 1, 655_349).unwrap();
        assert!(matches!(
            slow.to_gif(&CancelToken::new()),
            Err(AnimationError::TooSlow { shown_millis: 655_351 })
        ));
    }

    #[test]
    fn no_film_is_made_of_nothing_or_of_too_much() {
        assert!(matches!(Animation::new(Vec::new(), None, 1, 0), Err(AnimationError::NoPicture)));
        let wide = Frame { step: 0, steps: 1, picture: Pixels::filled(5000, 1, [0; 4]).unwrap() };
        assert!(matches!(
            Animation::new(vec![wide], None, 1, 0),
            Err(AnimationError::TooLarge { .. })
        ));
    }
}
