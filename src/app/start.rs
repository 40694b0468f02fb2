//! Opening the window, and what to do if it cannot be opened.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use eframe::NativeOptions;
use egui::ViewportBuilder;

use super::{App, WindowOptions};
use crate::environment::FontSource;
use crate::ui;

/// Name of the window, and of the folder the settings are in.
const NAME: &str = "Pentimento";
/// Logical points.
const SMALLEST: [f32; 2] = [800.0, 500.0];
/// Logical points.
const USUAL: [f32; 2] = [1440.0, 900.0];

static ICON: &[u8] = include_bytes!("../../assets/icon.png");

/// Libraries the window loads when it opens, and the Debian packages that hold them.
const LIBRARIES: [(&str, &str); 11] = [
    ("libxkbcommon-x11", "libxkbcommon-x11-0"),
    ("libxkbcommon", "libxkbcommon0"),
    ("libX11-xcb", "libx11-xcb1"),
    ("libX11", "libx11-6"),
    ("libXcursor", "libxcursor1"),
    ("libXrandr", "libxrandr2"),
    ("libXi", "libxi6"),
    ("libxcb", "libxcb1"),
    ("libwayland-client", "libwayland-client0"),
    ("libEGL", "libegl1"),
    ("libvulkan", "libvulkan1"),
];

/// Why the window did not open, or closed.
#[derive(Debug, thiserror::Error)]
pub enum WindowError {
    /// A system library is missing.
    #[error(
        "the window needs the library {library}, which is missing: install the Debian package {package} (apt-get install {package})"
    )]
    MissingLibrary {
        /// Which.
        library: &'static str,
        /// The Debian package that holds it.
        package: &'static str,
    },
    /// Nothing can draw the window.
    #[error(
        "nothing on this machine can draw the window ({0}): install a graphics driver, or the Debian package mesa-vulkan-drivers, which draws without one"
    )]
    NoGraphics(String),
    /// Anything else that the window system says.
    #[error("the window cannot be opened: {0}")]
    Other(String),
}

/// Opens the window and returns when it is closed. Runs that are at work then are stopped in good order.
///
/// Has to be called on the main thread.
///
/// # Errors
///
/// See [`WindowError`]. Whether there is a display has to be asked before.
pub fn run_window(options: WindowOptions) -> Result<(), WindowError> {
    let create: eframe::AppCreator<'_> = Box::new(move |cc| {
        // Those that runs are drawn in, too: the fonts of a machine are hundreds of files.
        let render = options.environments.render(FontSource::Machine).clone();
        ui::add_fonts(&cc.egui_ctx, move |letter| render.fonts().outlines_of(letter));
        Ok(Box::new(App::new(cc, options)?))
    });
    // The loaders of some system libraries panic where others give an error.
    match catch_unwind(AssertUnwindSafe(|| eframe::run_native(NAME, native_options(), create))) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(explain(&error)),
        Err(panic) => Err(explain_text(&panic_text(&*panic))),
    }
}

fn native_options() -> NativeOptions {
    let mut viewport = ViewportBuilder::default()
        .with_title(NAME)
        .with_app_id(NAME.to_lowercase())
        .with_inner_size(USUAL)
        .with_min_inner_size(SMALLEST)
        .with_drag_and_drop(true);
    // A window without an icon is better than none; a test holds that there is one.
    if let Ok(icon) = eframe::icon_data::from_png_bytes(ICON) {
        viewport = viewport.with_icon(Arc::new(icon));
    }
    NativeOptions { viewport, ..NativeOptions::default() }
}

fn explain(error: &eframe::Error) -> WindowError {
    match error {
        eframe::Error::Wgpu(error) => match missing_library(&error.to_string()) {
            Some(missing) => missing,
            None => WindowError::NoGraphics(error.to_string()),
        },
        // winit says only in words which library it did not find.
        error => explain_text(&error.to_string()),
    }
}

fn explain_text(text: &str) -> WindowError {
    missing_library(text).unwrap_or_else(|| WindowError::Other(text.to_owned()))
}

/// The library that a message of a loader names.
fn missing_library(text: &str) -> Option<WindowError> {
    // With what follows the name, as `libX11` begins the name of `libX11-xcb`.
    let (library, package) = LIBRARIES.into_iter().find(|(library, _)| {
        text.contains(&format!("{library}.so")) || text.contains(&format!("{library} "))
    })?;
    Some(WindowError::MissingLibrary { library, package })
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    // `panic!` with arguments gives a String, without any a &str.
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_library_is_named_with_its_package() {
        let loader = "Library libxkbcommon-x11.so could not be loaded.";
        let WindowError::MissingLibrary { package, .. } = explain_text(loader) else { panic!() };
        assert_eq!(package, "libxkbcommon-x11-0");
        let text = explain_text("libX11-xcb.so.1: cannot open shared object file").to_string();
        assert!(text.contains("apt-get install libx11-xcb1"), "{text}");
    }

    #[test]
    fn the_debian_package_depends_on_every_library_that_the_window_loads() {
        let control = include_str!("../../assets/package/control");
        let depends = control.lines().find_map(|line| line.strip_prefix("Depends: ")).unwrap();
        let depends: Vec<&str> = depends.split(", ").collect();
        for (library, package) in LIBRARIES {
            assert!(depends.contains(&package), "{package} for {library}");
        }
    }

    #[test]
    fn the_icon_is_a_picture() {
        assert!(eframe::icon_data::from_png_bytes(ICON).is_ok());
    }
}
