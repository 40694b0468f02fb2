//! Holds the structure: a module uses only what stands above it in the crate's table, and inside a
//! module files do not go in circles.
//!
//! Cargo cannot enforce this inside a crate, so this test parses the sources. Every path in code
//! that is not a test is followed to the file that defines what it names, through imports, aliases
//! and re-exports; a path that only passes through a `mod.rs` does not depend on it.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a source that cannot be read or parsed fails the test"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use proc_macro2::Span;
use syn::spanned::Spanned as _;
use syn::visit::Visit;

/// The roots of the crates and of their build scripts, which are no modules.
const ROOTS: [&str; 5] = ["lib", "core", "document", "main", "build"];

/// For each module, the modules it may name. `app`, `cli` and the roots of crates may name everything.
const MAY_USE: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("design", &["base"]),
    ("raster", &["base"]),
    ("render", &["design", "raster", "base"]),
    ("graphictown", &["base"]),
    ("environment", &["graphictown", "design", "raster", "render", "base"]),
    ("metric", &["graphictown", "base", "design", "raster"]),
    ("model", &["metric", "base"]),
    ("run", &["environment", "metric", "base"]),
    ("task", &["run", "environment", "metric", "base"]),
    ("import", &["run", "environment", "base"]),
    ("label", &["metric", "run", "base"]),
    ("store", &["label", "metric", "design", "base"]),
    ("study", &["label", "run", "environment", "metric", "design", "base"]),
    // Plans are read and checked where they are measured; the assistant compares designs.
    ("agent", &["graphictown", "environment", "run", "task", "model", "metric", "design", "base"]),
    ("editor", &["agent", "design", "base"]),
    (
        "evaluate",
        &[
            "graphictown",
            "study",
            "store",
            "model",
            "label",
            "task",
            "run",
            "metric",
            "environment",
            "render",
            "design",
            "base",
        ],
    ),
    ("export", &["evaluate", "task", "run", "environment", "render", "raster", "design", "base"]),
    ("report", &["workbench", "evaluate", "label", "task", "run", "metric", "environment", "base"]),
    (
        "worker",
        &[
            "export",
            "report",
            "import",
            "evaluate",
            "graphictown",
            "workbench",
            "editor",
            "study",
            "agent",
            "store",
            "model",
            "label",
            "task",
            "run",
            "metric",
            "environment",
            "render",
            "raster",
            "design",
            "base",
        ],
    ),
    (
        "workbench",
        &[
            "graphictown",
            "evaluate",
            "editor",
            "study",
            "agent",
            "label",
            "task",
            "run",
            "metric",
            "environment",
            "render",
            "design",
            "base",
        ],
    ),
    ("gpu", &["raster", "base"]),
    (
        "ui",
        &[
            "gpu",
            "graphictown",
            "workbench",
            "evaluate",
            "editor",
            "study",
            "agent",
            "label",
            "task",
            "run",
            "metric",
            "environment",
            "design",
            "raster",
            "base",
        ],
    ),
];

/// For each module with an order of its own, its files and folders: each uses those before it only.
/// What is not named may use all of them, and none of them may use it.
const ORDER_INSIDE: &[(&str, &[&str])] = &[
    (
        "render",
        &["diagnostic", "paint_facts", "geometry", "text", "scene", "context", "paint", "svg"],
    ),
    ("render/text", &["font", "layout", "glyph", "typesetter"]),
    ("workbench", &["model", "protocol", "derive", "reduce"]),
    (
        "agent",
        &[
            // What is said to a model, and who answers.
            "kind",
            "cpu_pool",
            "catch_panic",
            "chat",
            "providers",
            // What an agent is, and the agents there are; `open` makes one.
            "error",
            "interface",
            "asking",
            "model_agent",
            "planner",
            "models",
            "scripted",
            "tracer",
            "program",
            "open",
            // A run of one, and many runs.
            "picture_source",
            "run_settings",
            "continued",
            "prepared_task",
            "recording",
            "hosted",
            "runner",
            "batch",
        ],
    ),
    (
        "worker",
        &[
            "shared",
            "watching",
            "reading",
            "compute",
            "stage_shot",
            "opening",
            "launching",
            "noting",
            "labelling",
            "study",
            "copying",
            "placing",
            "hands",
            "threads",
        ],
    ),
];

/// Paths that a module may not reach, whatever it may use otherwise.
const NEVER: &[(&str, &str, &str)] =
    &[("agent", "metric/constraint", "what plans are measured by is not what they are made by")];

/// Files that go in a circle because two types of one idea define each other, with the reason.
const CIRCLES: &[(&[&str], &str)] = &[];

/// How many files of a module still go in circles; the numbers only ever fall.
const STILL_IN_CIRCLES: &[(&str, usize)] = &[];

/// The most lines a source file may have: more is two subjects.
const MAX_LINES: usize = 600;

/// How many closures may be bound to a name in a thousand lines that are no tests; an iterator chain, a function or a
/// method mostly reads better.
const MAX_NAMED_CLOSURES: f64 = 1.0;

/// How many types may bear one name: one word means one thing, and what is narrow has a term of its own.
const MAX_NAMESAKES: usize = 3;

/// Files outside the theme that make colours of numbers: those of documents and of maps, which no theme knows.
const COLOURS_OF_DATA: &[&str] =
    &["ui/assist/canvas/eyedropper.rs", "ui/assist/canvas/typing.rs", "ui/stage/legend.rs"];

/// Files of `metric` with the standard library's functions of floats, whose last bit is the platform's. Values are
/// recorded with what these give, so that they stay; a new one takes `libm`.
const PLATFORM_FLOATS: &[&str] = &[
    "metric/constraint/color_name.rs",
    "metric/lab.rs",
    "metric/picture/squared_error.rs",
    "metric/saliency/similarity.rs",
    "metric/saliency/spectral_residual.rs",
    "metric/ssim/gaussian.rs",
    "metric/transformation/color.rs",
    "metric/transformation/geometry.rs",
];

#[test]
fn every_module_uses_only_what_stands_above_it() {
    let sources = Sources::read();
    let mut wrong = Vec::new();
    for path in &sources.paths {
        let from = path.file.top();
        let Some((_, allowed)) = MAY_USE.iter().find(|(module, _)| *module == from) else {
            continue;
        };
        let Some(to) = sources.top_named(path) else { continue };
        if from != to && !allowed.contains(&to.as_str()) {
            wrong.push(format!("{}:{}: {from} may not use {to}", path.file, path.line));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_module_is_in_the_table() {
    let sources = Sources::read();
    let known: BTreeSet<&str> =
        MAY_USE.iter().map(|(module, _)| *module).chain(["app", "cli"]).chain(ROOTS).collect();
    let unknown: Vec<&str> =
        sources.files.keys().map(File::top).filter(|top| !known.contains(top)).collect();
    assert!(unknown.is_empty(), "{unknown:?} are not in the import table");
}

#[test]
fn inside_a_module_files_do_not_go_in_circles() {
    let sources = Sources::read();
    let mut circles = sources.circles();
    circles.retain(|circle| {
        let names: Vec<&str> = circle.iter().map(|file| file.0.as_str()).collect();
        !CIRCLES.iter().any(|(allowed, _)| *allowed == names)
    });
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    for file in circles.iter().flatten() {
        *left.entry(file.top()).or_default() += 1;
    }
    let mut text = String::new();
    for (module, count) in &left {
        let known = STILL_IN_CIRCLES.iter().find(|(known, _)| known == module);
        let known = known.map_or(0, |(_, count)| *count);
        if *count > known {
            writeln!(text, "{module}: {count} files in circles, {known} are known").unwrap();
        }
    }
    if text.is_empty() {
        return;
    }
    for circle in &circles {
        writeln!(text, "{} files in a circle:", circle.len()).unwrap();
        let inside: BTreeSet<&File> = circle.iter().collect();
        for edge in &sources.edges {
            if inside.contains(&edge.from) && inside.contains(&edge.to) {
                writeln!(text, "  {edge}").unwrap();
            }
        }
    }
    panic!("{text}");
}

#[test]
fn a_circle_that_is_allowed_is_there() {
    let circles = Sources::read().circles();
    for (allowed, reason) in CIRCLES {
        let is_there = circles.iter().any(|circle| {
            circle.iter().map(|file| file.0.as_str()).collect::<Vec<_>>() == *allowed
        });
        assert!(is_there, "{allowed:?} go in no circle any more ({reason}): strike them out");
    }
}

#[test]
fn inside_a_module_with_an_order_arrows_point_one_way() {
    let sources = Sources::read();
    let mut wrong = Vec::new();
    for (module, order) in ORDER_INSIDE {
        let place = |file: &File| {
            let rest = file.0.strip_prefix(module)?.strip_prefix('/')?;
            let first = rest.split('/').next()?.trim_end_matches(".rs");
            Some(order.iter().position(|name| *name == first).unwrap_or(order.len()))
        };
        for name in *order {
            let prefix = format!("{module}/{name}");
            let exists = sources.files.keys().any(|file| file.0.starts_with(&prefix));
            assert!(exists, "{module} has no {name}");
        }
        for edge in &sources.edges {
            let (Some(from), Some(to)) = (place(&edge.from), place(&edge.to)) else { continue };
            if to > from {
                wrong.push(edge.to_string());
            }
        }
    }
    assert!(wrong.is_empty(), "against the order:\n{}", wrong.join("\n"));
}

#[test]
fn what_a_module_must_never_reach_it_does_not_reach() {
    let sources = Sources::read();
    for (module, target, reason) in NEVER {
        assert!(
            sources.files.keys().any(|file| file.0.starts_with(target)),
            "{target} is nowhere: strike it out"
        );
        for edge in &sources.edges {
            let reaches = edge.from.0.starts_with(module) && edge.to.0.starts_with(target);
            assert!(!reaches, "{edge}: {reason}");
        }
    }
}

#[test]
fn no_path_climbs_two_modules() {
    let sources = Sources::read();
    let found: Vec<String> = sources
        .files
        .iter()
        .flat_map(|(file, content)| {
            content.climbing.iter().map(move |line| format!("{file}:{line}"))
        })
        .collect();
    assert!(found.is_empty(), "name the path from the crate:\n{}", found.join("\n"));
}

#[test]
fn the_window_never_names_eframe_threads_or_the_worker() {
    assert_never_named("ui/", &["eframe", "std::thread", "crate::worker", "std::fs"]);
}

#[test]
fn the_workbench_knows_no_window_no_thread_and_no_file() {
    let banned = ["egui", "eframe", "std::thread", "std::fs", "crossbeam_channel"];
    assert_never_named("workbench/", &banned);
}

#[test]
fn only_the_edge_reads_environment_variables() {
    // Where the program starts, or is built: what a machine sets comes in from there.
    let edge = ["cli", "app", "main", "build"];
    let readers = ["var", "var_os", "vars", "vars_os", "home_dir", "set_var"];
    let paths = &Sources::read().paths;
    let mut read = paths
        .iter()
        .filter(|path| readers.iter().any(|reader| path.names(&format!("std::env::{reader}"))));
    assert!(read.clone().any(|path| path.file.top() == "cli"), "they are not found");
    let below = read.find(|path| !edge.contains(&path.file.top()));
    assert!(
        below.is_none(),
        "{}:{}: take `base::Variables`",
        below.unwrap().file,
        below.unwrap().line
    );
}

#[test]
fn only_the_wire_reaches_the_network_and_only_one_file_the_keyring() {
    for (name, home) in [("reqwest", "model/wire/"), ("keyring", "agent/providers/keys.rs")] {
        let paths = &Sources::read().paths;
        let at_home = |path: &&Named| path.names(name) && path.file.0.starts_with(home);
        assert!(paths.iter().any(|path| at_home(&path)), "{home} does not name {name}");
        let elsewhere = paths.iter().find(|path| path.names(name) && !at_home(path));
        assert!(elsewhere.is_none(), "{} names {name}", elsewhere.unwrap().file);
    }
}

/// Files that the guides name before they are there.
const NOT_YET: &[&str] = &[];

/// A path in code style, from the root or from `src`; `NAME` and `PAPER` stand for what is to be written.
#[test]
fn every_path_of_the_guides_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for guide in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let text = std::fs::read_to_string(root.join(guide)).unwrap();
        // Blocks of shell commands name what is not in the sources; the fences would also pair up wrongly.
        let prose: String = text.split("```").step_by(2).collect();
        let spans = prose.split('`').skip(1).step_by(2);
        let paths = spans.filter(|span| span.contains('/') && !span.contains(' '));
        let mut count = 0;
        for path in paths.filter(|path| !NOT_YET.contains(path)) {
            let known = path.split(['N', 'P']).next().unwrap_or(path);
            let written =
                if path.contains("NAME") || path.contains("PAPER") { known } else { path };
            assert!(names_a_file(root, written), "{guide} names {path}, which is not there");
            count += 1;
        }
        assert!(count > 2, "{guide} names {count} paths: they are not found");
    }
    for path in NOT_YET {
        assert!(
            !names_a_file(root, path),
            "{path} is there now: strike it out, and say so in ARCHITECTURE.md"
        );
    }
}

/// What stands in code style before "in" and a path is there: `Form` in `src/label/form/definition.rs`.
#[test]
fn what_the_guides_say_is_in_a_file_is_in_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (mut names, mut between, mut count) = (Vec::new(), "", 0);
    for (index, part) in text.split('`').enumerate() {
        if index % 2 == 0 {
            between = part;
            // `A` or `B` in FILE: what joins names keeps those before.
            if ![" and ", " or ", ", or ", " with ", " in ", ", in ", " of "].contains(&part) {
                names.clear();
            }
            continue;
        }
        let is_name = part.chars().all(|c| c.is_alphanumeric() || ['_', ':', '!'].contains(&c));
        if is_name {
            names.push(part);
        } else if [" in ", ", in ", " of "].contains(&between) && names_a_file(root, part) {
            let files =
                if root.join(part).exists() { root.to_path_buf() } else { root.join("src") };
            let content = content_below(&files.join(part));
            for name in names.iter().flat_map(|name| name.split("::")) {
                let name = name.trim_end_matches('!');
                let mut words = content.split(|c: char| !c.is_alphanumeric() && c != '_');
                assert!(words.any(|word| word == name), "{name} is not in {part}");
                count += 1;
            }
            names.clear();
        }
    }
    assert!(count > 20, "{count} names are found");
}

fn content_below(path: &Path) -> String {
    if path.is_dir() {
        let files = rust_files(path).into_iter();
        return files.map(|file| std::fs::read_to_string(file).unwrap()).collect();
    }
    std::fs::read_to_string(path).unwrap()
}

/// Both tables of modules, the crate's and the guide's, have a row for each.
#[test]
fn the_tables_of_modules_name_every_module() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let guide = std::fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let crate_docs = std::fs::read_to_string(root.join("src/lib.rs")).unwrap();
    let first_cells = |text: &str, row: &str| -> String {
        let rows = text.lines().filter_map(|line| line.strip_prefix(row)?.split('|').next());
        rows.collect()
    };
    let guide = first_cells(&guide, "| ");
    let crate_docs = first_cells(&crate_docs, "//! | ");
    for module in MAY_USE.iter().map(|(module, _)| *module).chain(["app", "cli"]) {
        assert!(guide.contains(&format!("`{module}`")), "ARCHITECTURE.md has no row of {module}");
        assert!(crate_docs.contains(&format!("[`{module}`]")), "lib.rs has no row of {module}");
    }
}

fn names_a_file(root: &Path, path: &str) -> bool {
    [root.to_path_buf(), root.join("src")].iter().any(|root| root.join(path).exists())
}

/// A file without one is no part of the program, and its tests never run.
#[test]
fn every_file_has_a_line_that_makes_it_a_module() {
    let never_built = &Sources::read().never_built;
    assert!(never_built.is_empty(), "no `mod` line names {never_built:?}");
}

#[test]
fn no_file_has_two_subjects() {
    let sources = Sources::read();
    let long: Vec<String> = sources
        .files
        .iter()
        .filter(|(_, file)| file.lines > MAX_LINES)
        .map(|(name, file)| format!("{name}: {} lines", file.lines))
        .collect();
    assert!(long.is_empty(), "over {MAX_LINES} lines:\n{}", long.join("\n"));
}

#[test]
fn few_closures_are_bound_to_a_name() {
    let sources = Sources::read();
    let lines: usize = sources.files.values().map(|file| file.lines - file.lines_of_tests).sum();
    let closures: usize = sources.files.values().map(|file| file.named_closures).sum();
    assert!(closures > 0, "they are not found");
    let rate = 1000.0 * closures as f64 / lines as f64;
    let mut most: Vec<(usize, &File)> =
        sources.files.iter().map(|(name, file)| (file.named_closures, name)).collect();
    most.sort_unstable();
    let most = &most[most.len().saturating_sub(20)..];
    assert!(
        rate <= MAX_NAMED_CLOSURES,
        "{closures} in {lines} lines are {rate:.2} in a thousand; most are in {most:?}"
    );
}

#[test]
fn few_types_share_a_name() {
    let mut bearers: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (file, content) in &Sources::read().files {
        for (line, name) in &content.types {
            bearers.entry(name).or_default().push(format!("{file}:{line}"));
        }
    }
    assert!(bearers.len() > 1000, "they are not found");
    bearers.retain(|_, places| places.len() > MAX_NAMESAKES);
    assert!(bearers.is_empty(), "more than {MAX_NAMESAKES} types of one name: {bearers:#?}");
}

#[test]
fn only_the_theme_makes_colours() {
    let paths = Sources::read().paths.iter();
    let making: BTreeSet<&str> = paths
        .filter(|path| ["ui", "app"].contains(&path.file.top()) && path.makes_a_colour())
        .map(|path| path.file.0.as_str())
        .collect();
    assert!(making.iter().any(|file| file.starts_with("ui/theme/")), "they are not found");
    let elsewhere = making.into_iter().filter(|file| !file.starts_with("ui/theme/"));
    assert_eq!(elsewhere.collect::<Vec<_>>(), COLOURS_OF_DATA, "take a token of the theme");
}

#[test]
fn no_new_metric_takes_functions_whose_last_bit_is_the_platforms() {
    let sources = Sources::read();
    let files = sources.files.iter().filter(|(name, _)| name.top() == "metric");
    let found = files.filter(|(_, file)| file.has_platform_floats);
    let found: Vec<&str> = found.map(|(name, _)| name.0.as_str()).collect();
    assert_eq!(found, PLATFORM_FLOATS, "take those of libm");
}

fn assert_never_named(module: &str, banned: &[&str]) {
    let sources = Sources::read();
    assert!(sources.files.keys().any(|file| file.0.starts_with(module)), "{module} is nowhere");
    for path in sources.paths.iter().filter(|path| path.file.0.starts_with(module)) {
        for name in banned {
            assert!(!path.names(name), "{}:{} names {name}", path.file, path.line);
        }
    }
}

/// A source file, by its path below `src`, with `/` everywhere.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct File(String);

impl File {
    /// The module of the crate that it belongs to.
    fn top(&self) -> &str {
        self.0.split('/').next().unwrap_or_default().trim_end_matches(".rs")
    }

    /// The path of its module from the crate.
    fn module(&self) -> Vec<String> {
        let name = self.0.trim_end_matches(".rs").trim_end_matches("/mod");
        match name {
            root if ROOTS.contains(&root) => Vec::new(),
            _ => name.split('/').map(str::to_owned).collect(),
        }
    }
}

impl std::fmt::Display for File {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "src/{}", self.0)
    }
}

/// One file uses what another defines.
#[derive(Debug)]
struct Edge {
    from: File,
    line: usize,
    to: File,
    /// What is used.
    item: String,
}

impl std::fmt::Display for Edge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{} uses {} of {}", self.from, self.line, self.item, self.to)
    }
}

/// A path as it stands in code, its first segment taken through the imports of its file.
#[derive(Clone, Debug)]
struct Named {
    file: File,
    line: usize,
    segments: Vec<String>,
}

impl Named {
    /// Whether it begins with these segments.
    fn names(&self, path: &str) -> bool {
        let mut segments = self.segments.iter();
        path.split("::").all(|name| segments.next().is_some_and(|segment| segment == name))
    }

    /// Whether it is a colour by its name or its numbers, and not one that means no colour.
    fn makes_a_colour(&self) -> bool {
        self.segments.windows(2).any(|two| {
            let name = two[1].as_str();
            let is_constant = name.chars().all(|c| c.is_ascii_uppercase() || c == '_');
            two[0] == "Color32"
                && (name.starts_with("from_")
                    || is_constant && !["TRANSPARENT", "PLACEHOLDER"].contains(&name))
        })
    }
}

/// Whether a function or method of floats is one that every platform rounds as it likes. `sqrt` is none; `powi` is one by
/// its documentation, and is let through: what it does on ours is multiply.
fn is_platform_float(name: &syn::Ident) -> bool {
    const NAMES: [&str; 25] = [
        "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "exp",
        "exp2", "exp_m1", "hypot", "ln", "ln_1p", "log", "log10", "log2", "powf", "sin", "sin_cos",
        "sinh", "tan", "tanh",
    ];
    NAMES.iter().any(|known| name == known)
}

/// What a file holds.
#[derive(Debug, Default)]
struct Content {
    lines: usize,
    /// Of those, how many are only there for tests.
    lines_of_tests: usize,
    /// Closures that are bound to a name, tests aside.
    named_closures: usize,
    /// Whether [`is_platform_float`] holds of something that it calls.
    has_platform_floats: bool,
    /// Its modules that are files, and of those the ones that are only there for tests.
    modules: Vec<String>,
    test_modules: Vec<String>,
    /// Names that it defines itself.
    defined: BTreeSet<String>,
    /// Of those the types that no macro makes, with their lines.
    types: Vec<(usize, String)>,
    /// Names that it imports or re-exports, with where they come from.
    imported: BTreeMap<String, Vec<String>>,
    /// Modules all of whose names it takes in.
    globs: Vec<Vec<String>>,
    /// Every path in its code, tests aside.
    paths: Vec<(usize, Vec<String>)>,
    /// Lines with a path that climbs two modules, in tests as well.
    climbing: Vec<usize>,
}

/// All sources, and who uses what.
#[derive(Debug, Default)]
struct Sources {
    files: BTreeMap<File, Content>,
    /// Which file each module is.
    modules: BTreeMap<Vec<String>, File>,
    edges: Vec<Edge>,
    paths: Vec<Named>,
    /// Modules that have a `mod` line, those for tests among them, and files that have none.
    declared: BTreeSet<Vec<String>>,
    never_built: Vec<File>,
}

impl Sources {
    /// Those of this crate, read once for all tests.
    fn read() -> &'static Self {
        static READ: LazyLock<Sources> = LazyLock::new(Sources::parse);
        &READ
    }

    fn parse() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let texts = rust_files(&root).into_iter().map(|path| {
            let name = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
            (File(name), std::fs::read_to_string(&path).unwrap())
        });
        Self::of(texts.collect())
    }

    fn of(texts: Vec<(File, String)>) -> Self {
        let mut sources = Self::default();
        let mut read = Vec::new();
        let mut test_modules = Vec::new();
        for (file, text) in texts {
            let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
            let mut reader = Reader::default();
            let climbs = |(_, line): &(usize, &str)| line.contains("super::super");
            let climbing = text.lines().enumerate().filter(climbs);
            reader.content.climbing = climbing.map(|(index, _)| index + 1).collect();
            reader.visit_file(&parsed);
            reader.content.lines = text.lines().count();
            let module = file.module();
            test_modules.extend(reader.content.test_modules.iter().map(|it| child(&module, it)));
            sources.declared.extend(reader.content.modules.iter().map(|it| child(&module, it)));
            read.push((file, reader));
        }
        for (file, reader) in read {
            let module = file.module();
            if !module.is_empty() && !sources.declared.contains(&module) {
                sources.never_built.push(file.clone());
            }
            // A file of tests, or one in a folder of them, which its `mod` line marks as such.
            if test_modules.iter().any(|tests| module.starts_with(tests)) {
                continue;
            }
            // The binary has no module that others could name.
            if file.0 != "main.rs" {
                sources.modules.insert(module, file.clone());
            }
            sources.files.insert(file, reader.content);
        }
        sources.follow_paths();
        sources
    }

    fn follow_paths(&mut self) {
        let mut edges = BTreeMap::new();
        for (file, content) in &self.files {
            for (line, segments) in &content.paths {
                let segments = expand(content, segments);
                let named = Named { file: file.clone(), line: *line, segments: segments.clone() };
                self.paths.push(named);
                let Some((to, item)) = self.definer(file, &segments) else { continue };
                if to != *file {
                    edges.entry((file.clone(), to)).or_insert((*line, item));
                }
            }
        }
        let edges = edges.into_iter();
        self.edges =
            edges.map(|((from, to), (line, item))| Edge { from, line, to, item }).collect();
    }

    /// The file that defines what a path in `file` names, and its name there.
    fn definer(&self, file: &File, segments: &[String]) -> Option<(File, String)> {
        self.definer_from(&file.module(), segments, 0)
    }

    /// The module of the crate that a path names. What a module shows of another is its own.
    fn top_named(&self, path: &Named) -> Option<String> {
        let (module, rest) = self.start(&path.file.module(), &path.segments)?;
        module.into_iter().chain(rest.iter().cloned()).next()
    }

    /// Goes down through child modules and re-exports. `depth` ends circles of re-exports.
    fn definer_in(
        &self,
        mut module: Vec<String>,
        mut rest: &[String],
        depth: usize,
    ) -> Option<(File, String)> {
        while let Some(first) = rest.first() {
            let below = child(&module, first);
            if !self.modules.contains_key(&below) {
                break;
            }
            module = below;
            rest = &rest[1..];
        }
        let file = self.modules.get(&module)?;
        let content = &self.files[file];
        let Some(name) = rest.first() else { return Some((file.clone(), "names".to_owned())) };
        if !content.defined.contains(name) && depth < 8 {
            if let Some(source) = content.imported.get(name) {
                let path: Vec<String> = source.iter().chain(&rest[1..]).cloned().collect();
                return self.definer_from(&module, &path, depth);
            }
            for glob in &content.globs {
                let path: Vec<String> = glob.iter().chain(rest).cloned().collect();
                let found = self.definer_from(&module, &path, depth);
                if let Some(found) =
                    found.filter(|(file, _)| self.files[file].defined.contains(name))
                {
                    return Some(found);
                }
            }
        }
        Some((file.clone(), name.clone()))
    }

    /// The same of a path as it stands in a module.
    fn definer_from(
        &self,
        module: &[String],
        path: &[String],
        depth: usize,
    ) -> Option<(File, String)> {
        let (module, rest) = self.start(module, path)?;
        self.definer_in(module, rest, depth + 1)
    }

    /// Where a path in a module begins, and what of it is left from there.
    fn start<'p>(
        &self,
        module: &[String],
        path: &'p [String],
    ) -> Option<(Vec<String>, &'p [String])> {
        let mut module = module.to_vec();
        let mut rest = path;
        match rest.first()?.as_str() {
            "crate" | "pentimento" | "pentimento_core" | "pentimento_document" => {
                module.clear();
                rest = &rest[1..];
            }
            "self" => rest = &rest[1..],
            "super" => {}
            // A child module, or else somebody else's crate, or a name of the file itself.
            first if !self.modules.contains_key(&child(&module, first)) => return None,
            _ => {}
        }
        while rest.first().is_some_and(|segment| segment == "super") {
            module.pop()?;
            rest = &rest[1..];
        }
        Some((module, rest))
    }

    /// The files of one module that use each other in a circle: strongly connected components of two
    /// and more.
    fn circles(&self) -> Vec<Vec<File>> {
        let mut reach: BTreeMap<&File, BTreeSet<&File>> = BTreeMap::new();
        let mut next: BTreeMap<&File, Vec<&File>> = BTreeMap::new();
        for edge in self.edges.iter().filter(|edge| edge.from.top() == edge.to.top()) {
            next.entry(&edge.from).or_default().push(&edge.to);
        }
        for from in self.files.keys() {
            let mut seen = BTreeSet::new();
            let mut open: Vec<&File> = next.get(from).cloned().unwrap_or_default();
            while let Some(file) = open.pop() {
                if seen.insert(file) {
                    open.extend(next.get(file).into_iter().flatten());
                }
            }
            reach.insert(from, seen);
        }
        let mut circles = BTreeSet::new();
        for (from, seen) in &reach {
            if seen.contains(from) {
                let back = seen.iter().filter(|to| reach[**to].contains(from));
                circles.insert(back.map(|file| (*file).clone()).collect::<Vec<File>>());
            }
        }
        circles.into_iter().collect()
    }
}

/// The path with its first segment replaced by where the file imports it from.
fn expand(content: &Content, segments: &[String]) -> Vec<String> {
    match segments.first().and_then(|first| content.imported.get(first)) {
        Some(source) => source.iter().chain(&segments[1..]).cloned().collect(),
        None => segments.to_vec(),
    }
}

fn child(module: &[String], name: &str) -> Vec<String> {
    module.iter().map(String::as_str).chain([name]).map(str::to_owned).collect()
}

/// Reads one file: definitions, imports, paths; what is only there for tests is passed over.
#[derive(Default)]
struct Reader {
    content: Content,
    /// How many bodies it is in: what is defined there is nobody else's.
    depth: usize,
}

impl Reader {
    fn path(&mut self, span: Span, segments: Vec<String>) {
        self.content.paths.push((span.start().line, segments));
    }

    fn define(&mut self, name: &syn::Ident) {
        if self.depth == 0 {
            self.content.defined.insert(name.to_string());
        }
    }

    fn define_type(&mut self, name: &syn::Ident) {
        self.define(name);
        if self.depth == 0 {
            self.content.types.push((name.span().start().line, name.to_string()));
        }
    }

    fn import(&mut self, tree: &syn::UseTree, mut prefix: Vec<String>) {
        match tree {
            syn::UseTree::Path(path) => {
                prefix.push(path.ident.to_string());
                self.import(&path.tree, prefix);
            }
            syn::UseTree::Name(name) => {
                let last = name.ident.to_string();
                let visible = if last == "self" {
                    prefix.last().cloned().unwrap_or_default()
                } else {
                    prefix.push(last.clone());
                    last
                };
                self.imported(name.span(), visible, prefix);
            }
            syn::UseTree::Rename(rename) => {
                if rename.ident != "self" {
                    prefix.push(rename.ident.to_string());
                }
                self.imported(rename.span(), rename.rename.to_string(), prefix);
            }
            syn::UseTree::Glob(glob) => {
                self.path(glob.span(), prefix.clone());
                self.content.globs.push(prefix);
            }
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(tree, prefix.clone());
                }
            }
        }
    }

    /// An import counts where it is used; to name something is no use of it, or every `mod.rs` that
    /// shows what its files define would depend on them.
    fn imported(&mut self, span: Span, visible: String, path: Vec<String>) {
        let is_trait_for_its_methods = visible == "_";
        if is_trait_for_its_methods || self.depth > 0 {
            self.path(span, path.clone());
        }
        // What climbs is no re-export of the module's own.
        self.content.imported.insert(visible, path);
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        self.content.modules.extend(module_elsewhere(item));
        if attributes(item).iter().any(is_for_tests) {
            let span = item.span();
            self.content.lines_of_tests += span.end().line + 1 - span.start().line;
            if let Some(name) = module_elsewhere(item) {
                self.content.test_modules.push(name);
            }
            return;
        }
        match item {
            syn::Item::Fn(item) => self.define(&item.sig.ident),
            syn::Item::Struct(item) => self.define_type(&item.ident),
            syn::Item::Enum(item) => self.define_type(&item.ident),
            syn::Item::Trait(item) => self.define_type(&item.ident),
            syn::Item::Const(item) => self.define(&item.ident),
            syn::Item::Static(item) => self.define(&item.ident),
            syn::Item::Type(item) => self.define_type(&item.ident),
            syn::Item::Macro(item) => {
                item.ident.iter().for_each(|ident| self.define(ident));
                // What a macro of this file makes is defined in it.
                if item.mac.path.is_ident("macro_rules") {
                    self.define_made(item.mac.tokens.clone());
                }
            }
            syn::Item::Use(item) => {
                self.import(&item.tree, Vec::new());
                return;
            }
            _ => {}
        }
        syn::visit::visit_item(self, item);
    }

    fn visit_impl_item(&mut self, item: &'ast syn::ImplItem) {
        let attributes = match item {
            syn::ImplItem::Fn(item) => &item.attrs,
            syn::ImplItem::Const(item) => &item.attrs,
            _ => return syn::visit::visit_impl_item(self, item),
        };
        if !attributes.iter().any(is_for_tests) {
            syn::visit::visit_impl_item(self, item);
        }
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        self.depth += 1;
        syn::visit::visit_block(self, block);
        self.depth -= 1;
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        let is_name = match &local.pat {
            syn::Pat::Ident(_) => true,
            syn::Pat::Type(typed) => matches!(*typed.pat, syn::Pat::Ident(_)),
            _ => false,
        };
        let value = local.init.as_ref().map(|init| init.expr.as_ref());
        if is_name && matches!(value, Some(syn::Expr::Closure(_))) {
            self.content.named_closures += 1;
        }
        syn::visit::visit_local(self, local);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        self.content.has_platform_floats |= is_platform_float(&call.method);
        syn::visit::visit_expr_method_call(self, call);
    }

    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {
        // `pub(in crate::module)` says who may look, and uses nothing.
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let mut last_two = path.segments.iter().rev().map(|segment| &segment.ident);
        if let (Some(name), Some(of)) = (last_two.next(), last_two.next()) {
            self.content.has_platform_floats |=
                (of == "f32" || of == "f64") && is_platform_float(name);
        }
        let segments = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.path(path.span(), segments);
        syn::visit::visit_path(self, path);
    }

    /// What stands in a macro call is read as paths as well as it goes: `crate::a::B` in a `format!`.
    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        syn::visit::visit_macro(self, call);
        self.tokens(call.tokens.clone());
    }
}

impl Reader {
    fn define_made(&mut self, tokens: proc_macro2::TokenStream) {
        use proc_macro2::TokenTree;
        let mut is_item = false;
        for token in tokens {
            match token {
                TokenTree::Ident(ident) if is_item => {
                    self.define(&ident);
                    is_item = false;
                }
                TokenTree::Ident(ident) => is_item = ident == "struct" || ident == "enum",
                TokenTree::Group(group) => self.define_made(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => is_item = false,
            }
        }
    }

    fn tokens(&mut self, tokens: proc_macro2::TokenStream) {
        use proc_macro2::TokenTree;
        let mut path: Vec<String> = Vec::new();
        let (mut colons, mut span) = (0, Span::call_site());
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.flush(span, &mut path);
                    }
                    if path.is_empty() {
                        span = ident.span();
                    }
                    path.push(ident.to_string());
                    colons = 0;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                TokenTree::Group(group) => {
                    self.flush(span, &mut path);
                    colons = 0;
                    self.tokens(group.stream());
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {
                    self.flush(span, &mut path);
                    colons = 0;
                }
            }
        }
        self.flush(span, &mut path);
    }

    fn flush(&mut self, span: Span, path: &mut Vec<String>) {
        if !path.is_empty() {
            self.path(span, std::mem::take(path));
        }
    }
}

fn attributes(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Const(item) => &item.attrs,
        syn::Item::Enum(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Macro(item) => &item.attrs,
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Static(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Trait(item) => &item.attrs,
        syn::Item::Type(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// The name of a module that is a file of its own.
fn module_elsewhere(item: &syn::Item) -> Option<String> {
    match item {
        syn::Item::Mod(module) if module.content.is_none() => Some(module.ident.to_string()),
        _ => None,
    }
}

fn is_for_tests(attribute: &syn::Attribute) -> bool {
    let is_cfg = attribute.path().is_ident("cfg");
    attribute.path().is_ident("test")
        || is_cfg && attribute.parse_args::<syn::Ident>().is_ok_and(|name| name == "test")
}

fn rust_files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The test of the test: what it must see, and what it must not.
#[test]
fn paths_are_followed_through_imports_aliases_and_re_exports() {
    let text = |name: &str, text: &str| (File(name.to_owned()), text.to_owned());
    let sources = Sources::of(vec![
        text("lib.rs", "pub mod a; pub mod b;"),
        text(
            "a/mod.rs",
            "mod one; mod two; pub use one::One; #[cfg(test)] mod t { use crate::b::B; }",
        ),
        text("a/one.rs", "use super::two; pub struct One(two::Two); fn f() { let x = 1; }"),
        text("a/two.rs", "use crate::a::One as Other; pub struct Two; fn g(_: &Other) {}"),
        text(
            "b.rs",
            "use crate::a; fn h() { println!(\"{}\", a::One::name()); }
            #[cfg(test)] mod tests { } fn after(_: crate::a::two::Two) {}",
        ),
    ]);
    let edges: Vec<String> = sources.edges.iter().map(Edge::to_string).collect();
    assert_eq!(
        edges,
        [
            "src/a/one.rs:1 uses Two of src/a/two.rs",
            "src/a/two.rs:1 uses One of src/a/one.rs",
            "src/b.rs:1 uses One of src/a/one.rs",
            "src/b.rs:2 uses Two of src/a/two.rs",
        ]
    );
    let circles = sources.circles();
    assert_eq!(circles, [[File("a/one.rs".to_owned()), File("a/two.rs".to_owned())]]);
}

#[test]
fn a_module_is_found_however_it_is_named() {
    let text = |name: &str, text: &str| (File(name.to_owned()), text.to_owned());
    let sources = Sources::of(vec![
        text("lib.rs", "pub mod a; pub mod b;"),
        text(
            "a/mod.rs",
            "mod one; use super::b; fn f(_: b::B) {} fn g(_: pentimento_document::b::B) {}
            fn h(_: self::one::One) {} fn i(_: crate::b::B) {} fn j(_: std::fs::File) {}",
        ),
        text("a/one.rs", "pub struct One; fn f(_: super::super::b::B) {}"),
        text("b.rs", "pub struct B;"),
    ]);
    let named: Vec<(&str, Option<String>)> =
        sources.paths.iter().map(|path| (path.file.0.as_str(), sources.top_named(path))).collect();
    let [a, b] = ["a", "b"].map(|name| Some(name.to_owned()));
    assert_eq!(
        named,
        [
            ("a/mod.rs", b.clone()),
            ("a/mod.rs", b.clone()),
            ("a/mod.rs", a),
            ("a/mod.rs", b.clone()),
            ("a/mod.rs", None),
            ("a/one.rs", b),
        ]
    );
}

#[test]
fn what_is_only_there_for_tests_is_passed_over_and_nothing_else() {
    let text = |name: &str, text: &str| (File(name.to_owned()), text.to_owned());
    let sources = Sources::of(vec![
        text("lib.rs", "mod a; mod b;"),
        text("a/mod.rs", "#[cfg(test)]\nmod tests;\nfn f() { let g = |x: f64| x.sin(); }"),
        text("a/tests.rs", "mod deep;"),
        text("a/tests/deep.rs", "fn f(_: crate::b::B) {}"),
        text("a/tests/forgotten.rs", ""),
        // No test, whatever it is called.
        text(
            "b/mod.rs",
            "pub struct B; mod tests; fn f() { enum E {} } impl T for B { type A = B; }",
        ),
        text("b/tests.rs", "fn f() { let g: fn(f64) -> f64 = |x| f64::cos(x); }"),
    ]);
    let files: Vec<&str> = sources.files.keys().map(|file| file.0.as_str()).collect();
    assert_eq!(files, ["a/mod.rs", "b/mod.rs", "b/tests.rs", "lib.rs"]);
    for name in ["a/mod.rs", "b/tests.rs"] {
        let file = &sources.files[&File(name.to_owned())];
        assert_eq!((file.named_closures, file.has_platform_floats), (1, true), "{name}");
    }
    assert_eq!(sources.files[&File("a/mod.rs".to_owned())].lines_of_tests, 2);
    assert_eq!(sources.files[&File("b/mod.rs".to_owned())].types, [(1, "B".to_owned())]);
    assert_eq!(sources.never_built, [File("a/tests/forgotten.rs".to_owned())]);
}
