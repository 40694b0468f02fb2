//! How far colours are apart to people whose colour vision is deficient: what tests of colours go by.

/// Machado, Oliveira and Fernandes 2009, at full severity, on linear light: protanopia, deuteranopia, tritanopia.
const DEFICIENCIES: [[[f64; 3]; 3]; 3] = [
    [
        [0.152_286, 1.052_583, -0.204_868],
        [0.114_503, 0.786_281, 0.099_216],
        [-0.003_882, -0.048_116, 1.051_998],
    ],
    [
        [0.367_322, 0.860_646, -0.227_968],
        [0.280_085, 0.672_501, 0.047_413],
        [-0.011_820, 0.042_940, 0.968_881],
    ],
    [
        [1.255_528, -0.076_749, -0.178_779],
        [-0.078_411, 0.930_809, 0.147_602],
        [0.004_733, 0.691_367, 0.303_900],
    ],
];

/// How far two colours of sRGB are apart as they are seen with each deficiency, over channels of 0 ..= 255.
pub fn seen_distances(one: [u8; 3], other: [u8; 3]) -> [f64; 3] {
    DEFICIENCIES.map(|deficiency| {
        let [one, other] = [one, other].map(|color| seen(color, &deficiency));
        one.iter().zip(other).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    })
}

/// How a colour looks with a deficiency.
fn seen(color: [u8; 3], deficiency: &[[f64; 3]; 3]) -> [f64; 3] {
    let light = color.map(|channel| (f64::from(channel) / 255.0).powf(2.2));
    deficiency.map(|row| {
        let sum: f64 = row.iter().zip(light).map(|(weight, light)| weight * light).sum();
        255.0 * sum.clamp(0.0, 1.0).powf(1.0 / 2.2)
    })
}
