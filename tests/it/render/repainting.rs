//! Pictures made from the one before, against whole ones.

use pentimento::base::{Affine, Point, Rgba, Size};
use pentimento::design::edit::Transaction;
use pentimento::design::{
    BlendMode, CornerRadii, Document, Effect, EffectKind, MaskType, Node, NodeId, NodeKind, Paint,
    Shadow,
};
use pentimento::render::{RenderOptions, Repainter, render_node, render_page};
use proptest::prelude::*;

use super::random_design::{ROOT, SIDE, random_design};
use super::sketch::context;

/// A change of one node: which, what and how much.
type Change = (usize, usize, f64);

fn node_of(document: &Document, pick: usize) -> NodeId {
    let nodes: Vec<_> = document.iter_depth_first().map(|node| node.id.clone()).collect();
    nodes[pick % nodes.len()].clone()
}

fn shadow(amount: f64) -> Shadow {
    Shadow {
        color: Rgba::new(0.0, 0.2, 0.4, amount),
        offset: Point::new(9.0 * amount, 4.0),
        radius: 12.0 * amount,
        spread: 0.0,
        blend_mode: BlendMode::Normal,
    }
}

fn effect(which: usize, amount: f64) -> Effect {
    let kind = match which % 4 {
        0 => EffectKind::BackgroundBlur { radius: 20.0 * amount },
        1 => EffectKind::LayerBlur { radius: 9.0 * amount },
        2 => EffectKind::DropShadow { shadow: shadow(amount), show_behind_node: amount < 0.5 },
        _ => EffectKind::InnerShadow(shadow(amount)),
    };
    Effect { kind, visible: true }
}

/// Changes a field of a node.
fn alter(node: &mut Node, what: usize, amount: f64) {
    match what {
        0 => node.transform = Affine::translate(40.0 * amount - 20.0, 7.3).after(node.transform),
        1 => node.size = Size::new(10.0 + 90.0 * amount, node.size.height),
        2 => node.opacity = amount,
        3 => node.fills = vec![Paint::solid(Rgba::new(amount, 0.5, 1.0 - amount, 1.0))],
        4 => node.visible = !node.visible,
        5 => node.blend_mode = BlendMode::Multiply,
        6 => node.blend_mode = BlendMode::PassThrough,
        7 => node.is_mask = !node.is_mask,
        8 => node.mask_type = MaskType::Luminance,
        9 => node.effects = vec![effect((amount * 1e3) as usize, amount)],
        10 => node.effects.clear(),
        11 => node.clips_content = !node.clips_content,
        12 => node.corner_radii = CornerRadii::uniform(30.0 * amount),
        13 => "renamed".clone_into(&mut node.name),
        _ => node.transform = node.transform.after(Affine::rotate(amount)),
    }
}

/// Changes the document; does nothing where the change cannot be.
fn make(document: &mut Document, (pick, what, amount): Change) {
    let id = node_of(document, pick);
    let other = node_of(document, pick / 7 + (amount * 100.0) as usize);
    let mut change = Transaction::begin(document);
    let is_root = id.as_str() == ROOT;
    let done = match what {
        0..=15 if is_root && what != 3 => Ok(()),
        0..=15 => change.update(&id, |node| alter(node, what, amount)),
        16 if !is_root => change.remove(&id),
        17 if !is_root => change.duplicate(&id).map(|_| ()),
        18 if !is_root => change.reparent(&id, Some(&other), Some(0)),
        19 if !is_root => {
            let parent = change.document().get(&id).and_then(|node| node.parent.clone());
            change.reparent(&id, parent.as_ref(), Some(pick % 3))
        }
        _ => {
            let mut node = Node::new(change.new_id(), "new", NodeKind::Rectangle);
            node.size = Size::new(60.0 * amount, 30.0);
            node.transform = Affine::translate(SIDE * amount, 50.0);
            node.fills = vec![Paint::solid(Rgba::BLACK)];
            change.insert(node, Some(&ROOT.into()), None)
        }
    };
    if done.is_ok() {
        change.commit();
    }
}

/// Whether a remembering renderer shows the document as one that remembers nothing.
fn is_the_same(repainter: &mut Repainter, document: &Document, scale: f64) -> Result<(), String> {
    let options = RenderOptions { scale, background: [9, 90, 200, 128] };
    let pairs = [
        (
            repainter.render_node(&context(), document, &ROOT.into(), options),
            render_node(&context(), document, &ROOT.into(), options),
        ),
        (
            repainter.render_page(&context(), document, options),
            render_page(&context(), document, options),
        ),
    ];
    for (ours, whole) in pairs {
        let (ours, whole) = match (ours, whole) {
            (Ok(ours), Ok(whole)) => (ours, whole),
            (Err(_), Err(_)) => continue,
            (ours, whole) => return Err(format!("{ours:?} instead of {whole:?}")),
        };
        if ours.page_box != whole.page_box || ours.diagnostics != whole.diagnostics {
            return Err(format!("{ours:?} instead of {whole:?}"));
        }
        if let Some(at) = first_difference(ours.pixels.rgba(), whole.pixels.rgba()) {
            let width = ours.pixels.width() as usize;
            return Err(format!("pixel {}, {} differs", at / 4 % width, at / 4 / width));
        }
    }
    Ok(())
}

fn first_difference(a: &[u8], b: &[u8]) -> Option<usize> {
    a.iter().zip(b).position(|(a, b)| a != b)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_picture_made_from_the_one_before_is_the_whole_picture_byte_for_byte(
        seed in any::<u64>(),
        scale in prop::sample::select(vec![1.0, 1.0, 0.5, 1.7]),
        changes in prop::collection::vec((any::<usize>(), 0usize..21, 0.0..1.0f64), 1..12),
    ) {
        let mut document = random_design(seed);
        let mut repainter = Repainter::default();
        let first = is_the_same(&mut repainter, &document, scale);
        prop_assert_eq!(first, Ok(()), "at first");
        for change in changes {
            make(&mut document, change);
            let again = is_the_same(&mut repainter, &document, scale);
            prop_assert_eq!(again, Ok(()), "after {:?}", change);
        }
    }
}

#[test]
fn a_document_of_another_design_is_painted_anew() {
    let mut repainter = Repainter::default();
    for seed in [1, 2, 1, 3] {
        assert_eq!(is_the_same(&mut repainter, &random_design(seed), 1.0), Ok(()));
    }
}
