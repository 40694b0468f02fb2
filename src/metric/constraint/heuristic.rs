//! Everything in the check that is fitted: words that are taken to mean something, and shares from
//! which something counts. One table, so that what can be disputed stands in one place.
//!
//! They were chosen by reading GraphicBench's 1,079 published queries and the plans of four models for
//! them, until most phrases had a rule; no paper names them. Some hold for a single phrase of these
//! queries. What they are worth on others is measured by phrases that had no part in it
//! (`tests/data/held_out/positions.json`), and nothing here may be changed to fit those.

// Where things are, in shares of the page.

/// How far the middle of something centred may be from the middle of the page, in shares.
pub(super) const CENTERED: [f64; 2] = [0.4, 0.6];
/// Where the middle of something at the top or left is.
pub(super) const FIRST: [f64; 2] = [0.0, 0.4];
/// Where the middle of something in the middle is.
pub(super) const MIDDLE: [f64; 2] = [0.3, 0.7];
/// Where the middle of something at the bottom or right is.
pub(super) const LAST: [f64; 2] = [0.6, 1.0];
/// What covers a part of the page covers at least this share of it.
pub(super) const MOST: f64 = 0.6;
/// What covers all of it.
pub(super) const ALL: f64 = 0.85;
/// Where the middle of something between the middle and the bottom is.
pub(super) const MID_BOTTOM: [f64; 2] = [0.45, 0.9];
/// What covers the middle of the page covers at least this share of it.
pub(super) const MIDDLE_SHARE: f64 = 0.4;
/// What covers most of the page, or a part of it.
pub(super) const MORE_THAN_HALF: f64 = 0.5;
/// How far a component may be from a side of the page that it reaches, in shares of the page.
pub(super) const NEAR_SIDE: f64 = 0.12;
/// How much of the smaller of two boxes may overlap where one begins at the end of the other.
pub(super) const OVERLAP: f64 = 0.25;

// What words of positions mean.

/// Words that carry no meaning of their own here.
pub(super) const FILLERS: &[&str] = &[
    "the",
    "a",
    "an",
    "of",
    "at",
    "in",
    "on",
    "to",
    "from",
    "by",
    "as",
    "with",
    "its",
    "is",
    "and",
    "cover",
    "card",
    "page",
    "document",
    "postcard",
    "poster",
    "design",
    "scene",
    "slightly",
    "just",
    "near",
    "aligned",
    "placed",
    "positioned",
    "portion",
    "part",
    "area",
    "side",
    "section",
    "front",
    "corner",
    "edge",
    "half",
    "third",
    "across",
    "horizontally",
    "vertically",
    "partially",
    "mostly",
    "layer",
    "background",
    "element",
    "elements",
    "dominant",
    "visual",
    "down",
    "parts",
];
/// Words of relation: two of them in one clause are more than a rule is for.
pub(super) const RELATIONS: &[&str] = &["below", "above", "around", "behind", "between", "under"];
/// What says that something covers.
pub(super) const COVERING: &[&str] = &[
    "covering",
    "spanning",
    "stretching",
    "extending",
    "encompassing",
    "occupying",
    "covers",
    "full",
    "entire",
    "fills",
    "filling",
];
/// What says that something is all over.
pub(super) const SPREADING: &[&str] = &[
    "scattered",
    "scattering",
    "scatter",
    "spread",
    "distributed",
    "randomly",
    "random",
    "throughout",
    "over",
    "uniformly",
    "all",
    "especially",
];
/// What something can be over, where `over` else says that it is spread.
pub(super) const OVER_WHAT: &[&str] = &["vortex", "title", "image", "visual"];
/// Words that a part of the page that is covered is named with, beside those that carry no meaning.
pub(super) const SPAN_WORDS: &[&str] = &[
    "top",
    "upper",
    "bottom",
    "lower",
    "middle",
    "mid",
    "center",
    "whole",
    "most",
    "majority",
    "background",
    "two",
    "thirds",
    "into",
    "around",
    "along",
    "text",
    "all",
    "especially",
    "width",
    "them",
    "itself",
    "up",
];

// How large things are.

/// The least and the most points of a small, a medium, a large and a huge text.
pub(super) const TEXT_POINTS: [[f64; 2]; 4] =
    [[6.0, 26.0], [16.0, 50.0], [24.0, 110.0], [48.0, f64::INFINITY]];
/// The least and the most share of the page that a picture covers whose size is said so.
pub(super) const PICTURE_SHARES: &[(&[&str], [f64; 2])] = &[
    (&["small"], [0.0, 0.12]),
    (&["small to medium"], [0.0, 0.35]),
    (&["medium"], [0.04, 0.40]),
    (&["large"], [0.15, 1.0]),
    (&["extra large", "very large"], [0.25, 1.0]),
    (
        &[
            "full",
            "full background",
            "full cover",
            "full cover underlay",
            "covering",
            "cover full background",
            "spread across the background",
        ],
        [0.85, 1.0],
    ),
];
/// Points may differ from what was asked by this share.
pub(super) const SAME_POINTS: f64 = 0.1;
/// A text of a larger class is larger by this factor at least.
pub(super) const LARGER: f64 = 1.05;
/// A component lies on the page if at least this share of it does.
pub(super) const ON_PAGE: f64 = 0.98;
/// A background has its colour if this share of the page seen has it.
pub(super) const BACKGROUND_SHARE: f64 = 0.5;
/// The thinnest outline of letters that counts, in font sizes.
pub(super) const THIN: f64 = 0.02;

// Which component is meant, and which layer it is.

/// Words for any text and for any visual.
pub(super) const ANY_TEXT: [&str; 2] = ["text", "texts"];
pub(super) const ANY_VISUAL: [&str; 14] = [
    "visual",
    "visuals",
    "visual elements",
    "elements",
    "illustration",
    "illustrations",
    "image",
    "images",
    "picture",
    "icon",
    "logo",
    "graphic",
    "graphics",
    "the image",
];
/// Words of a role that any text may have.
pub(super) const WEAK: [&str; 3] = ["name", "detail", "text"];
/// A text further from what was asked than this share of its length is another text.
pub(super) const FURTHEST: f64 = 0.4;
/// Words that say of a layer or visual only that it is one.
pub(super) const EMPTY: [&str; 18] = [
    "layer",
    "image",
    "img",
    "picture",
    "illustration",
    "icon",
    "object",
    "visual",
    "graphic",
    "drawing",
    "png",
    "jpg",
    "static",
    "silhouette",
    "design",
    "shape",
    "group",
    "the",
];
