//! Auto layout in and out.

use super::value::{
    ANY, EXTENT, Names, Notes, Object, boolean, json_number, name_of, named, number, present, put,
    put_unless, string,
};
use crate::design::auto_layout::{
    AutoLayout, CounterAlign, Direction, LayoutItem, PrimaryAlign, Sizing,
};
use crate::design::node::Node;
use crate::design::shape::Sides;

const PRIMARY_ALIGNS: &Names<PrimaryAlign> = &[
    ("MIN", PrimaryAlign::Min),
    ("CENTER", PrimaryAlign::Center),
    ("MAX", PrimaryAlign::Max),
    ("SPACE_BETWEEN", PrimaryAlign::SpaceBetween),
];

const COUNTER_ALIGNS: &Names<CounterAlign> = &[
    ("MIN", CounterAlign::Min),
    ("CENTER", CounterAlign::Center),
    ("MAX", CounterAlign::Max),
    ("BASELINE", CounterAlign::Baseline),
];

const SIZINGS: &Names<Sizing> =
    &[("FIXED", Sizing::Fixed), ("HUG", Sizing::Hug), ("FILL", Sizing::Fill)];

/// The auto layout of a frame; `None` for NONE and for kinds not laid out here (GRID), which stay
/// in the source.
pub(super) fn read_auto_layout(object: &Object, notes: &mut Notes) -> Option<Box<AutoLayout>> {
    let direction = match string(object, "layoutMode", notes)? {
        "HORIZONTAL" => Direction::Horizontal,
        "VERTICAL" => Direction::Vertical,
        // Said of a frame that had auto layout once.
        "NONE" => return None,
        other => {
            notes.add(format_args!("its layoutMode {other:?} is kept, not laid out"));
            return None;
        }
    };
    Some(Box::new(AutoLayout {
        direction,
        wraps: string(object, "layoutWrap", notes) == Some("WRAP"),
        padding: read_padding(object, notes),
        item_spacing: number(object, "itemSpacing", ANY, notes).unwrap_or(0.0),
        line_spacing: number(object, "counterAxisSpacing", ANY, notes).unwrap_or(0.0),
        spreads_lines: string(object, "counterAxisAlignContent", notes) == Some("SPACE_BETWEEN"),
        primary_align: named(
            object,
            "primaryAxisAlignItems",
            PRIMARY_ALIGNS,
            PrimaryAlign::Min,
            notes,
        ),
        counter_align: named(
            object,
            "counterAxisAlignItems",
            COUNTER_ALIGNS,
            CounterAlign::Min,
            notes,
        ),
        // The API leaves AUTO out, so that nothing said is hugging.
        primary_hugs: string(object, "primaryAxisSizingMode", notes) != Some("FIXED"),
        counter_hugs: string(object, "counterAxisSizingMode", notes) != Some("FIXED"),
        includes_strokes: boolean(object, "strokesIncludedInLayout", false, notes),
        reverses_paint_order: boolean(object, "itemReverseZIndex", false, notes),
    }))
}

fn read_padding(object: &Object, notes: &mut Notes) -> Sides {
    // Files of 2019 and 2020 have one number for each axis.
    let across = number(object, "horizontalPadding", EXTENT, notes).unwrap_or(0.0);
    let down = number(object, "verticalPadding", EXTENT, notes).unwrap_or(0.0);
    let [top, right, bottom, left] = [
        ("paddingTop", down),
        ("paddingRight", across),
        ("paddingBottom", down),
        ("paddingLeft", across),
    ]
    .map(|(key, both)| number(object, key, EXTENT, notes).unwrap_or(both));
    Sides { top, right, bottom, left }
}

/// What a node says of its own size and place.
pub(super) fn read_item(object: &Object, notes: &mut Notes) -> LayoutItem {
    // Absent is not FIXED: older fields count then.
    let [horizontal, vertical] = ["layoutSizingHorizontal", "layoutSizingVertical"]
        .map(|key| present(object, key).map(|_| named(object, key, SIZINGS, Sizing::Fixed, notes)));
    LayoutItem {
        horizontal,
        vertical,
        grows: number(object, "layoutGrow", ANY, notes).is_some_and(|grow| grow > 0.0),
        stretches: string(object, "layoutAlign", notes) == Some("STRETCH"),
        is_absolute: string(object, "layoutPositioning", notes) == Some("ABSOLUTE"),
        min_width: number(object, "minWidth", EXTENT, notes),
        max_width: number(object, "maxWidth", EXTENT, notes),
        min_height: number(object, "minHeight", EXTENT, notes),
        max_height: number(object, "maxHeight", EXTENT, notes),
    }
}

/// Writes what differs of a frame's auto layout from `was`.
pub(super) fn write_auto_layout(node: &Node, was: Option<&Node>, object: &mut Object) {
    let Some(now) = node.auto_layout.as_deref() else {
        if was.is_some_and(|was| was.auto_layout.is_some()) {
            // The other fields stay as the file has them; without a mode they mean nothing.
            put(object, "layoutMode", "NONE");
        }
        return;
    };
    let base = was.and_then(|was| was.auto_layout.as_deref());
    let mode = match now.direction {
        Direction::Horizontal => "HORIZONTAL",
        Direction::Vertical => "VERTICAL",
    };
    put(object, "layoutMode", mode);
    if differs(base, now, |layout| layout.wraps) {
        put(object, "layoutWrap", if now.wraps { "WRAP" } else { "NO_WRAP" });
    }
    write_axes(now, base, object);
    write_space(now, base, object);
    put_unless(object, "strokesIncludedInLayout", !now.includes_strokes, now.includes_strokes);
    put_unless(object, "itemReverseZIndex", !now.reverses_paint_order, now.reverses_paint_order);
}

/// Whether a value is to be written: it is another, or nothing was there.
fn differs<T: PartialEq>(
    base: Option<&AutoLayout>,
    now: &AutoLayout,
    value: fn(&AutoLayout) -> T,
) -> bool {
    base.is_none_or(|base| value(base) != value(now))
}

fn write_axes(now: &AutoLayout, base: Option<&AutoLayout>, object: &mut Object) {
    // Each only if it changed: a file is written as it was read but for what was edited.
    if differs(base, now, |layout| layout.primary_hugs) {
        let mode = if now.primary_hugs { "AUTO" } else { "FIXED" };
        put(object, "primaryAxisSizingMode", mode);
    }
    if differs(base, now, |layout| layout.counter_hugs) {
        let mode = if now.counter_hugs { "AUTO" } else { "FIXED" };
        put(object, "counterAxisSizingMode", mode);
    }
    if differs(base, now, |layout| layout.primary_align) {
        put(object, "primaryAxisAlignItems", name_of(PRIMARY_ALIGNS, &now.primary_align));
    }
    if differs(base, now, |layout| layout.counter_align) {
        put(object, "counterAxisAlignItems", name_of(COUNTER_ALIGNS, &now.counter_align));
    }
    if differs(base, now, |layout| layout.spreads_lines) {
        let word = if now.spreads_lines { "SPACE_BETWEEN" } else { "AUTO" };
        put(object, "counterAxisAlignContent", word);
    }
}

/// One number of an auto layout.
type LayoutNumber = fn(&AutoLayout) -> f64;

fn write_space(now: &AutoLayout, base: Option<&AutoLayout>, object: &mut Object) {
    let numbers: [(&str, LayoutNumber); 6] = [
        ("paddingTop", |layout| layout.padding.top),
        ("paddingRight", |layout| layout.padding.right),
        ("paddingBottom", |layout| layout.padding.bottom),
        ("paddingLeft", |layout| layout.padding.left),
        ("itemSpacing", |layout| layout.item_spacing),
        ("counterAxisSpacing", |layout| layout.line_spacing),
    ];
    // Zeros are written as well where they changed, as absent would read the same but hide the change.
    for (key, value) in numbers.into_iter().filter(|(_, value)| differs(base, now, *value)) {
        put(object, key, json_number(value(now)));
    }
}

/// Writes what differs of [`LayoutItem`] from `was`.
pub(super) fn write_item(node: &Node, was: Option<&Node>, object: &mut Object) {
    let (now, was) = (node.layout_item, was.map(|was| was.layout_item).unwrap_or_default());
    let sizings = [
        ("layoutSizingHorizontal", was.horizontal, now.horizontal),
        ("layoutSizingVertical", was.vertical, now.vertical),
    ];
    // Only what differs: a file that does not say how an extent is found does not begin to.
    for (key, _, sizing) in sizings.into_iter().filter(|(_, was, now)| was != now) {
        put_unless(object, key, sizing.is_none(), sizing.map(|sizing| name_of(SIZINGS, &sizing)));
    }
    if was.grows != now.grows {
        // A number in the API, though only 0 and 1 mean anything.
        put(object, "layoutGrow", i32::from(now.grows));
    }
    if was.stretches != now.stretches {
        put(object, "layoutAlign", if now.stretches { "STRETCH" } else { "INHERIT" });
    }
    if was.is_absolute != now.is_absolute {
        put_unless(object, "layoutPositioning", !now.is_absolute, "ABSOLUTE");
    }
    let limits = [
        ("minWidth", was.min_width, now.min_width),
        ("maxWidth", was.max_width, now.max_width),
        ("minHeight", was.min_height, now.min_height),
        ("maxHeight", was.max_height, now.max_height),
    ];
    for (key, _, limit) in limits.into_iter().filter(|(_, was, now)| was != now) {
        put_unless(object, key, limit.is_none(), limit.map(json_number));
    }
}
