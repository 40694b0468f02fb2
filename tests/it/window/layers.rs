//! The fixture with its nodes listed: a run's design made by hand beside its ground truth.

use std::path::PathBuf;
use std::sync::Arc;

use pentimento::base::{Affine, Rect, Rgba, Size};
use pentimento::design::diff::{pair_by_content, pair_by_id};
use pentimento::design::{
    AutoLayout, CornerRadii, Direction, Document, Effect, EffectKind, Node, NodeId, NodeKind,
    Paint, Shadow, Sides, TextContent,
};
use pentimento::task::Artifact;
use pentimento::workbench::{
    Comparison, Fetched, InspectorTab, LayerTree, LayerTreeKey, NodeHistory, PairedBy, PictureKey,
    State,
};

use super::fixture;

/// A layer: id, name, kind, the node it lies in, box on the screen, colour.
type Layer = (&'static str, &'static str, &'static str, &'static str, [f64; 4], [u8; 3]);

const LAYERS: [Layer; 17] = [
    ("1:31", "Header", "RECTANGLE", "1:30", [0.0, 0.0, 393.0, 260.0], [0x4A, 0x20, 0xD8]),
    ("1:32", "Transaction report", "TEXT", "1:30", [56.0, 46.0, 170.0, 16.0], [0xE9, 0xE4, 0xFF]),
    ("1:33", "Card", "FRAME", "1:30", [30.0, 108.0, 333.0, 200.0], [0x1E, 0x6E, 0xF5]),
    ("1:34", "John Smith", "TEXT", "1:33", [50.0, 134.0, 120.0, 18.0], [255, 255, 255]),
    ("1:35", "4756 •••• •••• 9018", "TEXT", "1:33", [50.0, 214.0, 210.0, 12.0], [0xCF, 0xE0, 0xFF]),
    ("1:36", "$3.469.52", "TEXT", "1:33", [50.0, 244.0, 110.0, 18.0], [255, 255, 255]),
    (
        "1:37",
        "Brand mark of the issuing bank",
        "VECTOR",
        "1:33",
        [300.0, 258.0, 44.0, 18.0],
        [255, 255, 255],
    ),
    ("1:42", "Transactions", "FRAME", "1:30", [24.0, 340.0, 345.0, 380.0], [0xFB, 0xFC, 0xFA]),
    ("1:39", "Row 1", "GROUP", "1:42", [34.0, 352.0, 328.0, 44.0], [0; 3]),
    ("1:50", "Icon", "ELLIPSE", "1:39", [34.0, 352.0, 40.0, 40.0], [0x5A, 0x3F, 0xF0]),
    ("1:51", "Water Bill", "TEXT", "1:39", [88.0, 358.0, 110.0, 11.0], [0x2A, 0x2C, 0x33]),
    ("1:40", "Row 2", "GROUP", "1:42", [34.0, 430.0, 328.0, 44.0], [0; 3]),
    ("1:52", "Icon", "ELLIPSE", "1:40", [34.0, 430.0, 40.0, 40.0], [0xF0, 0x4F, 0x6B]),
    ("1:53", "Income: Salary Oct", "TEXT", "1:40", [88.0, 436.0, 110.0, 11.0], [0x2A, 0x2C, 0x33]),
    ("1:41", "Row 3", "INSTANCE", "1:42", [34.0, 508.0, 328.0, 44.0], [0x1E, 0x88, 0xF5]),
    ("1:43", "Row 4", "INSTANCE", "1:42", [34.0, 586.0, 328.0, 44.0], [0xF5, 0xB0, 0x2E]),
    ("1:44", "Row 5", "INSTANCE", "1:42", [34.0, 664.0, 328.0, 44.0], [0x3F, 0xC9, 0xB0]),
];

/// Which of two designs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Version {
    Truth,
    Step17,
    Step18,
}

fn kind(name: &str, words: &str) -> NodeKind {
    match name {
        "TEXT" => NodeKind::Text(Box::new(TextContent {
            characters: words.to_owned(),
            ..TextContent::default()
        })),
        "FRAME" => NodeKind::Frame,
        "GROUP" => NodeKind::Group,
        "ELLIPSE" => NodeKind::Ellipse(pentimento::design::EllipseArc::WHOLE),
        "INSTANCE" => NodeKind::Instance,
        "VECTOR" => NodeKind::Vector(pentimento::design::PathGeometry::default()),
        _ => NodeKind::Rectangle,
    }
}

fn design(version: Version) -> Document {
    let mut screen = Node::new(NodeId::from("1:30"), "Main Screen", NodeKind::Frame);
    screen.size = Size::new(393.0, 852.0);
    screen.fills = vec![Paint::solid(Rgba::WHITE)];
    let mut nodes = vec![screen];
    for (id, name, kind_name, parent, [x, y, width, height], [r, g, b]) in LAYERS {
        // The ground truth has a fifth row, the run does not yet.
        if id == "1:44" && version != Version::Truth {
            continue;
        }
        let is_close = version == Version::Step18 && y > 340.0;
        let y = if is_close { 320.0 + (y - 320.0) * 0.62 } else { y };
        let y = if version != Version::Truth && (108.0..310.0).contains(&y) { y + 6.0 } else { y };
        let corner = LAYERS.iter().find(|layer| layer.0 == parent).map_or([0.0; 2], |layer| {
            let close = version == Version::Step18 && layer.4[1] > 340.0;
            let top = if close { 320.0 + (layer.4[1] - 320.0) * 0.62 } else { layer.4[1] };
            let lowered = version != Version::Truth && (108.0..310.0).contains(&layer.4[1]);
            [layer.4[0], if lowered { top + 6.0 } else { top }]
        });
        let mut node = Node::new(NodeId::from(id), name, kind(kind_name, name));
        node.parent = Some(NodeId::from(parent));
        let area = Rect::new(x - corner[0], y - corner[1], width, height);
        node.transform = Affine::translate(area.x, area.y);
        node.size = area.size();
        if kind_name != "GROUP" {
            node.fills = vec![Paint::solid(Rgba::from_u8([r, g, b, 255]))];
        }
        change(&mut node, version);
        nodes.push(node);
    }
    if version != Version::Truth {
        nodes.push(stranger());
    }
    Document::from_nodes(nodes).expect("parents come first")
}

/// What differs besides places.
fn change(node: &mut Node, version: Version) {
    match (node.id.as_str(), version) {
        ("1:33", Version::Truth) => {
            node.corner_radii = CornerRadii::uniform(18.0);
            let shadow = Shadow {
                color: Rgba::from_u8([0, 0, 0, 64]),
                offset: pentimento::base::Point::new(0.0, 8.0),
                radius: 24.0,
                spread: 0.0,
                blend_mode: pentimento::design::BlendMode::Normal,
            };
            let kind = EffectKind::DropShadow { shadow, show_behind_node: false };
            node.effects = vec![Effect { kind, visible: true }];
        }
        ("1:33", _) => {
            node.corner_radii = CornerRadii::uniform(12.0);
            node.fills = vec![Paint::solid(Rgba::from_u8([0x1A, 0x5C, 0xD8, 230]))];
        }
        ("1:42", Version::Truth | Version::Step18) => {
            let mut layout = AutoLayout::new(Direction::Vertical);
            layout.item_spacing = 34.0;
            layout.padding = Sides { top: 12.0, right: 10.0, bottom: 12.0, left: 10.0 };
            node.auto_layout = Some(Box::new(layout));
        }
        ("1:37", Version::Step17 | Version::Step18) => node.visible = false,
        _ => {}
    }
}

fn stranger() -> Node {
    let mut node = Node::new(NodeId::from("1:61"), "Rectangle 61", NodeKind::Rectangle);
    node.parent = Some(NodeId::from("1:30"));
    node.transform = Affine::translate(330.0, 760.0);
    node.size = Size::new(40.0, 6.0);
    node.fills = vec![Paint::solid(Rgba::DEFAULT_SHAPE)];
    node
}

fn outline(against: Comparison) -> LayerTree {
    let now = design(Version::Step18);
    let mut outline = match against {
        Comparison::None => LayerTree::new(now, None),
        Comparison::Previous => {
            let before = design(Version::Step17);
            let pairing = pair_by_id(&before, &now);
            LayerTree::new(now, Some((before, pairing, PairedBy::Id)))
        }
        Comparison::GroundTruth => {
            let truth = design(Version::Truth);
            let pairing = pair_by_content(&truth, &now);
            LayerTree::new(now, Some((truth, pairing, PairedBy::Content)))
        }
    };
    for (at, row) in outline.rows.iter_mut().enumerate().filter(|(_, row)| !row.is_ghost) {
        row.history = Some(NodeHistory { made: at as u32 % 9 + 1, changed: 18 });
    }
    outline
}

/// The fixture with documents, its nodes listed against this.
pub(crate) fn listed(against: Comparison) -> State {
    let mut state = fixture::full();
    let set = Arc::make_mut(&mut state.library.sets[0].set);
    for task in set.tasks.iter_mut().map(Arc::make_mut) {
        let document = Some(PathBuf::from("gt.json"));
        task.ground_truth = Some(Artifact { document, picture: Some(PathBuf::from("gt.png")) });
    }
    state.settings.inspector_tab = InspectorTab::Nodes;
    state.settings.comparison = against;
    for against in [Comparison::None, Comparison::Previous, Comparison::GroundTruth] {
        let key = LayerTreeKey { slot: PictureKey::Step(fixture::RUN, 18), against };
        state.derived.layer_trees.insert(key, Fetched::Ready(Arc::new(outline(against))));
    }
    let truth = PictureKey::GroundTruth(fixture::task_ref("gid11-16"));
    let key = LayerTreeKey { slot: truth, against: Comparison::None };
    let outline = LayerTree::new(design(Version::Truth), None);
    state.derived.layer_trees.insert(key, Fetched::Ready(Arc::new(outline)));
    state
}
