//! A design in somebody's hands, without a window: what is selected, what a press, a drag or a key does to it, what can
//! be undone, and what was done, as steps with their author.
//!
//! - [`Editor`]: the design and all that belongs to working on it; [`Editor::act`] is the one way to change it;
//! - [`Act`]: what can be done, by room: [`PointerAct`], [`SelectAct`], [`ArrangeAct`], [`ClipboardAct`],
//!   [`PropertyAct`], [`LayerAct`], [`PageAct`], [`PictureAct`], [`ComponentAct`], [`StyleAct`], [`TypingAct`],
//!   [`PointAct`];
//! - [`EditStep`]: what one act did, for whoever records it.
//!
//! Everything is one edit with an exact inverse, whatever its author; while a gesture is under way [`Editor::shown`] is
//! the design as it would be, worked out from the state the gesture began with.
//!
//! | file | does |
//! |---|---|
//! | [`editing`] | the design, its history, its steps; [`acting`] sends every act to its room |
//! | [`selection`] | what is selected, and how far in |
//! | [`trail`] | what was selected around each step, and whose it is; [`travelled`] where undoing changed something |
//! | [`mod@pointer`] | pressing, dragging, letting go |
//! | [`arrange`] | order, groups, frames, alignment, deletion, copies in place |
//! | [`clipboard`] | copy, cut, paste |
//! | [`property`] | numbers, colours, words of the panel at the side |
//! | [`layers`] | the tree: names, locks, eyes, dragging rows |
//! | [`pages`] | pages of a file, and which is looked at |
//! | [`typing`] | text in place; [`text_style`] its style by keys |
//! | [`in_place`] | what keys mean while a text, a path or its points are edited |
//! | [`components`] | components, and instances that follow them |
//! | [`picture`] | pictures that are placed and cropped |
//! | [`styles`] | shared styles of colours and texts |
//!
//! Uses `design`, and of `agent` only who may be the author of a step.

mod act;
mod acting;
mod arrange;
mod clipboard;
mod components;
mod context;
mod drafting;
mod edited;
mod editing;
mod error;
mod in_place;
mod layers;
mod pages;
mod picture;
mod pointer;
mod property;
mod selecting;
mod selection;
mod step;
mod style_acts;
mod styles;
mod text_style;
mod tool;
mod trail;
mod travelled;
mod typing;

pub use act::Act;
pub use arrange::{ArrangeAct, Arrow, OrderTo};
pub use clipboard::{
    CarryLimits, ClipboardAct, Fragment, MOST_PASTED, MOST_PASTED_CHARACTERS, PastePlace,
    add_carried, carry_pictures, take_carried,
};
pub use components::{
    ComponentAct, ComponentProperty, ComponentPropertyAct, Override, PropertyKind, PropertyValue,
    SwapChoice, SwappedInstance, VariantProperty, component_of, component_properties,
    kept_overrides, overrides_of, property_holder, property_holder_around, reference_of,
    set_of_instance, swap_choices, swapped_instances, variant_properties, variant_value,
    variant_values,
};
pub use context::EditorContext;
pub use edited::{InPlace, PenPath, PointEditing, TypedText};
pub use editing::Editor;
pub use error::EditorError;
pub use layers::{Inherited, LayerAct, TreeRow, is_locked, open_at_first, tree_rows};
pub use pages::PageAct;
pub use picture::{PictureAct, PlacedPicture, picture_from_box};
pub use pointer::{
    DropTarget, EditGrip, Feedback, GradientHandle, GripSpot, LineEnd, PlacedContours, PointAct,
    Pointer, PointerAct, PointerKeys, Reading, Side, corners_of, distances_between,
    gradient_handles, grips, name_area, named_frames, selection_corners,
};
pub use property::{
    BoxCorner, BoxSide, Common, Constraint, EffectNumber, ExportAct, InsideColor, NewNumber,
    NumberProperty, PaintList, PaintPlace, PropertyAct, Setting, ShapeNumber, SizeLimit, Third,
    UsedFamily, WEIGHTS, colors_inside, colors_of_document, effects_of, exported_nodes, exports_of,
    families_of, families_used, has_size_limits, list_of, number_of, number_values, paints_of,
    style_of,
};
pub use selection::{SelectAct, Selection};
pub use step::{Author, BurstPart, EditStep};
pub use style_acts::StyleAct;
pub use styles::{SharedStyle, StyleKind, shared_styles, style_look};
pub use text_style::TextStyleAct;
pub use tool::Tool;
pub use travelled::Travelled;
pub use typing::TypingAct;
