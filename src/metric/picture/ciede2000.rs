//! The colour difference formula CIEDE2000.

use super::Lab;

/// How different two colours look: 0 for the same, about 1 where people begin to see it.
///
/// Symmetric. Source: Sharma, Wu and Dalal, "The CIEDE2000 color-difference formula: implementation
/// notes, supplementary test data, and mathematical observations", 2005, with all weights 1.
pub fn ciede2000(one: Lab, other: Lab) -> f64 {
    let stretch = a_stretch((one.a.hypot(one.b) + other.a.hypot(other.b)) / 2.0);
    let (one, other) = (Polar::of(one, stretch), Polar::of(other, stretch));
    let hue_step = hue_step(one, other);
    let d_lightness = other.lightness - one.lightness;
    let d_chroma = other.chroma - one.chroma;
    let d_hue = 2.0 * (one.chroma * other.chroma).sqrt() * (hue_step / 2.0).to_radians().sin();
    let lightness = f64::midpoint(one.lightness, other.lightness);
    let chroma = f64::midpoint(one.chroma, other.chroma);
    let hue = mean_hue(one, other, hue_step);
    let l = d_lightness / lightness_weight(lightness);
    let c = d_chroma / (1.0 + 0.045 * chroma);
    let h = d_hue / (1.0 + 0.015 * chroma * hue_weight(hue));
    (l * l + c * c + h * h + rotation(chroma, hue) * c * h).max(0.0).sqrt()
}

/// Lightness, chroma and hue in degrees within 0..360, after a* was stretched.
#[derive(Clone, Copy)]
struct Polar {
    lightness: f64,
    chroma: f64,
    hue: f64,
}

impl Polar {
    fn of(lab: Lab, stretch: f64) -> Self {
        let a = lab.a * stretch;
        let degrees = lab.b.atan2(a).to_degrees();
        let hue = if degrees < 0.0 { degrees + 360.0 } else { degrees };
        Self { lightness: lab.l, chroma: a.hypot(lab.b), hue }
    }

    /// A grey has no hue: `atan2` would make one up of nothing.
    fn is_grey(self) -> bool {
        self.chroma == 0.0
    }
}

/// Eq. 4 and 5: greys differ more in a* than CIELAB says.
fn a_stretch(mean_chroma: f64) -> f64 {
    1.0 + 0.5 * (1.0 - seventh_power_share(mean_chroma).sqrt())
}

/// c⁷ / (c⁷ + 25⁷).
fn seventh_power_share(chroma: f64) -> f64 {
    let power = chroma.powi(7);
    power / (power + 25.0f64.powi(7))
}

/// Eq. 10: from one hue to the other the shorter way round, in degrees.
fn hue_step(one: Polar, other: Polar) -> f64 {
    let step = other.hue - one.hue;
    if one.is_grey() || other.is_grey() {
        0.0
    } else if step > 180.0 {
        step - 360.0
    } else if step < -180.0 {
        step + 360.0
    } else {
        step
    }
}

/// Eq. 14: the hue half way between.
fn mean_hue(one: Polar, other: Polar, hue_step: f64) -> f64 {
    let sum = one.hue + other.hue;
    if one.is_grey() || other.is_grey() {
        sum
    } else if hue_step == other.hue - one.hue {
        sum / 2.0
    } else if sum < 360.0 {
        (sum + 360.0) / 2.0
    } else {
        (sum - 360.0) / 2.0
    }
}

/// Eq. 15.
fn hue_weight(hue: f64) -> f64 {
    let cos = |degrees: f64| degrees.to_radians().cos();
    1.0 - 0.17 * cos(hue - 30.0) + 0.24 * cos(2.0 * hue) + 0.32 * cos(3.0 * hue + 6.0)
        - 0.20 * cos(4.0 * hue - 63.0)
}

/// Eq. 18.
fn lightness_weight(lightness: f64) -> f64 {
    let from_middle = (lightness - 50.0) * (lightness - 50.0);
    1.0 + 0.015 * from_middle / (20.0 + from_middle).sqrt()
}

/// Eq. 16, 17 and 21: what chroma and hue have to do with each other among blues.
fn rotation(chroma: f64, hue: f64) -> f64 {
    let from_blue = (hue - 275.0) / 25.0;
    let degrees = 30.0 * (-from_blue * from_blue).exp();
    -2.0 * seventh_power_share(chroma).sqrt() * (2.0 * degrees).to_radians().sin()
}
