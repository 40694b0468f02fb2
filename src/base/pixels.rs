//! The one image type that crosses modules.

use std::borrow::Cow;
use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};

use image::{ColorType, DynamicImage, ImageDecoder};
use image_webp::{DecodingError, WebPDecoder};

use super::limits::{JsonLimitError, Limits, read_file_limited};
use super::replace_file::replace_file;

/// A picture: 8-bit sRGB, RGBA, **not** premultiplied, rows from the top, no padding.
///
/// Cheap to clone: the samples are shared. Width and height are at least 1.
#[derive(Clone, PartialEq, Eq)]
pub struct Pixels {
    width: u32,
    height: u32,
    rgba: Arc<Vec<u8>>,
}

/// How the names of pictures end that are read ([`Pixels::decode`]): PNG, JPEG, WebP, GIF and BMP.
pub const PICTURE_ENDINGS: &[&str] = &["png", "jpg", "jpeg", "webp", "gif", "bmp"];

/// Which samples a picture has, whether or not there still is one: unlike an address, it is never that
/// of samples made later. Keeps no picture in memory.
#[derive(Clone, Debug)]
pub struct PixelsId(Weak<Vec<u8>>);

impl PixelsId {
    pub(super) fn of(samples: &Arc<Vec<u8>>) -> Self {
        Self(Arc::downgrade(samples))
    }
}

impl PartialEq for PixelsId {
    fn eq(&self, other: &Self) -> bool {
        self.0.ptr_eq(&other.0)
    }
}

impl Eq for PixelsId {}

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum PixelsError {
    /// Width or height is zero.
    #[error("a picture of {width} × {height} pixels has no area")]
    Empty {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
    },
    /// More pixels than the program takes.
    #[error("a picture of {width} × {height} pixels is over the limit ({side} a side, {pixels} in all)", side = Limits::IMAGE_SIDE, pixels = Limits::IMAGE_PIXELS)]
    TooLarge {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
    },
    /// The sample count does not fit the size.
    #[error("{got} bytes do not make a picture of {width} × {height} RGBA pixels")]
    WrongLength {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// Bytes given.
        got: usize,
    },
    /// The bytes are no picture of a format that is read, or one that cannot be decoded.
    #[error("cannot be decoded as a picture: {0}")]
    Decode(#[from] image::ImageError),
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] JsonLimitError),
    /// The file cannot be written.
    #[error("cannot be written: {source}: {}", path.display())]
    Write {
        /// The cause.
        source: std::io::Error,
        /// Which file.
        path: PathBuf,
    },
}

impl std::fmt::Debug for Pixels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pixels({} × {})", self.width, self.height)
    }
}

/// A PNG without its colour profile, which is compressed and would be unpacked, however large, by
/// whoever decodes the picture; anything else as it is.
fn without_profile(bytes: &[u8]) -> Cow<'_, [u8]> {
    const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
    /// Of a chunk, beside its data: length, type and checksum.
    const AROUND: usize = 12;
    if !bytes.starts_with(SIGNATURE) {
        return Cow::Borrowed(bytes);
    }
    let (mut kept, mut at) = (Vec::new(), SIGNATURE.len());
    // How far the bytes are in `kept`, once a profile was passed over.
    let mut copied = 0;
    while let Some(head) = bytes.get(at..at + 8) {
        let [a, b, c, d, kind @ ..] = head else { break };
        let length = u32::from_be_bytes([*a, *b, *c, *d]) as usize;
        let Some(end) = at.checked_add(AROUND).and_then(|it| it.checked_add(length)) else { break };
        match kind {
            b"iCCP" => {
                kept.extend_from_slice(bytes.get(copied..at).unwrap_or_default());
                copied = end.min(bytes.len());
            }
            // The profile stands before the picture.
            b"IDAT" => break,
            _ => {}
        }
        at = end;
    }
    if copied == 0 {
        return Cow::Borrowed(bytes);
    }
    kept.extend_from_slice(bytes.get(copied..).unwrap_or_default());
    Cow::Owned(kept)
}

impl Pixels {
    /// A picture from its samples: `width * height * 4` bytes, RGBA, not premultiplied.
    pub fn from_rgba(width: u32, height: u32, rgba: Vec<u8>) -> Result<Self, PixelsError> {
        check_size(width, height)?;
        if rgba.len() != width as usize * height as usize * 4 {
            return Err(PixelsError::WrongLength { width, height, got: rgba.len() });
        }
        Ok(Self { width, height, rgba: Arc::new(rgba) })
    }

    /// A picture of one colour.
    pub fn filled(width: u32, height: u32, color: [u8; 4]) -> Result<Self, PixelsError> {
        check_size(width, height)?;
        Self::from_rgba(width, height, color.repeat(width as usize * height as usize))
    }

    /// Decodes PNG, JPEG, WebP, GIF or BMP, of one that moves its first frame. The size is checked from the header,
    /// before anything is allocated. Colour profiles are not looked at: samples are taken for sRGB. Of 16 bits a sample
    /// the upper 8 are taken, as OpenCV and Pillow read colours, by which published metrics are computed.
    pub fn decode(bytes: &[u8]) -> Result<Self, PixelsError> {
        if is_webp(bytes) {
            return decode_webp(bytes);
        }
        let bytes = &*without_profile(bytes);
        let (width, height) = reader(bytes)?.into_dimensions()?;
        check_size(width, height)?;
        // Asking for the size uses a reader up.
        let mut decoder = reader(bytes)?;
        let mut limits = image::Limits::default();
        limits.max_image_width = Some(Limits::IMAGE_SIDE);
        limits.max_image_height = Some(Limits::IMAGE_SIDE);
        // Twice what eight bits a channel take: pictures of sixteen bits are read, too.
        limits.max_alloc = Some(Limits::IMAGE_PIXELS * 8);
        decoder.limits(limits);
        let decoder = decoder.into_decoder()?;
        // By far most pictures; the two buffers of the general way would be 450 MB of a large one.
        if let Some(channels) = eight_bit_channels(decoder.color_type()) {
            return Self::from_rgba(width, height, read_expanded(decoder, channels)?);
        }
        let decoded = upper_bits(DynamicImage::from_decoder(decoder)?);
        let (width, height) = decoded.dimensions();
        Self::from_rgba(width, height, decoded.into_raw())
    }

    /// Width and height that the header of a picture says, whatever they are.
    pub fn size_of(bytes: &[u8]) -> Result<(u32, u32), PixelsError> {
        if is_webp(bytes) {
            return Ok(read_webp(|| WebPDecoder::new(Cursor::new(bytes)))?.dimensions());
        }
        Ok(reader(&without_profile(bytes))?.into_dimensions()?)
    }

    /// Reads a picture's file of at most [`Limits::IMAGE_BYTES`].
    pub fn open(path: &Path) -> Result<Self, PixelsError> {
        Self::decode(&read_file_limited(path, Limits::IMAGE_BYTES)?)
    }

    /// Encodes as PNG. The same pixels always give the same bytes.
    pub fn to_png(&self) -> Result<Vec<u8>, PixelsError> {
        use image::ImageEncoder as _;
        use image::codecs::png::{CompressionType, FilterType, PngEncoder};
        let mut out = Vec::new();
        // Fast: pictures are written at every turn of a run, and read by few.
        PngEncoder::new_with_quality(&mut out, CompressionType::Fast, FilterType::Adaptive)
            .write_image(&self.rgba, self.width, self.height, image::ExtendedColorType::Rgba8)?;
        Ok(out)
    }

    /// Encodes as JPEG of high quality; what is clear becomes white. The same pixels always give the same bytes.
    pub fn to_jpeg(&self) -> Result<Vec<u8>, PixelsError> {
        const QUALITY: u8 = 92;
        let on_white = self.rgba.chunks_exact(4).flat_map(|pixel| {
            let alpha = u32::from(pixel[3]);
            [pixel[0], pixel[1], pixel[2]].map(|channel| {
                let mixed = u32::from(channel) * alpha + 255 * (255 - alpha);
                ((mixed + 127) / 255) as u8
            })
        });
        let rgb: Vec<u8> = on_white.collect();
        let mut out = Vec::new();
        image::codecs::jpeg::JpegEncoder::new_with_quality(&mut out, QUALITY).encode(
            &rgb,
            self.width,
            self.height,
            image::ExtendedColorType::Rgb8,
        )?;
        Ok(out)
    }

    /// Writes a PNG file, in the place of the one before only when it is whole ([`replace_file`]).
    pub fn save_png(&self, path: &Path) -> Result<(), PixelsError> {
        // Encoded whole first: an encoder that fails leaves no half file.
        let png = self.to_png()?;
        replace_file(path, &png)
            .map_err(|source| PixelsError::Write { source, path: path.to_path_buf() })
    }

    /// Pixels across, at least 1.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Pixels down, at least 1.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Which samples it has: the same for clones, another for samples made anew, be they equal.
    pub fn id(&self) -> PixelsId {
        PixelsId::of(&self.rgba)
    }

    /// The samples: RGBA, rows from the top.
    pub fn rgba(&self) -> &[u8] {
        &self.rgba
    }

    /// Puts samples of `width` pixels a row in the place of those from `left`, `top` on; what would
    /// lie outside is left out. Copies the picture first if anyone else holds it.
    pub fn put(&mut self, left: u32, top: u32, width: u32, rgba: &[u8]) {
        // What lies beyond the right edge is cut from each row, rows below the last by the zip.
        let columns = width.min(self.width.saturating_sub(left)) as usize;
        if columns == 0 {
            return;
        }
        let stride = self.width as usize * 4;
        let rows = Arc::make_mut(&mut self.rgba).chunks_mut(stride).skip(top as usize);
        for (row, part) in rows.zip(rgba.chunks_exact(width as usize * 4)) {
            let at = left as usize * 4;
            row[at..at + columns * 4].copy_from_slice(&part[..columns * 4]);
        }
    }

    /// One pixel; `None` outside.
    pub fn get(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        if x >= self.width || y >= self.height {
            return None;
        }
        let at = (y as usize * self.width as usize + x as usize) * 4;
        self.rgba.get(at..at + 4)?.try_into().ok()
    }
}

/// How many channels a picture of eight bits has that are not RGBA yet, or are.
fn eight_bit_channels(color: ColorType) -> Option<usize> {
    match color {
        ColorType::L8 => Some(1),
        ColorType::La8 => Some(2),
        ColorType::Rgb8 => Some(3),
        ColorType::Rgba8 => Some(4),
        _ => None,
    }
}

/// Decodes into the end of the samples and spreads the pixels from there over all of them: one buffer
/// for both.
fn read_expanded(decoder: impl ImageDecoder, channels: usize) -> Result<Vec<u8>, PixelsError> {
    let (width, height) = decoder.dimensions();
    let pixels = width as usize * height as usize;
    let mut rgba = vec![0; pixels * 4];
    let start = pixels * (4 - channels);
    decoder.read_image(&mut rgba[start..])?;
    expand(&mut rgba, channels);
    Ok(rgba)
}

/// Spreads pixels of fewer channels, which stand at the end, over all of the samples.
fn expand(rgba: &mut [u8], channels: usize) {
    match channels {
        1 => expand_pixels(rgba, |[luma]| [luma, luma, luma, u8::MAX]),
        2 => expand_pixels(rgba, |[luma, alpha]| [luma, luma, luma, alpha]),
        3 => expand_pixels(rgba, |[red, green, blue]| [red, green, blue, u8::MAX]),
        _ => {}
    }
}

/// How many pixels are spread at once.
const TOGETHER: usize = 64;

fn expand_pixels<const N: usize>(rgba: &mut [u8], spread: impl Fn([u8; N]) -> [u8; 4]) {
    let pixels = rgba.len() / 4;
    let start = pixels * (4 - N);
    // Taken out first: where both lie in one buffer, nothing vectorises.
    let mut taken = [[0; N]; TOGETHER];
    for first in (0..pixels).step_by(TOGETHER) {
        let count = TOGETHER.min(pixels - first);
        let from = start + first * N;
        taken.as_flattened_mut()[..count * N].copy_from_slice(&rgba[from..from + count * N]);
        // What is written never reaches what is still to be read: `4 at <= start + N at`.
        let written = &mut rgba.as_chunks_mut().0[first..first + count];
        for (pixel, samples) in written.iter_mut().zip(&taken) {
            *pixel = spread(*samples);
        }
    }
}

/// A picture of eight bits; of more bits the upper ones, where a conversion would round.
fn upper_bits(picture: DynamicImage) -> image::RgbaImage {
    if matches!(
        picture.color(),
        ColorType::L16 | ColorType::La16 | ColorType::Rgb16 | ColorType::Rgba16
    ) {
        let wide = picture.into_rgba16();
        let (width, height) = wide.dimensions();
        let samples = wide.into_raw().into_iter().map(|sample| (sample >> 8) as u8);
        // As many samples as there were: it is the same picture.
        return image::RgbaImage::from_raw(width, height, samples.collect()).unwrap_or_default();
    }
    picture.into_rgba8()
}

fn is_webp(bytes: &[u8]) -> bool {
    bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP")
}

/// Does a part of reading a WebP. The decoder panics at some that are made to mislead it, as at a frame whose colours
/// are of another size than its alpha: that is an error as any other, and the decoder must not be used afterwards.
///
/// # Errors
///
/// [`PixelsError::Decode`].
pub fn read_webp<T>(read: impl FnOnce() -> Result<T, DecodingError>) -> Result<T, PixelsError> {
    let format = image::error::ImageFormatHint::Exact(image::ImageFormat::WebP);
    let error = match catch_unwind(AssertUnwindSafe(read)) {
        Ok(Ok(read)) => return Ok(read),
        Ok(Err(error)) => image::error::DecodingError::new(format, error),
        Err(_) => image::error::DecodingError::new(format, "its parts contradict each other"),
    };
    Err(image::ImageError::Decoding(error).into())
}

fn decode_webp(bytes: &[u8]) -> Result<Pixels, PixelsError> {
    let mut decoder = read_webp(|| WebPDecoder::new(Cursor::new(bytes)))?;
    let (width, height) = decoder.dimensions();
    check_size(width, height)?;
    let channels = if decoder.has_alpha() { 4 } else { 3 };
    let pixels = width as usize * height as usize;
    let mut rgba = vec![0; pixels * 4];
    let start = pixels * (4 - channels);
    read_webp(|| decoder.read_image(&mut rgba[start..]))?;
    expand(&mut rgba, channels);
    Pixels::from_rgba(width, height, rgba)
}

fn reader(bytes: &[u8]) -> Result<image::ImageReader<Cursor<&[u8]>>, image::ImageError> {
    image::ImageReader::new(Cursor::new(bytes))
        .with_guessed_format()
        .map_err(image::ImageError::IoError)
}

/// Whether the program takes a picture of this size.
///
/// # Errors
///
/// [`PixelsError::Empty`], [`PixelsError::TooLarge`].
pub fn check_size(width: u32, height: u32) -> Result<(), PixelsError> {
    if width == 0 || height == 0 {
        return Err(PixelsError::Empty { width, height });
    }
    // In 64 bits: two sides of 32 bits overflow them.
    let area = u64::from(width) * u64::from(height);
    if width > Limits::IMAGE_SIDE || height > Limits::IMAGE_SIDE || area > Limits::IMAGE_PIXELS {
        return Err(PixelsError::TooLarge { width, height });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn png_round_trips_exactly() {
        let rgba: Vec<u8> = (0..5 * 3 * 4).map(|v| (v * 7) as u8).collect();
        let picture = Pixels::from_rgba(5, 3, rgba).unwrap();
        assert_eq!(Pixels::decode(&picture.to_png().unwrap()).unwrap(), picture);
    }

    #[test]
    fn every_kind_of_picture_is_read_as_the_general_decoder_reads_it() {
        use image::{ExtendedColorType, ImageEncoder as _, codecs::png::PngEncoder};
        let (width, height) = (37u32, 11u32);
        let samples: Vec<u8> = (0..37 * 11 * 4u32).map(|at| ((at * 31) >> 2) as u8).collect();
        for (color, bytes) in [
            (ExtendedColorType::L8, 1),
            (ExtendedColorType::La8, 2),
            (ExtendedColorType::Rgb8, 3),
            (ExtendedColorType::Rgba8, 4),
        ] {
            let mut png = Vec::new();
            let part = &samples[..(width * height * bytes) as usize];
            PngEncoder::new(&mut png).write_image(part, width, height, color).unwrap();
            let expected = image::load_from_memory(&png).unwrap().into_rgba8();
            assert_eq!(Pixels::decode(&png).unwrap().rgba(), expected.as_raw(), "{color:?}");
        }
        let mut jpeg = Vec::new();
        let encoder = image::codecs::jpeg::JpegEncoder::new(&mut jpeg);
        let rgb = &samples[..(width * height * 3) as usize];
        encoder.write_image(rgb, width, height, ExtendedColorType::Rgb8).unwrap();
        let expected = image::load_from_memory(&jpeg).unwrap().into_rgba8();
        assert_eq!(Pixels::decode(&jpeg).unwrap().rgba(), expected.as_raw());
    }

    #[test]
    fn of_sixteen_bits_the_upper_eight_are_taken_and_not_rounded() {
        use image::{ExtendedColorType, ImageEncoder as _, codecs::png::PngEncoder};
        // As the samples lie in memory: 0x80ff would round to 0x81.
        let wide = |samples: &[u16]| -> Vec<u8> {
            samples.iter().flat_map(|sample| sample.to_ne_bytes()).collect()
        };
        for (color, samples, expected) in [
            (ExtendedColorType::L16, &[0x80ff_u16][..], [0x80, 0x80, 0x80, 255]),
            (ExtendedColorType::Rgb16, &[0x80ff, 0xff, 0xffff][..], [0x80, 0, 255, 255]),
            (ExtendedColorType::Rgba16, &[1, 0x7fff, 0xfeff, 0x01ff][..], [0, 0x7f, 0xfe, 1]),
        ] {
            let mut png = Vec::new();
            PngEncoder::new(&mut png).write_image(&wide(samples), 1, 1, color).unwrap();
            assert_eq!(Pixels::decode(&png).unwrap().rgba(), expected, "{color:?}");
        }
    }

    #[test]
    fn a_webp_is_read_with_and_without_an_alpha_and_a_broken_one_is_an_error() {
        let webp = |samples: &[u8], color: image_webp::ColorType| {
            let mut webp = Vec::new();
            image_webp::WebPEncoder::new(&mut webp).encode(samples, 2, 1, color).unwrap();
            webp
        };
        let opaque = webp(&[1, 2, 3, 4, 5, 6], image_webp::ColorType::Rgb8);
        assert_eq!(Pixels::decode(&opaque).unwrap().rgba(), [1, 2, 3, 255, 4, 5, 6, 255]);
        assert_eq!(Pixels::size_of(&opaque).unwrap(), (2, 1));
        let clear = webp(&[1, 2, 3, 4, 5, 6, 7, 8], image_webp::ColorType::Rgba8);
        assert_eq!(Pixels::decode(&clear).unwrap().rgba(), [1, 2, 3, 4, 5, 6, 7, 8]);
        for cut in [0, 5, 11, 12, 20, 25] {
            assert!(Pixels::decode(&opaque[..cut]).is_err(), "{cut}");
        }
    }

    #[test]
    fn a_film_whose_colours_are_of_another_size_than_its_alpha_is_an_error() {
        let chunk =
            |name: &[u8], data: &[u8]| [name, &(data.len() as u32).to_le_bytes(), data].concat();
        // 16 × 16 black pixels; the film and its alpha have one.
        let colours = b"\x30\x01\x00\x9d\x01\x2a\x10\x00\x10\x00\x0f\xc0\xfe\x25\xa4\x00\x03\x70\x00\xfe\xe6\xb5\x00\x00";
        let (alpha, colours) = (chunk(b"ALPH", &[0, 255]), chunk(b"VP8 ", colours));
        let frame = [&[0; 16][..], &alpha[..], &colours[..]].concat();
        let head = chunk(b"VP8X", &[0x12, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        let chunks = [head, chunk(b"ANIM", &[0; 6]), chunk(b"ANMF", &frame)].concat();
        let film = chunk(b"RIFF", &[&b"WEBP"[..], &chunks[..]].concat());
        let error = Pixels::decode(&film).unwrap_err().to_string();
        assert!(error.contains("contradict each other"), "{error}");
    }

    #[test]
    fn a_jpeg_shows_what_is_clear_as_white() {
        let mut pixels = Pixels::filled(16, 16, [0, 0, 0, 0]).unwrap();
        pixels.put(0, 0, 8, &[200, 30, 30, 255].repeat(8 * 16));
        let jpeg = Pixels::decode(&pixels.to_jpeg().unwrap()).unwrap();
        assert_eq!((jpeg.width(), jpeg.height()), (16, 16));
        let near = |at: (u32, u32), color: [u8; 4]| {
            let got = jpeg.get(at.0, at.1).unwrap();
            got.iter().zip(color).all(|(got, wanted)| got.abs_diff(wanted) < 12)
        };
        assert!(near((2, 8), [200, 30, 30, 255]) && near((14, 8), [255; 4]), "{jpeg:?}");
    }

    #[test]
    fn a_part_is_put_into_a_picture_and_not_into_its_copies() {
        let before = Pixels::filled(3, 2, [1; 4]).unwrap();
        let mut after = before.clone();
        after.put(2, 1, 2, &[9; 16]);
        assert_eq!(after.get(2, 1), Some([9; 4]));
        assert_eq!(after.rgba().iter().map(|sample| usize::from(*sample == 9)).sum::<usize>(), 4);
        assert_eq!(before, Pixels::filled(3, 2, [1; 4]).unwrap());
        after.put(7, 0, 1, &[9; 4]);
        after.put(0, 7, 1, &[9; 4]);
        assert_eq!(after.rgba().iter().map(|sample| usize::from(*sample == 9)).sum::<usize>(), 4);
    }

    #[test]
    fn a_bomb_is_refused_from_its_header() {
        // A PNG header that promises 60000 × 60000 pixels and then ends.
        let mut png =
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xEA\x60\0\0\xEA\x60\x08\x06\0\0\0".to_vec();
        png.extend(0x6A9B_21E5u32.to_be_bytes());
        let err = Pixels::decode(&png).unwrap_err();
        assert!(matches!(err, PixelsError::TooLarge { .. } | PixelsError::Decode(_)), "{err}");
    }

    #[test]
    fn wrong_lengths_and_empty_sizes_are_refused() {
        assert!(matches!(
            Pixels::from_rgba(2, 2, vec![0; 15]),
            Err(PixelsError::WrongLength { .. })
        ));
        assert!(matches!(Pixels::from_rgba(0, 2, vec![]), Err(PixelsError::Empty { .. })));
    }

    #[test]
    fn a_colour_profile_is_neither_read_nor_missed() {
        let picture = Pixels::filled(3, 2, [10, 20, 30, 40]).unwrap();
        let png = picture.to_png().unwrap();
        let profile = b"bomb\0\0not even compressed";
        let length = (profile.len() as u32).to_be_bytes();
        // After the signature and the header, where profiles stand; its checksum is wrong besides.
        let profiled = [&png[..33], &length, b"iCCP", profile, &[0; 4], &png[33..]].concat();
        assert_eq!(*without_profile(&profiled), png);
        assert_eq!(Pixels::decode(&profiled).unwrap(), picture);
        assert!(matches!(without_profile(&png), Cow::Borrowed(_)));
        // What is cut off in the middle of a profile ends there.
        let torn = &profiled[..8 + 25 + 10];
        assert_eq!(*without_profile(torn), png[..8 + 25]);
        assert!(Pixels::decode(torn).is_err());
        let endless = [&png[..33], &[0xff; 4], b"iCCP"].concat();
        assert!(Pixels::decode(&endless).is_err());
        assert_eq!(*without_profile(b"\xff\xd8 a JPEG"), *b"\xff\xd8 a JPEG");
    }
}
