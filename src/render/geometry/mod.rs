//! Shapes as numbers: boxes, paths, polygons.
//!
//! Uses nothing else of `render`, and of `design` only what is geometry there. Start with
//! [`filled_path::FilledPath`], the area that everything painted comes down to; [`flatten`] makes
//! polygons of its curves, [`polygon_set`] combines them.

pub(crate) mod boxes;
mod complexity;
mod coverage;
pub(crate) mod ellipse;
pub(crate) mod far_path;
pub(crate) mod filled_path;
pub(crate) mod flatten;
pub(crate) mod path_data;
pub(crate) mod polygon;
pub(crate) mod polygon_set;
pub(crate) mod round_corners;
pub(crate) mod rounded_box;
mod smooth_corner;
