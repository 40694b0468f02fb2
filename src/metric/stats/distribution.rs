//! Probabilities of the normal, Student's, the χ² and the binomial distribution.
//!
//! All from `libm`, so that p-values have the same bits on every platform.

use std::f64::consts::SQRT_2;

/// The probability that a standard normal variable is at least this far from 0.
pub(super) fn normal_two_sided(z: f64) -> f64 {
    libm::erfc(z.abs() / SQRT_2)
}

/// How far a standard normal variable is from 0 with this probability or less: the inverse of
/// [`normal_two_sided`] for a probability above 0 and up to 1.
pub(super) fn normal_two_sided_quantile(probability: f64) -> f64 {
    let (mut near, mut far) = (0.0, 40.0);
    // Halves until the ends are neighbouring floating-point numbers.
    for _ in 0..70 {
        let middle = f64::midpoint(near, far);
        if normal_two_sided(middle) > probability { near = middle } else { far = middle }
    }
    near
}

/// The two-sided p-value of a correlation `r` within −1..=1, from Student's t with `degrees` ≥ 1
/// degrees of freedom.
pub(super) fn correlation_two_sided(r: f64, degrees: usize) -> f64 {
    // 1 − r², but without losing digits where |r| is near 1; t and its tail follow from it and r²
    // alone.
    let unexplained = (1.0 - r.abs()) * (1.0 + r.abs());
    regularised_beta(degrees as f64 / 2.0, 0.5, unexplained, r * r)
}

/// The probability that χ² with so many degrees of freedom, at least 1, is at least this large.
pub(super) fn chi_squared_above(value: f64, degrees: usize) -> f64 {
    if value <= 0.0 {
        return 1.0;
    }
    let (a, x) = (degrees as f64 / 2.0, value / 2.0);
    // xᵃ e⁻ˣ / Γ(a), which both expansions begin with.
    let front = libm::exp(a * libm::log(x) - x - libm::lgamma(a));
    // The series converges fast below the mean, the continued fraction above it.
    let above = if x < a + 1.0 {
        1.0 - front * lower_gamma_series(a, x)
    } else {
        front * upper_gamma_fraction(a, x)
    };
    above.clamp(0.0, 1.0)
}

/// γ(a, x) / (xᵃ e⁻ˣ) by its series (NIST DLMF 8.7.1).
fn lower_gamma_series(a: f64, x: f64) -> f64 {
    let mut term = 1.0 / a;
    let mut sum = term;
    for n in 1..10_000 {
        term *= x / (a + f64::from(n));
        sum += term;
        if term <= 1e-17 * sum {
            break;
        }
    }
    sum
}

/// Γ(a, x) / (xᵃ e⁻ˣ) by its continued fraction (NIST DLMF 8.9.2), by the method of Lentz.
fn upper_gamma_fraction(a: f64, x: f64) -> f64 {
    let mut b = x + 1.0 - a;
    let mut numerator = 1e300;
    let mut denominator = 1.0 / away_from_zero(b);
    let mut fraction = denominator;
    for n in 1..10_000 {
        let n = f64::from(n);
        let step = -n * (n - a);
        b += 2.0;
        denominator = 1.0 / away_from_zero(step * denominator + b);
        numerator = away_from_zero(b + step / numerator);
        let change = denominator * numerator;
        fraction *= change;
        if (change - 1.0).abs() <= 1e-15 {
            break;
        }
    }
    fraction
}

/// The probability of at most `successes` of `trials` with an even chance each.
pub(super) fn even_binomial_at_most(successes: u64, trials: u64) -> f64 {
    if successes >= trials {
        return 1.0;
    }
    // Σ C(n, k) / 2ⁿ up to k is I_½(n − k, k + 1) (NIST DLMF 8.17.5).
    regularised_beta((trials - successes) as f64, successes as f64 + 1.0, 0.5, 0.5)
}

/// The regularised incomplete beta function I_x(a, b) for positive `a` and `b`; `rest` is 1 − x,
/// given apart because it may be too small to be seen in x.
fn regularised_beta(a: f64, b: f64, x: f64, rest: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if rest <= 0.0 {
        return 1.0;
    }
    // The fraction converges fast on this side of the mean; on the other, the complement does.
    let value = if x * (a + b + 2.0) < a + 1.0 {
        beta_power(a, b, x, rest) / a * beta_fraction(a, b, x)
    } else {
        1.0 - beta_power(a, b, x, rest) / b * beta_fraction(b, a, rest)
    };
    value.clamp(0.0, 1.0)
}

/// xᵃ (1 − x)ᵇ / B(a, b).
fn beta_power(a: f64, b: f64, x: f64, rest: f64) -> f64 {
    let ln_beta = libm::lgamma(a) + libm::lgamma(b) - libm::lgamma(a + b);
    libm::exp(a * ln_share(x, rest) + b * ln_share(rest, x) - ln_beta)
}

/// ln x, where x + `rest` = 1.
fn ln_share(x: f64, rest: f64) -> f64 {
    // Near 1 the digits are in `rest`.
    if x > 0.5 { libm::log1p(-rest) } else { libm::log(x) }
}

/// The value, or what divides without overflowing where it is 0.
fn away_from_zero(value: f64) -> f64 {
    if value.abs() < 1e-300 { 1e-300 } else { value }
}

/// The continued fraction of the incomplete beta function (NIST DLMF 8.17.22), evaluated forwards
/// by the method of Lentz. Needs about √max(a, b) terms.
fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    const MOST_TERMS: u32 = 100_000;
    let mut denominator = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut numerator = 1.0;
    let mut fraction = denominator;
    for term in 1..MOST_TERMS {
        let m = f64::from(term);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let before = fraction;
        // Lentz: numerator and denominator are carried as ratios, so that neither grows out of
        // range.
        for step in [even, odd] {
            denominator = 1.0 / away_from_zero(1.0 + step * denominator);
            numerator = away_from_zero(1.0 + step / numerator);
            fraction *= denominator * numerator;
        }
        if (fraction - before).abs() <= 1e-15 * fraction.abs() {
            break;
        }
    }
    fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(left: f64, right: f64) {
        assert!((left - right).abs() <= 1e-12 * right.abs().max(1e-3), "{left} is not {right}");
    }

    #[test]
    fn the_normal_quantile_is_the_inverse() {
        close(normal_two_sided_quantile(0.05), 1.959_963_984_540_054);
        for probability in [1e-300, 1e-9, 0.01, 0.5, 0.999, 1.0] {
            close(normal_two_sided(normal_two_sided_quantile(probability)), probability);
        }
    }

    /// With one and two degrees of freedom, Student's distribution has closed forms.
    #[test]
    fn student_follows_its_closed_forms() {
        for r in [0.0, 1e-9, 0.1, 0.5, 0.9, 0.999_999_9, 1.0] {
            let one = 2.0 / std::f64::consts::PI * f64::acos(r);
            assert!((correlation_two_sided(r, 1) - one).abs() < 1e-9, "{r}");
            close(correlation_two_sided(-r, 2), 1.0 - r);
        }
    }

    /// With one degree of freedom χ² is a normal variable squared, with two it is exponential.
    #[test]
    fn chi_squared_follows_its_closed_forms() {
        for value in [1e-6, 0.1, 1.0, 2.5, 3.84, 10.0, 60.0] {
            close(chi_squared_above(value, 1), normal_two_sided(value.sqrt()));
            close(chi_squared_above(value, 2), libm::exp(-value / 2.0));
            close(chi_squared_above(value, 4), libm::exp(-value / 2.0) * (1.0 + value / 2.0));
        }
        assert_eq!(chi_squared_above(0.0, 3), 1.0);
    }

    #[test]
    fn student_becomes_normal_with_many_degrees() {
        let degrees = 100_000_000_usize;
        for z in [0.1_f64, 1.0, 3.0] {
            let r = z / (degrees as f64 + z * z).sqrt();
            assert!((correlation_two_sided(r, degrees) - normal_two_sided(z)).abs() < 1e-6, "{z}");
        }
    }

    #[test]
    fn binomial_sums_are_right() {
        for trials in 1..40_u64 {
            let (mut row, mut sum) = (0.5_f64.powi(trials as i32), 0.0);
            for successes in 0..=trials {
                sum += row;
                close(even_binomial_at_most(successes, trials), sum);
                row *= (trials - successes) as f64 / (successes + 1) as f64;
            }
        }
        assert!((even_binomial_at_most(500_000, 1_000_001) - 0.5).abs() < 1e-9);
    }
}
