//! Deflates the fonts that are part of the program, which makes it 1.1 MB smaller, and says where its sources are.

use std::error::Error;
use std::fs::{self, File};
use std::path::Path;

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// In `assets/fonts`; `src/base/shipped.rs` has them inflated.
const FONTS: [&str; 3] = ["InterVariable.ttf", "InterVariable-Italic.ttf", "Phosphor.ttf"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=../build.rs");
    let own = std::env::var("CARGO_MANIFEST_DIR")?;
    // The package is the folder `src/base` of them.
    let sources = Path::new(&own).ancestors().nth(2).ok_or("nothing is around src")?;
    println!("cargo::rustc-env=PENTIMENTO_SOURCES={}", sources.display());
    let out = std::env::var("OUT_DIR")?;
    for name in FONTS {
        let font = sources.join("assets/fonts").join(name);
        println!("cargo::rerun-if-changed={}", font.display());
        let deflated = File::create(Path::new(&out).join(format!("{name}.zlib")))?;
        let mut encoder = ZlibEncoder::new(deflated, Compression::best());
        std::io::copy(&mut fs::read(font)?.as_slice(), &mut encoder)?;
        encoder.finish()?;
    }
    Ok(())
}
