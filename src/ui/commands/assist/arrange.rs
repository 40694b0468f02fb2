//! Order, groups, alignment, auto layout.

use egui::Key;

use super::{act, desk, has_selected};
use crate::base::Axis;
use crate::design::BooleanOp;
use crate::design::gesture::AlignTo;
use crate::editor::{Act, ArrangeAct, OrderTo};
use crate::ui::commands::keys::{
    alt, alt_shift, ctrl, ctrl_alt, ctrl_alt_shift, ctrl_shift, key, shift,
};
use crate::ui::commands::{Effect, UiCommand};
use crate::workbench::State;

/// What there is to do.
#[rustfmt::skip]
pub(in crate::ui::commands) static TABLE: &[UiCommand] = commands![
    GroupSelection, Order, "Group selection", "Make a group of what is selected.", [ctrl(Key::G)], has_selected, |_| arrange(ArrangeAct::Group);
    Ungroup, Order, "Ungroup", "Take groups and frames away from around what they hold.", [ctrl_shift(Key::G)], has_selected, |_| arrange(ArrangeAct::Ungroup);
    FrameSelection, Order, "Frame selection", "Put a frame around what is selected.", [ctrl_alt(Key::G)], has_selected, |_| arrange(ArrangeAct::Frame);
    UseAsMask, Order, "Use as mask", "Mask what is selected by the lowest of it.", [ctrl_alt(Key::M)], has_selected, |_| arrange(ArrangeAct::Mask);
    UnionSelection, Order, "Union", "Combine shapes to what any of them covers.", [alt_shift(Key::U)], has_selected, |_| arrange(ArrangeAct::Combine(BooleanOp::Union));
    SubtractSelection, Order, "Subtract", "Take the shapes from the lowest of them.", [alt_shift(Key::S)], has_selected, |_| arrange(ArrangeAct::Combine(BooleanOp::Subtract));
    IntersectSelection, Order, "Intersect", "Combine shapes to what all of them cover.", [alt_shift(Key::I)], has_selected, |_| arrange(ArrangeAct::Combine(BooleanOp::Intersect));
    ExcludeSelection, Order, "Exclude", "Combine shapes to what an odd number of them covers.", [alt_shift(Key::E)], has_selected, |_| arrange(ArrangeAct::Combine(BooleanOp::Exclude));
    FlattenSelection, Order, "Flatten", "Make one vector of the outline of what is selected.", [ctrl(Key::E)], has_selected, |_| arrange(ArrangeAct::Flatten);
    BringToFront, Order, "Bring to front", "Put what is selected before all others beside it.", [key(Key::CloseBracket)], has_selected, |_| arrange(ArrangeAct::Order(OrderTo::Front));
    SendToBack, Order, "Send to back", "Put what is selected behind all others beside it.", [key(Key::OpenBracket)], has_selected, |_| arrange(ArrangeAct::Order(OrderTo::Back));
    BringForward, Order, "Bring forward", "Put what is selected one step to the front.", [ctrl(Key::CloseBracket)], has_selected, |_| arrange(ArrangeAct::Order(OrderTo::Forward));
    SendBackward, Order, "Send backward", "Put what is selected one step to the back.", [ctrl(Key::OpenBracket)], has_selected, |_| arrange(ArrangeAct::Order(OrderTo::Backward));
    AlignLeft, Order, "Align left", "Put left edges in line; of one layer with what it lies in.", [alt(Key::A)], has_selected, |_| arrange(ArrangeAct::Align(AlignTo::Left));
    AlignHorizontalCenters, Order, "Align horizontal centers", "Put middles in line, across.", [alt(Key::H)], has_selected, |_| arrange(ArrangeAct::Align(AlignTo::HorizontalCenter));
    AlignRight, Order, "Align right", "Put right edges in line.", [alt(Key::D)], has_selected, |_| arrange(ArrangeAct::Align(AlignTo::Right));
    AlignTop, Order, "Align top", "Put top edges in line.", [alt(Key::W)], has_selected, |_| arrange(ArrangeAct::Align(AlignTo::Top));
    AlignVerticalCenters, Order, "Align vertical centers", "Put middles in line, down.", [alt(Key::V)], has_selected, |_| arrange(ArrangeAct::Align(AlignTo::VerticalCenter));
    AlignBottom, Order, "Align bottom", "Put bottom edges in line.", [alt(Key::S)], has_selected, |_| arrange(ArrangeAct::Align(AlignTo::Bottom));
    DistributeHorizontal, Order, "Distribute horizontal spacing", "Space what is selected evenly, across.", [alt_shift(Key::H)], has_several, |_| arrange(ArrangeAct::Distribute(Axis::Horizontal));
    DistributeVertical, Order, "Distribute vertical spacing", "Space what is selected evenly, down.", [alt_shift(Key::V)], has_several, |_| arrange(ArrangeAct::Distribute(Axis::Vertical));
    TidyUp, Order, "Tidy up", "Put what is selected into rows with one gap.", [ctrl_alt_shift(Key::T)], has_several, |_| arrange(ArrangeAct::TidyUp);
    FlipHorizontal, Order, "Flip horizontal", "Mirror what is selected from left to right.", [shift(Key::H)], has_selected, |_| arrange(ArrangeAct::Flip(Axis::Horizontal));
    FlipVertical, Order, "Flip vertical", "Mirror what is selected from top to bottom.", [shift(Key::V)], has_selected, |_| arrange(ArrangeAct::Flip(Axis::Vertical));
    AddAutoLayout, Order, "Add auto layout", "Let a frame place what is selected, with direction and spacing as it lies.", [shift(Key::A)], has_selected, |_| arrange(ArrangeAct::AddAutoLayout);
    RemoveAutoLayout, Order, "Remove auto layout", "Leave everything in the frame where it is seen.", [alt_shift(Key::A)], has_selected, |_| arrange(ArrangeAct::RemoveAutoLayout);
    HideSelection, Order, "Show or hide", "Hide what is selected, or show it again.", [ctrl_shift(Key::H)], has_selected, |_| arrange(ArrangeAct::ToggleVisible);
    LockSelection, Order, "Lock or unlock", "Keep what is selected from being clicked on, or not any more.", [ctrl_shift(Key::L)], has_selected, |_| arrange(ArrangeAct::ToggleLocked);
];

fn arrange(what: ArrangeAct) -> Effect {
    act(Act::Arrange(what))
}

fn has_several(state: &State) -> bool {
    desk(state).is_some_and(|desk| desk.editor.selection().nodes.len() > 1)
}
