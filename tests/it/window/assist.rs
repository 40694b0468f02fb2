//! The room in which people design by hand: a state with a design in it, for the tests of all its panels.

use pentimento::base::{Affine, Rgba, Size};
use pentimento::design::{Document, Node, NodeKind, Paint};
use pentimento::render::RenderContext;
use pentimento::workbench::protocol::{HandsNews, OpenedDesign};
use pentimento::workbench::{
    AssistCommand, AssistDesk, AssistStart, Command, Comments, Event, State, apply, handle,
};

/// The room with this design, as if it had been opened.
pub(crate) fn assist_state(document: Document) -> State {
    opened_state("card", Size::new(400.0, 300.0), document)
}

/// The room with a design that is called so, begun with an empty frame of this size.
pub(super) fn opened_state(title: &str, size: Size, document: Document) -> State {
    let mut state = State::default();
    state.settings.hint_is_closed = true;
    let start = AssistStart::Blank(size);
    drop(handle(&mut state, Command::Assist(AssistCommand::Open(start))));
    let opened = OpenedDesign {
        title: title.to_owned(),
        instruction: None,
        goal: None,
        brief: None,
        document,
        plan: None,
        render: RenderContext::default(),
        kept: None,
        versions: Vec::new(),
        comments: Comments::default(),
        pending: None,
    };
    let opened = HandsNews::Opened { desk: 1, result: Ok(Box::new(opened)) };
    drop(apply(&mut state, Event::Hands(opened)));
    assert!(state.assist.desk.is_some());
    state
}

/// The desk of such a state.
pub(crate) fn desk(state: &State) -> &AssistDesk {
    state.assist.desk.as_deref().expect("a design is open")
}

/// A node with a fill, by its box in what it lies in.
pub(crate) fn shape(
    id: &str,
    kind: NodeKind,
    parent: Option<&str>,
    [x, y, width, height]: [f64; 4],
    color: [f64; 3],
) -> Node {
    let mut node = Node::new(id.into(), id, kind);
    node.parent = parent.map(Into::into);
    (node.transform, node.size) = (Affine::translate(x, y), Size::new(width, height));
    let [r, g, b] = color;
    node.fills = vec![Paint::solid(Rgba::new(r, g, b, 1.0))];
    node
}

/// A screen of 400 × 300 with a card that holds a tile, and a dot beside it.
pub(crate) fn card() -> Document {
    let white = [1.0; 3];
    Document::from_nodes([
        shape("screen", NodeKind::Frame, None, [0.0, 0.0, 400.0, 300.0], white),
        shape("card", NodeKind::Frame, Some("screen"), [40.0, 40.0, 160.0, 120.0], [0.9, 0.9, 0.8]),
        shape("tile", NodeKind::Rectangle, Some("card"), [20.0, 20.0, 60.0, 40.0], [0.1, 0.3, 0.9]),
        shape(
            "dot",
            NodeKind::Rectangle,
            Some("screen"),
            [260.0, 180.0, 80.0, 60.0],
            [0.8, 0.2, 0.2],
        ),
    ])
    .unwrap()
}
