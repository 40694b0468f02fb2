//! From a draft to the nodes worth drawing: within a budget, named, in groups.

use std::collections::BTreeMap;

use super::area::Area;
use super::closeness::similarity_sum;
use super::draft::{Piece, Role, Shape};
use super::draw;
use super::picture::Picture;
use super::see::Draft;

/// Most nodes a screen gets, groups and the parts of graphics included.
pub(super) const MOST_NODES: usize = 150;
/// Of these, how many are kept for groups.
const NODES_FOR_GROUPS: usize = 20;
/// A piece that brings the picture nearer by less than this many windows is left out.
const LEAST_GAIN: f64 = 1.0;
/// A piece over more than this share of the picture is kept unmeasured.
const LARGE_SHARE: f64 = 0.2;

/// A draft ready to be drawn.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// What is drawn, in paint order, without its backdrop.
    pub(super) draft: Draft,
    /// The name of each piece.
    pub(super) names: Vec<String>,
    /// What belongs together, by index, with a name.
    pub(super) groups: Vec<(String, Vec<usize>)>,
}

/// Chooses, names and groups.
pub(super) fn plan(picture: &Picture, draft: &Draft) -> Plan {
    let mut draft = within_budget(picture, draft);
    call_by_content(&mut draft.pieces);
    let names = names(&draft.pieces);
    let groups = groups(&draft.pieces, &names);
    Plan { draft, names, groups }
}

/// How many nodes a piece becomes: a graphic is a frame with a vector in it.
fn cost(piece: &Piece) -> usize {
    if matches!(piece.shape, Shape::Trace(_)) { 2 } else { 1 }
}

/// The pixels a piece can change.
pub(super) fn touched(piece: &Piece, picture: &Picture) -> Area {
    let b = piece.bounds;
    let clamp = |v: f64| v.max(0.0) as usize;
    let area = Area::new(
        clamp(b.x.floor()).min(picture.width()),
        clamp(b.y.floor()).min(picture.height()),
        clamp(b.right().ceil()).min(picture.width()),
        clamp(b.bottom().ceil()).min(picture.height()),
    );
    area.grow(4, picture.width(), picture.height())
}

/// Leaves out what does not help, then what helps least, until the rest fits.
fn within_budget(picture: &Picture, draft: &Draft) -> Draft {
    let gains: Vec<f64> = (0..draft.pieces.len()).map(|i| gain(picture, draft, i)).collect();
    let mut order: Vec<usize> = (0..gains.len()).filter(|i| gains[*i] >= LEAST_GAIN).collect();
    let per_node = |i: usize| gains[i] / cost(&draft.pieces[i]) as f64;
    order.sort_by(|a, b| per_node(*b).total_cmp(&per_node(*a)).then(a.cmp(b)));
    let (mut room, mut kept) = (MOST_NODES - 1 - NODES_FOR_GROUPS, Vec::new());
    for i in order {
        if cost(&draft.pieces[i]) <= room {
            room -= cost(&draft.pieces[i]);
            kept.push(i);
        }
    }
    kept.sort_unstable();
    let pieces = kept.into_iter().map(|i| draft.pieces[i].clone()).collect();
    Draft { pieces, backdrop: draft.backdrop }
}

/// How many windows nearer the draft is with a piece than without.
fn gain(picture: &Picture, draft: &Draft, index: usize) -> f64 {
    let area = touched(&draft.pieces[index], picture);
    if area.count() as f64 > LARGE_SHARE * picture.area().count() as f64 {
        return f64::INFINITY;
    }
    let near: Vec<(usize, &Piece)> = draft
        .pieces
        .iter()
        .enumerate()
        .filter(|(_, p)| touched(p, picture).intersection(area).count() > 0)
        .collect();
    let seen = picture.crop(area);
    let whole = Area::new(0, 0, area.width(), area.height());
    let closeness = |without: Option<usize>| {
        let pieces = near.iter().filter(|(i, _)| Some(*i) != without).map(|(_, p)| *p);
        similarity_sum(&seen, &draw::draw_all(draft.backdrop, pieces, area), whole).0
    };
    closeness(None) - closeness(Some(index))
}

/// Whether the middle of `inner` lies in `outer`, and `inner` is smaller.
fn holds(outer: &Piece, inner: &Piece) -> bool {
    outer.bounds.expand(1.0).contains(inner.bounds.center())
        && inner.bounds.area() < outer.bounds.area()
        && outer.bounds.union(inner.bounds).area() <= 1.1 * outer.bounds.area()
}

/// Calls a box by what it holds: one line of text makes a button, more a card.
fn call_by_content(pieces: &mut [Piece]) {
    let roles: Vec<Role> = pieces
        .iter()
        .map(|outer| {
            if outer.role != Role::Block {
                return outer.role;
            }
            let inside = pieces.iter().filter(|inner| holds(outer, inner));
            let (mut texts, mut all) = (0, 0);
            for inner in inside {
                texts += usize::from(inner.role == Role::Text);
                all += 1;
            }
            match (texts, all) {
                (_, 0) => Role::Block,
                (1, 1 | 2) => Role::Button,
                _ => Role::Card,
            }
        })
        .collect();
    for (piece, role) in pieces.iter_mut().zip(roles) {
        piece.role = role;
    }
}

fn names(pieces: &[Piece]) -> Vec<String> {
    let mut counts: BTreeMap<Role, usize> = BTreeMap::new();
    let mut name = |piece: &Piece| {
        if let Shape::Text(run) = &piece.shape {
            return run.content.chars().take(40).collect();
        }
        let count = counts.entry(piece.role).or_default();
        *count += 1;
        format!("{} {count}", piece.role.word())
    };
    pieces.iter().map(&mut name).collect()
}

/// Boxes with what they hold, then rows of what stands side by side on open ground.
fn groups(pieces: &[Piece], names: &[String]) -> Vec<(String, Vec<usize>)> {
    let mut taken = vec![false; pieces.len()];
    let mut groups = Vec::new();
    for (i, outer) in pieces.iter().enumerate() {
        let is_box = matches!(outer.role, Role::Card | Role::Button | Role::Disc);
        if !is_box || taken[i] || groups.len() >= NODES_FOR_GROUPS {
            continue;
        }
        let inside: Vec<usize> = (0..pieces.len())
            .filter(|j| *j > i && !taken[*j] && holds(outer, &pieces[*j]))
            .collect();
        if inside.is_empty() || is_covered_by_others(pieces, i, &inside) {
            continue;
        }
        let members: Vec<usize> = std::iter::once(i).chain(inside).collect();
        for m in &members {
            taken[*m] = true;
        }
        groups.push((box_group_name(pieces, names, &members), members));
    }
    let room = NODES_FOR_GROUPS.saturating_sub(groups.len());
    groups.extend(rows(pieces, &mut taken).into_iter().take(room));
    groups
}

/// Whether something that is no member lies over a box: grouping would bring the box before it.
fn is_covered_by_others(pieces: &[Piece], index: usize, members: &[usize]) -> bool {
    pieces.iter().enumerate().any(|(j, other)| {
        j > index
            && !members.contains(&j)
            && other.bounds.intersection(pieces[index].bounds).is_some_and(|c| c.area() > 1.0)
    })
}

fn box_group_name(pieces: &[Piece], names: &[String], members: &[usize]) -> String {
    let text = members.iter().find(|m| pieces[**m].role == Role::Text);
    match (text, members.first()) {
        (Some(text), Some(first)) => format!("{}: {}", pieces[*first].role.word(), names[*text]),
        (None, Some(first)) => format!("{} with content", names[*first]),
        _ => String::new(),
    }
}

fn rows(pieces: &[Piece], taken: &mut [bool]) -> Vec<(String, Vec<usize>)> {
    let mut rows: Vec<(String, Vec<usize>)> = Vec::new();
    for i in 0..pieces.len() {
        if taken[i] || pieces[i].role != Role::Text {
            continue;
        }
        let middle = pieces[i].bounds.center().y;
        let in_row = |piece: &Piece| {
            matches!(piece.role, Role::Text | Role::Icon)
                && piece.bounds.y < middle
                && middle < piece.bounds.bottom()
        };
        let members: Vec<usize> =
            (0..pieces.len()).filter(|j| !taken[*j] && in_row(&pieces[*j])).collect();
        if members.len() >= 2 {
            for m in &members {
                taken[*m] = true;
            }
            rows.push((format!("Row {}", rows.len() + 1), members));
        }
    }
    rows
}
