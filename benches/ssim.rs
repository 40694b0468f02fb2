//! SSIM with its map against the clock.
fn main() {}
