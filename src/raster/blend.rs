//! How one layer mixes with what is below it.

/// A blend mode: W3C's, and the two that design programs have beside them.
///
/// Source: W3C Compositing and Blending Level 1, §9 and §10, and for [`Self::PlusLighter`] Level 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blend {
    /// Source over.
    Normal,
    /// The darker of each channel.
    Darken,
    /// Product.
    Multiply,
    /// Sum minus one: Figma's LINEAR_BURN.
    LinearBurn,
    /// Backdrop darkened by the source.
    ColorBurn,
    /// The lighter of each channel.
    Lighten,
    /// Inverse product.
    Screen,
    /// Sum, of alpha too: Figma's LINEAR_DODGE, which it exports as `plus-lighter`.
    PlusLighter,
    /// Backdrop brightened by the source.
    ColorDodge,
    /// Multiply or screen by the backdrop.
    Overlay,
    /// Darken or lighten gently by the source.
    SoftLight,
    /// Multiply or screen by the source.
    HardLight,
    /// Absolute difference.
    Difference,
    /// Difference of lower contrast.
    Exclusion,
    /// Hue of the source.
    Hue,
    /// Saturation of the source.
    Saturation,
    /// Hue and saturation of the source.
    Color,
    /// Luminosity of the source.
    Luminosity,
}

type Rgb = [f32; 3];

impl Blend {
    /// Every mode.
    pub const ALL: [Self; 18] = [
        Self::Normal,
        Self::Darken,
        Self::Multiply,
        Self::LinearBurn,
        Self::ColorBurn,
        Self::Lighten,
        Self::Screen,
        Self::PlusLighter,
        Self::ColorDodge,
        Self::Overlay,
        Self::SoftLight,
        Self::HardLight,
        Self::Difference,
        Self::Exclusion,
        Self::Hue,
        Self::Saturation,
        Self::Color,
        Self::Luminosity,
    ];

    /// Lays `source` over `backdrop`; both and the result are premultiplied RGBA. `coverage`,
    /// 0..=1, is multiplied with all of the source first: its opacity, or how much of the pixel it
    /// covers.
    pub fn compose(self, backdrop: [u8; 4], source: [u8; 4], coverage: f32) -> [u8; 4] {
        let [sr, sg, sb, sa] = source.map(|channel| f32::from(channel) / 255.0 * coverage);
        if sa <= 0.0 {
            return backdrop;
        }
        let [br, bg, bb, ba] = backdrop.map(|channel| f32::from(channel) / 255.0);
        let (backdrop, source) = ([br, bg, bb], [sr, sg, sb]);
        // The only mode that is no blend function: it adds premultiplied colours and alphas.
        let (color, alpha) = if self == Self::PlusLighter {
            (per_channel(backdrop, source, |b, s| b + s), ba + sa)
        } else {
            (self.over(backdrop, ba, source, sa), sa + ba * (1.0 - sa))
        };
        let [r, g, b, alpha] = [color[0], color[1], color[2], alpha]
            .map(|value| (value.clamp(0.0, 1.0) * 255.0).round() as u8);
        // Rounding must not leave a channel above its alpha.
        [r.min(alpha), g.min(alpha), b.min(alpha), alpha]
    }

    /// `co = cs·(1 − αb) + cb·(1 − αs) + αs·αb·B(Cb, Cs)`, premultiplied but within `B`.
    fn over(self, backdrop: Rgb, ba: f32, source: Rgb, sa: f32) -> Rgb {
        let outside = per_channel(backdrop, source, |b, s| s * (1.0 - ba) + b * (1.0 - sa));
        // Nothing below to mix with, nor a colour of it that could be divided by its alpha.
        if ba <= 0.0 {
            return outside;
        }
        let mixed =
            self.mix(backdrop.map(|c| (c / ba).min(1.0)), source.map(|c| (c / sa).min(1.0)));
        per_channel(outside, mixed, |outside, mixed| outside + sa * ba * mixed)
    }

    /// The blend function `B(Cb, Cs)`; colours are not premultiplied.
    fn mix(self, backdrop: Rgb, source: Rgb) -> Rgb {
        match self {
            Self::Normal => source,
            Self::Darken => per_channel(backdrop, source, f32::min),
            Self::Multiply => per_channel(backdrop, source, |b, s| b * s),
            Self::LinearBurn => per_channel(backdrop, source, |b, s| (b + s - 1.0).max(0.0)),
            Self::ColorBurn => per_channel(backdrop, source, color_burn),
            Self::Lighten => per_channel(backdrop, source, f32::max),
            Self::Screen => per_channel(backdrop, source, screen),
            Self::PlusLighter => per_channel(backdrop, source, |b, s| (b + s).min(1.0)),
            Self::ColorDodge => per_channel(backdrop, source, color_dodge),
            // Hard light with the layers exchanged.
            Self::Overlay => per_channel(backdrop, source, |b, s| hard_light(s, b)),
            Self::SoftLight => per_channel(backdrop, source, soft_light),
            Self::HardLight => per_channel(backdrop, source, hard_light),
            Self::Difference => per_channel(backdrop, source, |b, s| (b - s).abs()),
            Self::Exclusion => per_channel(backdrop, source, |b, s| b + s - 2.0 * b * s),
            Self::Hue => {
                with_luminosity(with_saturation(source, saturation(backdrop)), luminosity(backdrop))
            }
            Self::Saturation => {
                with_luminosity(with_saturation(backdrop, saturation(source)), luminosity(backdrop))
            }
            Self::Color => with_luminosity(source, luminosity(backdrop)),
            Self::Luminosity => with_luminosity(backdrop, luminosity(source)),
        }
    }
}

fn per_channel(a: Rgb, b: Rgb, mix: impl Fn(f32, f32) -> f32) -> Rgb {
    [mix(a[0], b[0]), mix(a[1], b[1]), mix(a[2], b[2])]
}

fn screen(b: f32, s: f32) -> f32 {
    b + s - b * s
}

fn color_burn(b: f32, s: f32) -> f32 {
    // The order of the cases is the specification's: white stays white, whatever burns it.
    if b >= 1.0 {
        1.0
    } else if s <= 0.0 {
        0.0
    } else {
        1.0 - ((1.0 - b) / s).min(1.0)
    }
}

fn color_dodge(b: f32, s: f32) -> f32 {
    // As for burning: black stays black.
    if b <= 0.0 {
        0.0
    } else if s >= 1.0 {
        1.0
    } else {
        (b / (1.0 - s)).min(1.0)
    }
}

fn hard_light(b: f32, s: f32) -> f32 {
    if s <= 0.5 { b * 2.0 * s } else { screen(b, 2.0 * s - 1.0) }
}

fn soft_light(b: f32, s: f32) -> f32 {
    if s <= 0.5 {
        return b - (1.0 - 2.0 * s) * b * (1.0 - b);
    }
    // A cubic where the square root would be too steep (W3C, `D(x)` of soft-light).
    let root = if b <= 0.25 { ((16.0 * b - 12.0) * b + 4.0) * b } else { b.sqrt() };
    b + (2.0 * s - 1.0) * (root - b)
}

fn luminosity([r, g, b]: Rgb) -> f32 {
    0.3 * r + 0.59 * g + 0.11 * b
}

fn saturation([r, g, b]: Rgb) -> f32 {
    r.max(g).max(b) - r.min(g).min(b)
}

fn with_luminosity(color: Rgb, wanted: f32) -> Rgb {
    let change = wanted - luminosity(color);
    clipped(color.map(|channel| channel + change))
}

/// Moves what is out of range towards the grey of the same luminosity.
fn clipped(color: Rgb) -> Rgb {
    let [r, g, b] = color;
    let grey = luminosity(color);
    let (least, most) = (r.min(g).min(b), r.max(g).max(b));
    let mut color = color;
    if least < 0.0 {
        color = color.map(|channel| grey + (channel - grey) * grey / (grey - least));
    }
    if most > 1.0 {
        color = color.map(|channel| grey + (channel - grey) * (1.0 - grey) / (most - grey));
    }
    color
}

/// Least channel to 0, largest to `wanted`, the middle one in proportion.
fn with_saturation(color: Rgb, wanted: f32) -> Rgb {
    let [r, g, b] = color;
    let (least, most) = (r.min(g).min(b), r.max(g).max(b));
    if most <= least {
        return [0.0; 3];
    }
    color.map(|channel| (channel - least) * wanted / (most - least))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The specification once more, in double precision and in its own words.
    mod oracle {
        use super::Blend;

        pub(super) fn compose(mode: Blend, below: [u8; 4], above: [u8; 4]) -> [f64; 4] {
            let (cb, ab) = plain(below);
            let (cs, as_) = plain(above);
            if mode == Blend::PlusLighter {
                return std::array::from_fn(|i| {
                    (f64::from(below[i]) + f64::from(above[i])).min(255.0)
                });
            }
            let mixed = match mode {
                Blend::Hue => set_lum(set_sat(cs, sat(cb)), lum(cb)),
                Blend::Saturation => set_lum(set_sat(cb, sat(cs)), lum(cb)),
                Blend::Color => set_lum(cs, lum(cb)),
                Blend::Luminosity => set_lum(cb, lum(cs)),
                _ => std::array::from_fn(|i| separable(mode, cb[i], cs[i])),
            };
            let [r, g, b] = std::array::from_fn(|i| {
                as_ * (1.0 - ab) * cs[i] + as_ * ab * mixed[i] + (1.0 - as_) * ab * cb[i]
            });
            [r, g, b, as_ + ab * (1.0 - as_)].map(|channel| channel * 255.0)
        }

        fn plain(pixel: [u8; 4]) -> ([f64; 3], f64) {
            let alpha = f64::from(pixel[3]) / 255.0;
            let channel =
                |i: usize| if alpha > 0.0 { f64::from(pixel[i]) / 255.0 / alpha } else { 0.0 };
            ([channel(0), channel(1), channel(2)], alpha)
        }

        fn separable(mode: Blend, cb: f64, cs: f64) -> f64 {
            match mode {
                Blend::Darken => cb.min(cs),
                Blend::Multiply => cb * cs,
                Blend::LinearBurn => (cb + cs - 1.0).max(0.0),
                Blend::ColorBurn if cb == 1.0 => 1.0,
                Blend::ColorBurn if cs == 0.0 => 0.0,
                Blend::ColorBurn => 1.0 - 1f64.min((1.0 - cb) / cs),
                Blend::Lighten => cb.max(cs),
                Blend::Screen => 1.0 - (1.0 - cb) * (1.0 - cs),
                Blend::ColorDodge if cb == 0.0 => 0.0,
                Blend::ColorDodge if cs == 1.0 => 1.0,
                Blend::ColorDodge => 1f64.min(cb / (1.0 - cs)),
                Blend::Overlay => separable(Blend::HardLight, cs, cb),
                Blend::HardLight if cs <= 0.5 => cb * 2.0 * cs,
                Blend::HardLight => separable(Blend::Screen, cb, 2.0 * cs - 1.0),
                Blend::SoftLight if cs <= 0.5 => cb - (1.0 - 2.0 * cs) * cb * (1.0 - cb),
                Blend::SoftLight => {
                    let d =
                        if cb <= 0.25 { ((16.0 * cb - 12.0) * cb + 4.0) * cb } else { cb.sqrt() };
                    cb + (2.0 * cs - 1.0) * (d - cb)
                }
                Blend::Difference => (cb - cs).abs(),
                Blend::Exclusion => cb + cs - 2.0 * cb * cs,
                _ => cs,
            }
        }

        fn lum(c: [f64; 3]) -> f64 {
            0.3 * c[0] + 0.59 * c[1] + 0.11 * c[2]
        }

        fn sat(c: [f64; 3]) -> f64 {
            c[0].max(c[1]).max(c[2]) - c[0].min(c[1]).min(c[2])
        }

        fn set_lum(c: [f64; 3], l: f64) -> [f64; 3] {
            let d = l - lum(c);
            let mut c = c.map(|v| v + d);
            let (l, n, x) = (lum(c), c[0].min(c[1]).min(c[2]), c[0].max(c[1]).max(c[2]));
            if n < 0.0 {
                c = c.map(|v| l + (v - l) * l / (l - n));
            }
            if x > 1.0 {
                c = c.map(|v| l + (v - l) * (1.0 - l) / (x - l));
            }
            c
        }

        fn set_sat(c: [f64; 3], s: f64) -> [f64; 3] {
            let mut order = [0, 1, 2];
            order.sort_by(|a, b| c[*a].total_cmp(&c[*b]));
            let [min, mid, max] = order;
            let mut out = [0.0; 3];
            if c[max] > c[min] {
                out[mid] = (c[mid] - c[min]) * s / (c[max] - c[min]);
                out[max] = s;
            }
            out
        }
    }

    fn pixel() -> impl Strategy<Value = [u8; 4]> {
        (any::<[u8; 3]>(), prop_oneof![Just(255u8), Just(0u8), any::<u8>()]).prop_map(
            |(rgb, alpha)| {
                let [r, g, b] = rgb.map(|c| ((u32::from(c) * u32::from(alpha) + 127) / 255) as u8);
                [r, g, b, alpha]
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn every_mode_is_that_of_the_specification(below in pixel(), above in pixel()) {
            for mode in Blend::ALL {
                let ours = mode.compose(below, above, 1.0);
                let exact = oracle::compose(mode, below, above);
                for (ours, exact) in ours.iter().zip(exact) {
                    prop_assert!((f64::from(*ours) - exact).abs() <= 1.01, "{mode:?} {below:?} {above:?}: {ours} {exact}");
                }
            }
        }

        #[test]
        fn colours_stay_premultiplied(below in pixel(), above in pixel(), coverage in 0f32..=1.0) {
            for mode in Blend::ALL {
                let [r, g, b, a] = mode.compose(below, above, coverage);
                prop_assert!(r <= a && g <= a && b <= a, "{mode:?}");
            }
        }
    }

    #[test]
    fn a_source_that_covers_nothing_changes_nothing() {
        for mode in Blend::ALL {
            assert_eq!(mode.compose([10, 20, 30, 40], [9, 9, 9, 9], 0.0), [10, 20, 30, 40]);
        }
    }

    #[test]
    fn linear_burn_is_the_sum_minus_one() {
        let burnt = Blend::LinearBurn.compose([200, 100, 50, 255], [155, 155, 155, 255], 1.0);
        assert_eq!(burnt, [100, 0, 0, 255]);
    }
}
