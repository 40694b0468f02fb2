//! Pictures of the design that somebody works on.

use crate::base::{Pixels, Rect};
use crate::design::Document;
use crate::render::RenderContext;
use crate::workbench::model::ids::RunId;

use super::resource::ResourceKey;

/// What they may take, in bytes: the one that is shown and some before it.
const BUDGET: usize = 48 << 20;

/// A design as it is at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DesignPictureKey {
    /// Of which desk.
    pub desk: u64,
    /// What of it.
    pub side: DesignSide,
    /// The editor's revision; 0 of the goal, which stays.
    pub revision: u64,
    /// Pixels a unit of the page, 1..=4.
    pub scale: u8,
    /// The part of a large page; `None`: all that is looked at.
    pub part: Option<PagePart>,
}

/// A part of a page, in whole units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PagePart {
    left: i32,
    top: i32,
    right: i32,
    bottom: i32,
}

impl PagePart {
    /// The whole units that an area touches.
    pub fn around(area: Rect) -> Self {
        Self {
            left: area.x.floor() as i32,
            top: area.y.floor() as i32,
            right: area.right().ceil() as i32,
            bottom: area.bottom().ceil() as i32,
        }
    }

    /// What it covers of the page.
    pub fn area(self) -> Rect {
        let [left, top, right, bottom] =
            [self.left, self.top, self.right, self.bottom].map(f64::from);
        Rect::new(left, top, right - left, bottom - top)
    }
}

/// Which design of a desk is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DesignSide {
    /// The one that is worked on.
    Work,
    /// What is to come of it.
    Goal,
}

/// A picture of the screen of a design.
#[derive(Clone, Debug)]
pub struct DesignPicture {
    /// The picture.
    pub pixels: Pixels,
    /// What of the page it shows, from edge to edge.
    pub area: Rect,
}

impl DesignPicture {
    /// Most pixels of what is drawn, so that the cache holds the one that is shown.
    pub const MOST_PIXELS: f64 = 10e6;

    /// Most pixels of the longer side of what is drawn. A page's picture may have some more: what its layers paint
    /// beyond their boxes.
    pub const LONGEST_SIDE: f64 = 8_000.0;
}

/// What of a design is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DrawnPart {
    /// Its screen.
    #[default]
    Screen,
    /// All that lies on its page.
    Page,
    /// What lies in a part of its page.
    Part(PagePart),
}

/// What it is made of.
#[derive(Clone, Debug)]
pub struct DesignInput {
    /// The design.
    pub document: Document,
    /// What of it is drawn.
    pub part: DrawnPart,
    /// What it is drawn with.
    pub render: RenderContext,
}

impl ResourceKey for DesignPictureKey {
    type Value = DesignPicture;
    const BUDGET: usize = BUDGET;

    fn cost(picture: &DesignPicture) -> usize {
        picture.pixels.width() as usize * picture.pixels.height() as usize * 4
    }

    fn is_of_run(&self, _run: RunId) -> bool {
        false
    }

    fn is_of_set(&self, _set: &str) -> bool {
        false
    }
}
