// Two pictures over one another: swipe, onion skin, difference. The same arithmetic in the same order
// as `raster::overlay`, which tests hold beside it. `common.wgsl` stands before it.

struct View {
    // Where the picture begins on the screen, and how large it is drawn, in pixels.
    origin: vec2<f32>,
    size: vec2<f32>,
    // How large the second one is drawn, and where it begins.
    second_size: vec2<f32>,
    second_origin: vec2<f32>,
    // What shines through where a picture is clear.
    ground: vec4<f32>,
    // 0 swipe, 1 swipe down, 2 mix, 3 difference.
    how: u32,
    // Edge of the swipe in pixels, share of the second, or gain.
    amount: f32,
    // Not 0: pixels stay square.
    sharp: u32,
    // Not 0: the target encodes what it is given, so that it has to be given light.
    linear_target: u32,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var first: texture_2d<f32>;
@group(0) @binding(2) var second: texture_2d<f32>;

fn blend(low: vec4<f32>, high: vec4<f32>, share: f32) -> vec4<f32> {
    return low * (1.0 - share) + high * share;
}

fn sample_at(picture: texture_2d<f32>, at: vec2<f32>) -> vec4<f32> {
    let size = vec2<f32>(textureDimensions(picture));
    let last = size - 1.0;
    if view.sharp != 0u {
        let texel = clamp(floor(at * size), vec2<f32>(0.0), last);
        return textureLoad(picture, vec2<i32>(texel), 0);
    }
    let place = at * size - 0.5;
    let base = floor(place);
    let share = place - base;
    let low = vec2<i32>(clamp(base, vec2<f32>(0.0), last));
    let high = vec2<i32>(clamp(base + 1.0, vec2<f32>(0.0), last));
    let top = blend(
        textureLoad(picture, low, 0),
        textureLoad(picture, vec2<i32>(high.x, low.y), 0),
        share.x,
    );
    let below = blend(
        textureLoad(picture, vec2<i32>(low.x, high.y), 0),
        textureLoad(picture, high, 0),
        share.x,
    );
    return blend(top, below, share.y);
}

// What is seen of a picture on the ground; beside it nothing.
fn on_ground(
    picture: texture_2d<f32>,
    screen: vec2<f32>,
    origin: vec2<f32>,
    size: vec2<f32>,
) -> vec3<f32> {
    let beside = any(screen < origin - 0.5) || any(screen > origin + size + 0.5);
    let sampled = sample_at(picture, (screen - origin) / size);
    let color = select(sampled, vec4<f32>(0.0), beside);
    return color.rgb + view.ground.rgb * (1.0 - color.a);
}

@fragment
fn fragment(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let one = on_ground(first, position.xy, view.origin, view.size);
    let other = on_ground(second, position.xy, view.second_origin, view.second_size);
    var color = other;
    switch view.how {
        case 0u: { color = select(other, one, position.x < view.amount); }
        case 1u: { color = select(other, one, position.y < view.amount); }
        case 2u: { color = one * (1.0 - view.amount) + other * view.amount; }
        default: { color = abs(one - other) * view.amount; }
    }
    color = clamp(color, vec3<f32>(0.0), vec3<f32>(1.0));
    if view.linear_target != 0u {
        color = to_light(color);
    }
    return vec4<f32>(color, 1.0);
}
