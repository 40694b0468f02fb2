//! Two pictures over one another, and a map of differences in colours: what the stage shows of them.
//!
//! Written twice: here, and as `shaders/*.wgsl` for the graphics card. Both follow the same steps in
//! single precision, so that they agree within a step of 8 bits; tests hold them together. Colours are
//! sRGB as they are stored, which is also how the window blends.

use std::ops::Range;

/// Samples a picture is read from: premultiplied RGBA, rows from the top, no padding.
#[derive(Clone, Copy, Debug)]
pub struct Plane<'a> {
    /// Four bytes a pixel.
    pub rgba: &'a [[u8; 4]],
    /// Pixels a row, at least 1.
    pub width: u32,
    /// Rows, at least 1.
    pub height: u32,
}

/// Differences as places on a ramp, 0 ..= 1: that of [`HeatColors::neutral`] is the same, and what is farthest
/// from it as different as can be. NaN counts as 0.
#[derive(Clone, Copy, Debug)]
pub struct DifferencePlane<'a> {
    /// One value a pixel.
    pub values: &'a [f32],
    /// Pixels a row, at least 1.
    pub width: u32,
    /// Rows, at least 1.
    pub height: u32,
}

/// Where on the screen a picture lies, in its pixels: those from `left`, `top` on, `width` by `height`
/// of them, show a picture that lies at `origin` and is `size` large. A second one has a place and a size
/// of its own. Beside a picture nothing is drawn of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewport {
    /// First column that is drawn.
    pub left: u32,
    /// First row that is drawn.
    pub top: u32,
    /// Columns drawn.
    pub width: u32,
    /// Rows drawn.
    pub height: u32,
    /// Where the picture begins.
    pub origin: [f32; 2],
    /// How large it is drawn; both above 0.
    pub size: [f32; 2],
    /// Where the second of two begins.
    pub second_origin: [f32; 2],
    /// How large the second of two is drawn; both above 0.
    pub second_size: [f32; 2],
    /// Pixels stay square when magnified; else neighbours are mixed.
    pub sharp: bool,
}

/// How two pictures are laid over one another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Overlay {
    /// The first one left of this column of the screen, the second from it on.
    Swipe(f32),
    /// The first one above this row of the screen, the second from it on.
    SwipeDown(f32),
    /// The second one over the first, this opaque: 0 ..= 1.
    Mix(f32),
    /// How far the channels are apart, times this.
    Difference(f32),
}

/// How a map is coloured.
#[derive(Clone, Copy, Debug)]
pub struct HeatColors<'a> {
    /// From no difference to the largest, or from the largest to one side to that to the other.
    pub ramp: &'a [[u8; 3]; RAMP],
    /// Where on the ramp nothing differs: 0 at its beginning ..= 0.5 in its middle.
    pub neutral: f32,
    /// Differences below this share of the largest are not drawn.
    pub threshold: f32,
    /// 0 clear ..= 1.
    pub opacity: f32,
}

/// Shades of a ramp.
pub const RAMP: usize = 256;

impl Overlay {
    /// The number the shader knows the way by, and what it goes by.
    pub fn code(self) -> (u32, f32) {
        match self {
            Self::Swipe(at) => (0, at),
            Self::SwipeDown(at) => (1, at),
            Self::Mix(share) => (2, share),
            Self::Difference(gain) => (3, gain),
        }
    }
}

/// Two pictures over one another on a ground, as opaque RGBA of the viewport's size.
///
/// A plane whose samples do not fill its size gives nothing: an empty vector.
pub fn overlay(
    [first, second]: [Plane<'_>; 2],
    viewport: &Viewport,
    how: Overlay,
    ground: [u8; 3],
) -> Vec<[u8; 4]> {
    if !(first.is_whole() && second.is_whole()) {
        return Vec::new();
    }
    let ground = ground.map(|channel| f32::from(channel) / 255.0);
    let own = TapGrid::of(viewport, [viewport.origin, viewport.size], [first.width, first.height]);
    let second_place = [viewport.second_origin, viewport.second_size];
    let others = TapGrid::of(viewport, second_place, [second.width, second.height]);
    viewport.render(|at| {
        let under = |plane: &Plane<'_>, grid: &TapGrid| {
            let taps = grid.taps(at);
            let [r, g, b, a] = taps.map_or([0.0; 4], |taps| plane.sample(taps, viewport.sharp));
            [r + ground[0] * (1.0 - a), g + ground[1] * (1.0 - a), b + ground[2] * (1.0 - a)]
        };
        // Sampled where it is asked for: a swipe shows one of the two at each pixel, and so does a mix of one alone.
        let one = || under(&first, &own);
        let other = || under(&second, &others);
        let [r, g, b] = match how {
            Overlay::Swipe(edge) if middle(viewport.left + at[0]) < edge => one(),
            Overlay::SwipeDown(edge) if middle(viewport.top + at[1]) < edge => one(),
            Overlay::Swipe(_) | Overlay::SwipeDown(_) | Overlay::Mix(1.0) => other(),
            Overlay::Mix(0.0) => one(),
            Overlay::Mix(share) => {
                let (low, high) = (one(), other());
                std::array::from_fn(|i| mix(low[i], high[i], share))
            }
            Overlay::Difference(gain) => {
                let (low, high) = (one(), other());
                std::array::from_fn(|i| (low[i] - high[i]).abs() * gain)
            }
        };
        [r, g, b, 1.0]
    })
}

/// A map in colours, as premultiplied RGBA of the viewport's size.
///
/// A plane whose values do not fill its size gives nothing: an empty vector.
pub fn heat(map: DifferencePlane<'_>, viewport: &Viewport, colors: HeatColors<'_>) -> Vec<[u8; 4]> {
    if !map.is_whole() {
        return Vec::new();
    }
    let grid = TapGrid::of(viewport, [viewport.origin, viewport.size], [map.width, map.height]);
    viewport.render(|at| {
        let Some(taps) = grid.taps(at) else { return [0.0; 4] };
        let place = map.sample(taps, viewport.sharp);
        let difference = (place - colors.neutral).abs() / (1.0 - colors.neutral);
        // The ground of a map is what lies below it; what is not different is not drawn.
        if difference < colors.threshold {
            return [0.0; 4];
        }
        let shade = place.clamp(0.0, 1.0) * (RAMP - 1) as f32;
        let low = shade.floor();
        let (first, second) = (low as usize, (low as usize + 1).min(RAMP - 1));
        let [r, g, b] = std::array::from_fn(|i| {
            let channel = |shade: usize| f32::from(colors.ramp[shade][i]) / 255.0;
            mix(channel(first), channel(second), shade - low) * colors.opacity
        });
        [r, g, b, colors.opacity]
    })
}

impl Viewport {
    /// Each pixel, from its column and row among those that are drawn.
    fn render(&self, color: impl Fn([u32; 2]) -> [f32; 4]) -> Vec<[u8; 4]> {
        let mut out = Vec::with_capacity(self.width as usize * self.height as usize);
        // In one thread: this is drawn by the window's own, which would wait for a free one among those that compute.
        for row in 0..self.height {
            for column in 0..self.width {
                out.push(color([column, row]).map(to_byte));
            }
        }
        out
    }
}

/// Where the middle of a column or row of the screen is.
fn middle(at: u32) -> f32 {
    at as f32 + 0.5
}

/// Where a column or row of the screen lies in a picture drawn there and this large, 0..=1 and at its edges a
/// little beyond; `None` beside it.
fn place_in(screen: f32, origin: f32, size: f32) -> Option<f32> {
    // Half a pixel of the screen: pictures rarely end where pixels do.
    let beside = screen < origin - 0.5 || screen > origin + size + 0.5;
    (!beside).then_some((screen - origin) / size)
}

impl Plane<'_> {
    fn is_whole(&self) -> bool {
        let pixels = self.width as usize * self.height as usize;
        pixels > 0 && self.rgba.len() == pixels
    }

    fn sample(&self, [x, y]: [Tap; 2], sharp: bool) -> [f32; 4] {
        if sharp {
            return self.texel(x.low, y.low);
        }
        let above = mix4(self.texel(x.low, y.low), self.texel(x.high, y.low), x.share);
        let below = mix4(self.texel(x.low, y.high), self.texel(x.high, y.high), x.share);
        mix4(above, below, y.share)
    }

    fn texel(&self, x: u32, y: u32) -> [f32; 4] {
        let index = y as usize * self.width as usize + x as usize;
        self.rgba[index].map(|channel| f32::from(channel) / 255.0)
    }
}

impl DifferencePlane<'_> {
    fn is_whole(&self) -> bool {
        let pixels = self.width as usize * self.height as usize;
        pixels > 0 && self.values.len() == pixels
    }

    fn sample(&self, [x, y]: [Tap; 2], sharp: bool) -> f32 {
        if sharp {
            return self.texel(x.low, y.low);
        }
        let above = mix(self.texel(x.low, y.low), self.texel(x.high, y.low), x.share);
        let below = mix(self.texel(x.low, y.high), self.texel(x.high, y.high), x.share);
        mix(above, below, y.share)
    }

    fn texel(&self, x: u32, y: u32) -> f32 {
        let value = self.values[y as usize * self.width as usize + x as usize];
        if value.is_nan() { 0.0 } else { value }
    }
}

/// Along one side the pixels around a place, and how far it lies from the first to the second.
#[derive(Clone, Copy)]
struct Tap {
    low: u32,
    high: u32,
    share: f32,
}

/// What every column and every row of the screen reads of a picture. Worked out once for all pixels of each, which
/// is most of what a pixel would cost: numbers are rounded down by a call into the C library.
struct TapGrid {
    columns: Vec<Option<Tap>>,
    rows: Vec<Option<Tap>>,
}

impl TapGrid {
    /// Of a picture of so many pixels, where its origin and its size on the screen are these.
    fn of(view: &Viewport, place: [[f32; 2]; 2], pixels: [u32; 2]) -> Self {
        let [[left, top], [width, height]] = place;
        Self {
            columns: taps(view.left..view.left + view.width, [left, width], pixels[0], view.sharp),
            rows: taps(view.top..view.top + view.height, [top, height], pixels[1], view.sharp),
        }
    }

    /// What a pixel reads; `None` beside the picture.
    fn taps(&self, [column, row]: [u32; 2]) -> Option<[Tap; 2]> {
        Some([self.columns[column as usize]?, self.rows[row as usize]?])
    }
}

/// What columns or rows of the screen read of a picture that begins and reaches so far there.
fn taps(seen: Range<u32>, [origin, size]: [f32; 2], pixels: u32, sharp: bool) -> Vec<Option<Tap>> {
    let places = seen.map(|at| place_in(middle(at), origin, size));
    places.map(|at| at.map(|at| tap(at, pixels, sharp))).collect()
}

fn tap(at: f32, pixels: u32, sharp: bool) -> Tap {
    let last = (pixels - 1) as f32;
    // Between the middles of pixels, or in the one that the place lies in.
    let place = at * pixels as f32 - if sharp { 0.0 } else { 0.5 };
    let low = place.floor();
    Tap {
        low: low.clamp(0.0, last) as u32,
        high: (low + 1.0).clamp(0.0, last) as u32,
        share: place - low,
    }
}

fn mix(low: f32, high: f32, share: f32) -> f32 {
    low * (1.0 - share) + high * share
}

fn mix4(low: [f32; 4], high: [f32; 4], share: f32) -> [f32; 4] {
    std::array::from_fn(|i| mix(low[i], high[i], share))
}

/// Rounded as [`f32::round`] does, which is a call into the C library for each channel.
fn to_byte(channel: f32) -> u8 {
    let value = channel.clamp(0.0, 1.0) * 255.0;
    let whole = value as u8;
    whole + u8::from(value - f32::from(whole) >= 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DARK: [[u8; 4]; 4] = [[10, 20, 30, 255]; 4];
    const LIGHT: [[u8; 4]; 4] = [[200, 210, 220, 255]; 4];

    fn plane(rgba: &[[u8; 4]]) -> Plane<'_> {
        Plane { rgba, width: 2, height: 2 }
    }

    fn viewport() -> Viewport {
        Viewport {
            left: 3,
            top: 5,
            width: 4,
            height: 4,
            origin: [3.0, 5.0],
            size: [4.0, 4.0],
            second_origin: [3.0, 5.0],
            second_size: [4.0, 4.0],
            sharp: true,
        }
    }

    fn overlaid(how: Overlay) -> Vec<[u8; 4]> {
        overlay([plane(&DARK), plane(&LIGHT)], &viewport(), how, [0; 3])
    }

    #[test]
    fn a_swipe_parts_at_its_edge() {
        let across = overlaid(Overlay::Swipe(4.0));
        assert_eq!(across[..2], [DARK[0], LIGHT[0]]);
        let down = overlaid(Overlay::SwipeDown(7.0));
        assert_eq!([down[0], down[7], down[8]], [DARK[0], DARK[0], LIGHT[0]]);
    }

    #[test]
    fn a_mix_is_between_and_a_difference_is_none_of_itself() {
        assert_eq!(overlaid(Overlay::Mix(0.0)), [DARK[0]; 16]);
        assert_eq!(overlaid(Overlay::Mix(1.0)), [LIGHT[0]; 16]);
        assert_eq!(overlaid(Overlay::Mix(0.5))[0], [105, 115, 125, 255]);
        assert_eq!(overlaid(Overlay::Difference(1.0))[0], [190, 190, 190, 255]);
        assert_eq!(overlaid(Overlay::Difference(4.0))[0], [255; 4]);
        let same = overlay([plane(&DARK); 2], &viewport(), Overlay::Difference(8.0), [9; 3]);
        assert_eq!(same, [[0, 0, 0, 255]; 16]);
    }

    #[test]
    fn what_is_clear_does_not_differ_from_white_on_white() {
        let (clear, white) = ([[0; 4]; 4], [[255; 4]; 4]);
        let planes = [plane(&clear), plane(&white)];
        let same = overlay(planes, &viewport(), Overlay::Difference(8.0), [255; 3]);
        assert_eq!(same, [[0, 0, 0, 255]; 16]);
    }

    #[test]
    fn channels_are_rounded_as_the_standard_library_rounds() {
        let rounded = |channel: f32| (channel.clamp(0.0, 1.0) * 255.0).round() as u8;
        let sixteenths = (0..=255 * 16).map(|at| at as f32 / 16.0 / 255.0);
        // Around each, as what is just below a half must not become one.
        let all = sixteenths.flat_map(|channel| [channel.next_down(), channel, channel.next_up()]);
        for channel in all.chain([f32::NAN, f32::INFINITY, -1.0, -0.0, 2.0]) {
            assert_eq!(to_byte(channel), rounded(channel), "{channel}");
        }
    }

    #[test]
    fn what_is_clear_shows_the_ground() {
        let clear = [[0; 4]; 4];
        let shown = overlay([plane(&clear); 2], &viewport(), Overlay::Mix(0.3), [7, 8, 9]);
        assert_eq!(shown, [[7, 8, 9, 255]; 16]);
    }

    #[test]
    fn heat_is_clear_below_its_threshold_and_nothing_is_made_of_too_few_samples() {
        let ramp: [[u8; 3]; RAMP] = std::array::from_fn(|shade| [shade as u8; 3]);
        let colors = HeatColors { ramp: &ramp, neutral: 0.0, threshold: 0.5, opacity: 0.5 };
        let values = [0.4, 0.5, 1.0, f32::NAN];
        let map = DifferencePlane { values: &values, width: 2, height: 2 };
        let shown = heat(map, &viewport(), colors);
        assert_eq!([shown[0], shown[2]], [[0; 4], [64, 64, 64, 128]]);
        assert_eq!([shown[8], shown[10]], [[128; 4], [0; 4]]);
        let short = DifferencePlane { values: &values[..3], ..map };
        assert!(heat(short, &viewport(), colors).is_empty());
        assert!(
            overlay([plane(&DARK), plane(&DARK[..3])], &viewport(), Overlay::Mix(0.0), [0; 3])
                .is_empty()
        );
    }

    #[test]
    fn on_a_diverging_ramp_both_sides_show_and_the_middle_does_not() {
        let ramp: [[u8; 3]; RAMP] = std::array::from_fn(|shade| [shade as u8; 3]);
        let colors = HeatColors { ramp: &ramp, neutral: 0.5, threshold: 0.5, opacity: 1.0 };
        let values = [0.2, 0.3, 0.8, 0.7];
        let map = DifferencePlane { values: &values, width: 2, height: 2 };
        let shown = heat(map, &viewport(), colors);
        assert_eq!([shown[0], shown[2]], [[51, 51, 51, 255], [0; 4]]);
        assert_eq!([shown[8], shown[10]], [[204, 204, 204, 255], [0; 4]]);
    }

    #[test]
    fn beside_the_shorter_of_two_is_the_ground() {
        let view = Viewport { second_size: [4.0, 2.0], ..viewport() };
        let planes = [plane(&DARK), plane(&LIGHT)];
        let shown = overlay(planes, &view, Overlay::Mix(1.0), [7, 8, 9]);
        // A row of the screen at the edge still shows the last row of the picture.
        assert_eq!([shown[0], shown[11], shown[15]], [LIGHT[0], LIGHT[0], [7, 8, 9, 255]]);
    }

    #[test]
    fn between_two_pixels_there_is_a_slope_and_at_the_edge_none() {
        let rgba = [[0, 0, 0, 255], [255; 4]];
        let plane = Plane { rgba: &rgba, width: 2, height: 1 };
        let view = Viewport { width: 4, height: 1, size: [4.0, 4.0], sharp: false, ..viewport() };
        let shown = overlay([plane; 2], &view, Overlay::Mix(0.0), [0; 3]);
        assert_eq!(shown.iter().map(|it| it[0]).collect::<Vec<_>>(), [0, 64, 191, 255]);
    }
}
