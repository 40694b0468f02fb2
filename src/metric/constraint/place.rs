//! Clauses of a position held against boxes.

use crate::base::Rect;

use super::heuristic::{NEAR_SIDE, OVERLAP};
use super::page::share_covered;
use super::position::{Clause, Relation, Zone};

/// Where a component is: the boxes of its nodes as shares of the page, each with its place in the
/// order of drawing. Never empty.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) boxes: Vec<(usize, Rect)>,
}

impl Placed {
    /// The box of all nodes together.
    pub(super) fn whole(&self) -> Rect {
        Rect::union_all(self.boxes.iter().map(|(_, place)| *place)).unwrap_or_default()
    }

    /// The places of the middle of a component: a zone is about where it is as a whole.
    fn middle(&self) -> [f64; 2] {
        let middle = self.whole().center();
        [middle.x, middle.y]
    }

    fn first_drawn(&self) -> usize {
        self.boxes.iter().map(|(order, _)| *order).min().unwrap_or_default()
    }
}

/// Whether a clause holds, and the numbers it was decided by. `others` are the components that the
/// clause names, in its order.
pub(super) fn holds(clause: &Clause, own: &Placed, others: &[Placed]) -> (bool, String) {
    match (clause, others) {
        (Clause::Zone(zone), _) => in_zone(*zone, own.middle()),
        (Clause::Relation(relation, name), [other, ..]) => stands(*relation, name, own, other),
        (Clause::Between(a, b), [first, second, ..]) => {
            // Down or across, as the words do not say which: between two columns is between as
            // well.
            let [x, y] = own.middle();
            let [ax, ay] = first.middle();
            let [bx, by] = second.middle();
            let words = format!(
                "its middle is {} down, those of the {a} and the {b} {} and {}",
                percent(y),
                percent(ay),
                percent(by)
            );
            (is_within(y, ay, by) || is_within(x, ax, bx), words)
        }
        (Clause::Covers(part, least), _) => {
            let share = share_covered(*part, own.whole());
            (
                share >= *least,
                format!(
                    "it covers {} of {}, {} are asked",
                    percent(share),
                    part_words(*part),
                    percent(*least)
                ),
            )
        }
        (Clause::Spread(part), _) => spread(*part, own),
        (Clause::Reaches(sides), _) => reaches(*sides, own.whole()),
        (Clause::Relation(..) | Clause::Between(..), _) => {
            (false, "what it stands to is not on the page".to_owned())
        }
    }
}

fn in_zone(zone: Zone, [x, y]: [f64; 2]) -> (bool, String) {
    let mut asked = Vec::new();
    let mut is_inside = true;
    for (range, way, middle) in [(zone.across, "across", x), (zone.down, "down", y)] {
        let Some([from, to]) = range else { continue };
        asked.push(format!("{} to {} {way}", percent(from), percent(to)));
        // What hangs over the edge of the page is still at that edge.
        is_inside &= (from <= 0.0 || middle >= from) && (to >= 1.0 || middle <= to);
    }
    let words = format!(
        "its middle is {} across and {} down; asked: {}",
        percent(x),
        percent(y),
        asked.join(", ")
    );
    (is_inside, words)
}

fn is_within(value: f64, a: f64, b: f64) -> bool {
    a.min(b) < value && value < a.max(b)
}

fn stands(relation: Relation, name: &str, own: &Placed, other: &Placed) -> (bool, String) {
    let (a, b) = (own.whole(), other.whole());
    // Of the smaller one: boxes of texts have room above and below the letters, and often overlap.
    let slack = OVERLAP * a.height.min(b.height);
    let slack_across = OVERLAP * a.width.min(b.width);
    match relation {
        Relation::Below => (
            a.y >= b.bottom() - slack,
            format!("it begins {} down, the {name} ends {}", percent(a.y), percent(b.bottom())),
        ),
        Relation::Above => (
            a.bottom() <= b.y + slack,
            format!("it ends {} down, the {name} begins {}", percent(a.bottom()), percent(b.y)),
        ),
        Relation::LeftOf => (
            a.right() <= b.x + slack_across,
            format!("it ends across at {}, the {name} {}", percent(a.right()), percent(b.x)),
        ),
        Relation::RightOf => (
            a.x >= b.right() - slack_across,
            format!("it begins across at {}, the {name} {}", percent(a.x), percent(b.right())),
        ),
        Relation::Around => {
            let inside = a.contains(b.center()) && a.area() > b.area();
            let words = if inside { "is inside of it" } else { "is not inside of it" };
            (inside, format!("the middle of the {name} {words}"))
        }
        Relation::Inside => {
            let share = share_covered(a, b);
            // Not all of it: letters and shadows stick out a little.
            (share >= 0.9, format!("{} of it is inside the {name}", percent(share)))
        }
        Relation::Behind | Relation::Over => {
            // Of the smaller one: a title over a full page covers little of the page.
            let share = if a.area() < b.area() { share_covered(a, b) } else { share_covered(b, a) };
            let is_before = own.first_drawn() < other.first_drawn();
            let wanted = (relation == Relation::Behind) == is_before;
            let order = if is_before { "before" } else { "after" };
            let words = format!(
                "it is drawn {order} the {name}, and {} of the smaller overlaps",
                percent(share)
            );
            (wanted && share >= 0.3, words)
        }
    }
}

/// All over a part: half of it covered by the whole, or at least three pieces in it, none outside.
fn spread(part: Rect, own: &Placed) -> (bool, String) {
    let share = share_covered(part, own.whole());
    let inside = own.boxes.iter().filter(|(_, place)| part.contains(place.center())).count();
    let pieces = own.boxes.len();
    let words = format!(
        "together its {pieces} pieces span {} of {}; {inside} are in it",
        percent(share),
        part_words(part)
    );
    // Three pieces make a scattering even where the box around them is small.
    (inside == pieces && (share >= 0.5 || (pieces >= 3 && share >= 0.3)), words)
}

fn reaches(sides: [bool; 4], whole: Rect) -> (bool, String) {
    let room = [whole.y, 1.0 - whole.right(), 1.0 - whole.bottom(), whole.x];
    let mut words = Vec::new();
    let mut is_near = true;
    for (side, name) in ["top", "right", "bottom", "left"].into_iter().enumerate() {
        if sides[side] {
            words.push(format!("{} from the {name}", percent(room[side])));
            is_near &= room[side] <= NEAR_SIDE;
        }
    }
    (is_near, format!("it ends {}", words.join(", ")))
}

fn part_words(part: Rect) -> String {
    if part.height >= 1.0 {
        return "the page".to_owned();
    }
    format!("the page from {} to {} down", percent(part.y), percent(part.bottom()))
}

pub(super) fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}
