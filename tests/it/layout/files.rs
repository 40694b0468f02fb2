//! Real files are laid out already: doing it again must find everything in its place.

use pentimento::design::edit::Transaction;
use pentimento::design::{NodeId, figma, layout};
use pentimento::render::TextMeasurer;

use crate::render::sketch::context;
use crate::shared;

#[test]
fn laying_out_real_files_moves_nothing() {
    let mut wrong = Vec::new();
    let mut frames = 0;
    for name in ["button", "cookie-banner", "header", "tag"] {
        let Some(path) = shared::path(&format!("data/figma/{name}.json")) else { return };
        let json = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let mut document = figma::from_json(json).unwrap().document;
        let before = document.clone();
        let roots: Vec<NodeId> = document.roots().to_vec();
        let mut change = Transaction::begin(&mut document);
        for root in &roots {
            layout::lay_out_all(&mut change, root, &TextMeasurer(&context()));
        }
        change.commit();
        let nodes = || before.iter_depth_first();
        frames += nodes().filter(|node| node.auto_layout.is_some()).count();
        // Figma leaves what is hidden as it was when it was hidden.
        let is_seen = |id: &NodeId| {
            before.get(id).is_some_and(|node| node.visible)
                && before.ancestors(id).all(|node| node.visible)
        };
        for node in nodes().filter(|node| node.has_box() && is_seen(&node.id)) {
            let (was, now) =
                (before.absolute_box(&node.id).unwrap(), document.absolute_box(&node.id).unwrap());
            let off =
                [was.x - now.x, was.y - now.y, was.width - now.width, was.height - now.height];
            if off.iter().any(|off| off.abs() > 0.5) {
                wrong.push(format!("{name} {} {:?}: {was:?} {now:?}", node.id, node.name));
            }
        }
    }
    assert!(frames > 300, "{frames} frames");
    assert!(wrong.is_empty(), "{} boxes moved:\n{}", wrong.len(), wrong.join("\n"));
}
