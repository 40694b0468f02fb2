// A map of differences in colours: clear below a threshold, of a ramp above it, as opaque as is wanted. A value
// is a place on the ramp, and how much differs there is how far it is from the neutral one.
// The same arithmetic in the same order as `raster::overlay::heat`, which tests hold beside it. `common.wgsl` stands before it.

struct View {
    // Where the map begins on the screen, and how large it is drawn, in pixels.
    origin: vec2<f32>,
    size: vec2<f32>,
    threshold: f32,
    opacity: f32,
    // Not 0: pixels stay square.
    sharp: u32,
    // Not 0: the target encodes what it is given, so that it has to be given light.
    linear_target: u32,
    // Where on the ramp nothing differs: 0 at its beginning, 0.5 in the middle of one with two sides.
    neutral: f32,
    // From no difference to the largest, or from the largest to one side to that to the other.
    ramp: array<vec4<f32>, 256>,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var map: texture_2d<f32>;

fn blend(low: f32, high: f32, share: f32) -> f32 {
    return low * (1.0 - share) + high * share;
}

fn sample_at(at: vec2<f32>) -> f32 {
    let size = vec2<f32>(textureDimensions(map));
    let last = size - 1.0;
    if view.sharp != 0u {
        let texel = clamp(floor(at * size), vec2<f32>(0.0), last);
        return textureLoad(map, vec2<i32>(texel), 0).r;
    }
    let place = at * size - 0.5;
    let base = floor(place);
    let share = place - base;
    let low = vec2<i32>(clamp(base, vec2<f32>(0.0), last));
    let high = vec2<i32>(clamp(base + 1.0, vec2<f32>(0.0), last));
    let top = blend(
        textureLoad(map, low, 0).r,
        textureLoad(map, vec2<i32>(high.x, low.y), 0).r,
        share.x,
    );
    let below = blend(
        textureLoad(map, vec2<i32>(low.x, high.y), 0).r,
        textureLoad(map, high, 0).r,
        share.x,
    );
    return blend(top, below, share.y);
}

@fragment
fn fragment(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let screen = position.xy;
    let beside = any(screen < view.origin - 0.5) || any(screen > view.origin + view.size + 0.5);
    let place = sample_at((screen - view.origin) / view.size);
    let difference = abs(place - view.neutral) / (1.0 - view.neutral);
    if beside || difference < view.threshold {
        return vec4<f32>(0.0);
    }
    let shade = clamp(place, 0.0, 1.0) * 255.0;
    let low = floor(shade);
    let first = view.ramp[u32(low)].rgb;
    let second = view.ramp[min(u32(low) + 1u, 255u)].rgb;
    let share = shade - low;
    var color = (first * (1.0 - share) + second * share) * view.opacity;
    if view.linear_target != 0u {
        color = to_light(color);
    }
    return vec4<f32>(color, view.opacity);
}
