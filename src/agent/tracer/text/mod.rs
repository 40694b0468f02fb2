//! Lines of text: found, read against the letters of Inter, and fitted.
//!
//! - [`font`]: the letters, their widths and forms;
//! - [`lines`]: marks grouped into what may be a line of text;
//! - [`read`]: which characters a line holds, by the cheapest way through letter forms;
//! - [`spelling`]: letters that look alike, told apart;
//! - [`fit`]: size, weight, spacing and place of a line that was read;
//! - [`paragraph`]: lines that are one text.

pub(super) mod fit;
pub(super) mod font;
pub(super) mod lines;
pub(super) mod paragraph;
pub(super) mod read;
mod spelling;
