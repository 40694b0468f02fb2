//! Everything that is fitted: which words mean what, and how far off is too far. Read against published plans of
//! four models; how often it is right is measured on steps that shaped nothing of it (`tests/it/plan_words.rs`).

/// Words that place something by another thing: then words of sides are about that.
pub(super) const RELATIONS: &[&str] = &[
    "above",
    "adjacent",
    "against",
    "along",
    "alongside",
    "around",
    "before",
    "behind",
    "below",
    "beneath",
    "beside",
    "between",
    "beyond",
    "inside",
    "near",
    "next",
    "onto",
    "over",
    "overlapping",
    "relative",
    "to-left",
    "under",
    "underneath",
    "within",
];
/// Words of the first, the middle and the last part of a page, across.
pub(super) const ACROSS: [&[&str]; 3] =
    [&["left"], &["center", "centre", "centered", "centred", "middle"], &["right"]];
/// The same down.
pub(super) const DOWN: [&[&str]; 3] = [
    &["top", "upper"],
    &["center", "centre", "centered", "centred", "middle"],
    &["bottom", "lower"],
];
/// Where the middle of what stands in each part is, as shares of the page.
pub(super) const PARTS: [[f64; 2]; 3] = [[-0.1, 0.4], [0.3, 0.7], [0.6, 1.1]];
/// Half the size of a text, of which nobody says how large it is: as far as its middle may be from the place that
/// a step says.
pub(super) const HALF_TEXT: [f64; 2] = [0.5, 0.1];
/// The same of anything else.
pub(super) const HALF_OTHER: [f64; 2] = [0.5, 0.5];
/// A colour is another one beyond so many times the reach of its name.
pub(super) const COLOR_REACHES: f64 = 1.5;
/// Words beside a colour's that make it another thing's, or no one colour.
pub(super) const OTHER_COLOR: &[&str] = &[
    "against",
    "background",
    "blend",
    "complement",
    "contrast",
    "gradient",
    "match",
    "matches",
    "matching",
    "on",
    "outline",
    "similar",
    "stroke",
    "theme",
    "tint",
    "with",
];
/// Points may differ from what is said by this share.
pub(super) const SAME_POINTS: f64 = 0.1;
/// A text of a smaller class is as large as one of a larger class beyond this factor.
pub(super) const NOT_SMALLER: f64 = 1.2;
/// Words behind or before a number that make it a size of type.
pub(super) const POINTS: &[&str] = &["pt", "pts", "point", "points", "px"];
/// Two things are in one place if they are no further from each other than this share of the page, both ways.
pub(super) const SAME_PLACE: f64 = 0.01;
/// What covers more than this share of the page is what others stand on.
pub(super) const GROUND: f64 = 0.4;
/// Words that say that one thing is meant to lie on another.
pub(super) const LAID_ON: &[&str] = &[
    "background",
    "backdrop",
    "behind",
    "blend",
    "cover",
    "covering",
    "front",
    "layer",
    "on",
    "over",
    "overlap",
    "overlapping",
    "overlay",
    "replace",
    "same",
    "texture",
    "within",
];
/// Words that begin a step which can be of one kind of action alone.
pub(super) const FIRST_WORDS: &[(&str, ActionEffect)] = &[
    ("align", ActionEffect::Align),
    ("color", ActionEffect::Color),
    ("colour", ActionEffect::Color),
    ("delete", ActionEffect::Remove),
    ("export", ActionEffect::Save),
    ("import", ActionEffect::Import),
    ("recolor", ActionEffect::Color),
    ("remove", ActionEffect::Remove),
    ("reposition", ActionEffect::Place),
    ("resize", ActionEffect::Size),
    ("rotate", ActionEffect::Rotate),
    ("save", ActionEffect::Save),
    ("scale", ActionEffect::Size),
];
/// Words that make a step one of this kind too, wherever they stand.
pub(super) const ANY_WORDS: &[(ActionEffect, &[&str])] = &[
    (
        ActionEffect::Align,
        &[
            "align",
            "aligned",
            "alignment",
            "center",
            "centered",
            "centre",
            "justify",
            "left",
            "right",
        ],
    ),
    (
        ActionEffect::Color,
        &[
            "color",
            "colored",
            "colors",
            "colour",
            "hue",
            "tint",
            "tone",
            "brightness",
            "saturation",
        ],
    ),
    (ActionEffect::Remove, &["delete", "remove", "clear", "erase", "replace"]),
    (ActionEffect::Save, &["save", "export", "output", "final", "finalize"]),
    (
        ActionEffect::Import,
        &["import", "add", "place", "insert", "load", "use", "bring", "incorporate", "open"],
    ),
    (
        ActionEffect::Place,
        &[
            "above",
            "adjust",
            "align",
            "below",
            "beside",
            "bottom",
            "center",
            "centered",
            "centre",
            "corner",
            "layout",
            "left",
            "move",
            "place",
            "placed",
            "placement",
            "position",
            "positioned",
            "put",
            "reposition",
            "right",
            "side",
            "spread",
            "top",
            "under",
        ],
    ),
    (
        ActionEffect::Size,
        &[
            "adjust", "big", "cover", "enlarge", "fill", "fit", "fits", "height", "huge", "large",
            "larger", "medium", "reduce", "resize", "scale", "shrink", "size", "sized", "small",
            "smaller", "width",
        ],
    ),
    (ActionEffect::Rotate, &["angle", "rotate", "rotated", "tilt"]),
    (ActionEffect::Text, &["add", "create", "insert", "text", "title", "type", "write"]),
    (ActionEffect::Font, &["font", "typeface", "style", "bold", "italic", "script", "serif"]),
    (
        ActionEffect::Opacity,
        &["blend", "fade", "opacity", "opaque", "transparency", "transparent", "visible"],
    ),
];

/// What an action does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ActionEffect {
    Align,
    Color,
    Remove,
    Save,
    Import,
    Place,
    Size,
    Rotate,
    Text,
    Font,
    Opacity,
}

impl ActionEffect {
    /// What the action of this name does, as far as words can contradict it.
    pub(super) fn of(action: &str) -> Option<Self> {
        match action {
            "SetBackgroundColor" | "AdjustHSL" | "AdjustBC" | "AdjustBW" | "PhotoFilter" => {
                Some(Self::Color)
            }
            "SaveDocument" | "ExportDocument" => Some(Self::Save),
            "ImportObject" => Some(Self::Import),
            "CreateText" => Some(Self::Text),
            "ApplyFont" => Some(Self::Font),
            _ if action.starts_with("Align") => Some(Self::Align),
            _ if action.starts_with("Color") => Some(Self::Color),
            _ if action.starts_with("Remove") => Some(Self::Remove),
            _ if action.starts_with("Reposition") => Some(Self::Place),
            _ if action.starts_with("Resize") => Some(Self::Size),
            _ if action.starts_with("Rotate") => Some(Self::Rotate),
            _ if action.starts_with("Opacity") => Some(Self::Opacity),
            _ => None,
        }
    }

    /// For people.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Align => "aligns",
            Self::Color => "colours",
            Self::Remove => "removes",
            Self::Save => "saves",
            Self::Import => "imports",
            Self::Place => "places",
            Self::Size => "sizes",
            Self::Rotate => "rotates",
            Self::Text => "writes text",
            Self::Font => "sets a font",
            Self::Opacity => "sets opacity",
        }
    }
}
