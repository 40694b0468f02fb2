//! What the actions work with, and what several of them do: find a layer, add one, and say how much of
//! it is on the page.

use crate::base::{Rect, Size};
use crate::environment::suite::action_kind::TargetLayers;
use crate::environment::suite::compat::Compat;
use crate::environment::suite::document::{Content, MOST_DEPTH, MOST_LAYERS, MOST_NODES};
use crate::environment::suite::failure::{Failure, shorten};
use crate::environment::suite::given::GivenPictures;
use crate::environment::suite::parameters::CheckedCall;
use crate::environment::suite::state::SuiteState;
use crate::graphictown::Expert;
use crate::render::RenderContext;

/// How much of a layer may hang over the page's edge before it is said: an edge is not exact.
const UNSAID: f64 = 0.002;

/// What an action works with.
pub(in crate::environment::suite) struct Scene<'a> {
    /// What there is.
    pub(in crate::environment::suite) state: &'a mut SuiteState,
    /// What the query hands out.
    pub(in crate::environment::suite) pictures: &'a GivenPictures,
    /// How values are taken.
    pub(in crate::environment::suite) compat: Compat,
    /// What texts are measured with.
    pub(in crate::environment::suite) render: &'a RenderContext,
}

impl Scene<'_> {
    /// The place of the layer that an action is about, which must be of the action's kind.
    pub(super) fn find(&self, given: &CheckedCall, kind: TargetLayers) -> Result<usize, Failure> {
        let name = given.layer()?;
        let (at, layer) = self.state.layer(given.expert, name)?;
        if kind.takes(layer) { Ok(at) } else { Err(wrong_kind(name, layer.kind(), kind)) }
    }

    /// Adds a layer to an expert's document; gives what to mind.
    pub(super) fn add(
        &mut self,
        expert: Expert,
        name: &str,
        content: Content,
    ) -> Result<Option<String>, Failure> {
        let document = self.state.need_mut(expert)?;
        // Before it is added, when the name still means the older one.
        let is_second = document.find(name).is_some();
        document.add(name, content).map_err(|_full| {
            Failure::TooLarge(format!(
                "the document has no room for it: at most {MOST_LAYERS} layers, {MOST_NODES} nodes \
                 with those of imported documents, and {MOST_DEPTH} documents inside each other; \
                 export as png to import as one picture"
            ))
        })?;
        let name = shorten(name);
        Ok(is_second
            .then(|| format!("the name {name:?} means the newer of two layers from here on")))
    }

    /// What is to be said of a layer at the page's edge. A failure if nothing of it is on the page, as
    /// documented.
    pub(super) fn edge_note(
        &self,
        name: &str,
        bounds: Rect,
        page: Size,
    ) -> Result<Option<String>, Failure> {
        let share = share_on_page(bounds, Rect::new(0.0, 0.0, page.width, page.height));
        let lies = format!(
            "{:?} lies at x {:.0} to {:.0}, y {:.0} to {:.0}, on a page of {} × {}",
            shorten(name),
            bounds.x,
            bounds.right(),
            bounds.y,
            bounds.bottom(),
            page.width,
            page.height
        );
        if share <= 0.0 {
            // The released executor moves what it is told to: the plan goes on, with a warning.
            return match self.compat {
                Compat::Documented => {
                    Err(Failure::OffPage(format!("nothing of it would be on the page: {lies}")))
                }
                Compat::GraphicBench => Ok(Some(format!("nothing of it is on the page: {lies}"))),
            };
        }
        let percent = (share * 100.0).floor();
        Ok((share < 1.0 - UNSAID).then(|| format!("only {percent} % of it is on the page: {lies}")))
    }
}

/// The layer is of a kind that cannot take it.
pub(super) fn wrong_kind(name: &str, is: &str, wanted: TargetLayers) -> Failure {
    let (shown, wanted) = (shorten(name), wanted.name());
    Failure::WrongLayer(format!("the layer {shown:?} is a {is}, and this is for a {wanted}"))
}

/// How much of a box is on a page of this box: 0..=1; 1 for a box without extent that is on it.
fn share_on_page(bounds: Rect, page: Rect) -> f64 {
    // A level or upright line has no area, and so no common part either: its middle decides.
    let Some(common) = bounds.intersection(page) else {
        return if page.contains(bounds.center()) { 1.0 } else { 0.0 };
    };
    if bounds.area() > 0.0 { common.area() / bounds.area() } else { 1.0 }
}
