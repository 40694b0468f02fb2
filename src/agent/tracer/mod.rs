//! Draws what it sees: the honest baseline that needs no model.
//!
//! `tracer` gets what a model gets (instruction, size, the picture to arrive at, tools, outcomes)
//! and nothing of the ground truth's document.

mod area;
mod boxes;
mod closeness;
mod corners;
mod draft;
mod draw;
mod edges;
mod fills;
mod ink;
mod mask;
mod picture;
mod residual;
mod see;
mod segment;
mod text;
mod trace;

#[cfg(test)]
mod dev {
    use super::*;
    #[test]
    fn dump() {
        let mut files: Vec<_> =
            std::fs::read_dir("/tmp/tr/in").unwrap().map(|e| e.unwrap().path()).collect();
        files.sort();
        let only = std::env::var("ONLY").unwrap_or_default();
        let (mut sum, mut n) = (0.0, 0.0);
        for f in files {
            let name = f.file_stem().unwrap().to_str().unwrap().to_owned();
            if !name.contains(&only) {
                continue;
            }
            let pixels = crate::base::Pixels::open(&f).unwrap();
            let t = std::time::Instant::now();
            let picture = picture::Picture::of(&pixels);
            let draft = see::see(&picture, &crate::base::CancelToken::new()).unwrap();
            let secs = t.elapsed().as_secs_f64();
            let out = draw::draw_all(draft.backdrop, &draft.pieces, picture.area());
            let s = closeness::similarity(&picture, &out, picture.area());
            println!("{name:40} {s:.4} pieces {} {secs:.2}s", draft.pieces.len());
            if name.starts_with("rep") {
                sum += s;
                n += 1.0;
            }
            let bytes: Vec<u8> = picture
                .area()
                .pixels()
                .flat_map(|(x, y)| {
                    let [r, g, b] = out.get(x, y).map(|v| v as u8);
                    [r, g, b, 255]
                })
                .collect();
            crate::base::Pixels::from_rgba(picture.width() as u32, picture.height() as u32, bytes)
                .unwrap()
                .save_png(std::path::Path::new(&format!("/tmp/tr/out/{name}.png")))
                .unwrap();
            if std::env::var("LIST").is_ok() {
                for p in &draft.pieces {
                    println!(
                        "  {:?} {:?} {:?} {:?} {:?}",
                        p.role,
                        p.bounds,
                        if let draft::Shape::Trace(c) = &p.shape {
                            draft::Shape::Trace(vec![vec![[
                                c.len() as f32,
                                c.iter().map(|c| c.len()).sum::<usize>() as f32,
                            ]]])
                        } else {
                            p.shape.clone()
                        },
                        p.fill,
                        p.stroke
                    );
                }
            }
        }
        println!("MEAN {:.4}", sum / n);
    }
}
