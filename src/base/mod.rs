//! The words every other module speaks: ids, finite geometry, colour, pixels, cancellation and pausing, limits,
//! text from outside as it is shown, programs that are talked to line by line.
//!
//! Uses nothing of ours. Start with [`Pixels`], the one image type that crosses modules
//! ([`TiledPixels`] are the same, packed), and [`Rect`], the one box.

mod cancel;
mod color;
mod color_map;
pub mod color_vision;
mod file_stamp;
mod geometry;
mod limits;
mod pause;
mod pixels;
mod private_folder;
mod program;
mod replace_file;
mod shipped;
mod tiles;
mod variables;
mod words;

pub use cancel::{CancelToken, Cancelled};
pub use color::Rgba;
pub use color_map::{ColorMap, Palette};
pub use file_stamp::FileStamp;
pub use geometry::{Affine, Axis, Point, Rect, Size, Vector, exact_sin_cos};
pub use limits::{JsonLimitError, Limits, open_file, parse_json, read_file_limited, read_limited};
pub use pause::PauseChange;
pub use pixels::{PICTURE_ENDINGS, Pixels, PixelsError, PixelsId, check_size, read_webp};
pub use private_folder::private_folder;
pub use program::{
    AskError, CommandError, CommandWords, LineLimits, LineProgram, LineProgramError,
};
pub use replace_file::replace_file;
pub use shipped::{INTER_FILE, INTER_ITALIC_FILE, PHOSPHOR_FILE, shipped, shipped_folders};
pub use tiles::{TILE_SIDE, TileBuilder, TiledPixels};
pub use variables::Variables;
pub use words::{
    check_id, cut_line, defused, one_line, shell_line, undefused, visible, visible_json,
};
