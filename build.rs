//! Deflates the fonts that are part of the program: 1.1 MB less of it.

use std::error::Error;
use std::fs::{self, File};
use std::path::Path;

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// In `assets/fonts`; `src/base/shipped.rs` has them inflated.
const FONTS: [&str; 3] = ["InterVariable.ttf", "InterVariable-Italic.ttf", "Phosphor.ttf"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let sources = std::env::var("CARGO_MANIFEST_DIR")?;
    let out = std::env::var("OUT_DIR")?;
    for name in FONTS {
        let font = Path::new(&sources).join("assets/fonts").join(name);
        println!("cargo::rerun-if-changed={}", font.display());
        let deflated = File::create(Path::new(&out).join(format!("{name}.zlib")))?;
        let mut encoder = ZlibEncoder::new(deflated, Compression::best());
        std::io::copy(&mut fs::read(font)?.as_slice(), &mut encoder)?;
        encoder.finish()?;
    }
    Ok(())
}
