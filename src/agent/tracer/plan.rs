//! From a draft to the nodes worth drawing: within a budget, named, in groups.

use std::collections::BTreeMap;

use super::area::Area;
use super::closeness::similarity_sum;
use super::draft::{Piece, Role, Shape};
use super::draw;
use super::picture::Picture;
use super::see::Draft;
use super::text::paragraph;

/// Most nodes a screen gets, groups and the parts of graphics included.
pub(super) const MOST_NODES: usize = 150;
/// Of these, how many are kept for groups.
const NODES_FOR_GROUPS: usize = 20;
/// A piece that brings the picture nearer by less than this many windows is left out.
pub(super) const LEAST_GAIN: f64 = 1.0;
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
pub(super) fn plan(picture: &Picture, draft: Draft) -> Plan {
    let Draft { backdrop, pieces } = within_budget(picture, draft);
    named(Draft { backdrop, pieces: paragraph::join(pieces) })
}

/// Names and groups all of a draft.
pub(super) fn named(mut draft: Draft) -> Plan {
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
    // What lies left of the picture or above it is cast to 0.
    let area = Area::new(
        (b.x.floor() as usize).min(picture.width()),
        (b.y.floor() as usize).min(picture.height()),
        (b.right().ceil() as usize).min(picture.width()),
        (b.bottom().ceil() as usize).min(picture.height()),
    );
    // Windows whose middle is outside still see it: half a window, and a pixel for soft edges.
    area.grow(4, picture.width(), picture.height())
}

/// Leaves out what does not help, then what helps least, until the rest fits.
fn within_budget(picture: &Picture, draft: Draft) -> Draft {
    let gains: Vec<f64> = (0..draft.pieces.len()).map(|i| gain(picture, &draft, i)).collect();
    let mut order: Vec<usize> = (0..gains.len()).filter(|i| gains[*i] >= LEAST_GAIN).collect();
    // By what each node brings, as a graphic takes two. Greedy: the best first, and whatever still
    // fits into what is left.
    let costs: Vec<usize> = draft.pieces.iter().map(cost).collect();
    let worth: Vec<f64> =
        gains.iter().zip(&costs).map(|(gain, cost)| gain / *cost as f64).collect();
    order.sort_by(|a, b| worth[*b].total_cmp(&worth[*a]).then(a.cmp(b)));
    let mut room = MOST_NODES - 1 - NODES_FOR_GROUPS;
    let mut is_kept = vec![false; costs.len()];
    for i in order {
        if costs[i] <= room {
            room -= costs[i];
            is_kept[i] = true;
        }
    }
    let pieces = draft.pieces.into_iter().zip(is_kept).filter(|(_, is_kept)| *is_kept);
    Draft { pieces: pieces.map(|(piece, _)| piece).collect(), backdrop: draft.backdrop }
}

/// How many windows nearer the draft is with a piece than without.
fn gain(picture: &Picture, draft: &Draft, index: usize) -> f64 {
    let area = touched(&draft.pieces[index], picture);
    if area.count() as f64 > LARGE_SHARE * picture.area().count() as f64 {
        // Drawing everything over a large part for each such piece would take most of the time, and
        // what is so large is never left out.
        return f64::INFINITY;
    }
    let near: Vec<(usize, &Piece)> = draft
        .pieces
        .iter()
        .enumerate()
        // Only what can be seen there is drawn, or the time would grow with the square of the
        // pieces.
        .filter(|(_, p)| touched(p, picture).intersection(area).count() > 0)
        .collect();
    let seen = picture.crop(area);
    let whole = Area::new(0, 0, area.width(), area.height());
    let [with, without] = [None, Some(index)].map(|left_out| {
        let pieces = near.iter().filter(|(i, _)| Some(*i) != left_out).map(|(_, p)| *p);
        similarity_sum(&seen, &draw::draw_all(draft.backdrop, pieces, area), whole).0
    });
    with - without
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
                let lines = match &inner.shape {
                    Shape::Paragraph(paragraph) => paragraph.lines.len(),
                    _ => 1,
                };
                texts += if inner.role == Role::Text { lines } else { 0 };
                all += lines;
            }
            // By what lies in it: a line with or without an icon is a button, more is a card.
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
    let mut names = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let run = match &piece.shape {
            Shape::Text(run) => Some(run),
            Shape::Paragraph(paragraph) => Some(&paragraph.text),
            Shape::Box(_) | Shape::Ellipse | Shape::Trace(_) => None,
        };
        if let Some(run) = run {
            names.push(run.content.replace('\n', " ").chars().take(40).collect());
            continue;
        }
        let count = counts.entry(piece.role).or_default();
        *count += 1;
        names.push(format!("{} {count}", piece.role.word()));
    }
    names
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
        // Later ones only: what was painted before the box lies below it.
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
        // In a row with it is what its middle height runs through.
        let mut members = Vec::new();
        for (j, piece) in pieces.iter().enumerate().filter(|(j, _)| !taken[*j]) {
            let is_small = matches!(piece.role, Role::Text | Role::Icon);
            if is_small && piece.bounds.y < middle && middle < piece.bounds.bottom() {
                members.push(j);
            }
        }
        if members.len() >= 2 {
            for m in &members {
                taken[*m] = true;
            }
            rows.push((format!("Row {}", rows.len() + 1), members));
        }
    }
    rows
}
