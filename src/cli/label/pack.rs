//! `label pack`: what one person labels, in a file that opens anywhere and names nobody.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::ensure;
use clap::Args;

use super::exchange::open;
use super::packet_page::page;
use crate::cli::environments::environments;
use crate::cli::output::{note, print, write_atomic};
use crate::cli::progress::SharedProgress;
use crate::evaluate::ItemPictures;
use crate::label::{
    Form, Item, ItemKind, MarkdownPart, PackedItem, Qualification, WriterId, assigned,
    markdown_parts, pack, qualification,
};
use crate::store::labels::{EvidenceSlot, LabelFile, PacketPictures};
use crate::task::TaskFinder;

/// What is packed.
#[derive(Args, Debug)]
pub(super) struct PackArguments {
    /// The project.
    project: PathBuf,
    /// For whom.
    #[arg(long = "for", value_name = "NAME")]
    person: String,
    /// The packet's file; nothing may be there yet. Else beside the project, as PROJECT-for-NAME.labels.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// As one page that any browser runs without a network, in place of a file for the program.
    #[arg(long)]
    html: bool,
}

/// Writes the packet. Which items are in it is kept in the project's file alone.
pub(super) fn pack_project(arguments: &PackArguments) -> anyhow::Result<()> {
    let file = open(&arguments.project)?;
    let (project, forms, items) = (file.project(), file.forms()?, file.items()?);
    let person = arguments.person.trim();
    ensure!(!person.is_empty(), "the person has a name");
    ensure!(project.packet.is_none(), "that is a packet itself: only who leads the project packs");
    ensure!(
        project.people.is_empty() || project.people.iter().any(|known| known == person),
        "nobody called {person:?} labels in this project; there are {}",
        project.people.join(", ")
    );
    let out = arguments.out.clone().unwrap_or_else(|| {
        let extension = if arguments.html { "html" } else { "labels" };
        beside(&arguments.project, person).with_extension(extension)
    });
    ensure!(!out.exists(), "a file is there already: {}", out.display());

    let labels_per_item = project.queue.labels_per_item;
    let mut mine = assigned(&project.id, (&project.people, person), &items, labels_per_item);
    let ledger = file.ledger()?;
    ensure!(!ledger.has_withdrawn(person), "{person} has withdrawn: nothing more is asked of them");
    leave_out(&mut mine, &items, qualification(project, &forms, &items, &ledger, person), person)?;
    let home = arguments.project.parent().unwrap_or_else(|| Path::new(""));
    let mut tasks = TaskFinder::default();
    for set in &project.task_sets {
        if let Err(error) = tasks.search(&home.join(set)) {
            note(&format!("warning: {error}"));
        }
    }
    let open_environment = environments().opener();
    let progress = SharedProgress::start(mine.iter().filter(|mine| **mine).count(), "items");
    let mut drawn: Vec<Option<ItemPictures>> = Vec::with_capacity(items.len());
    let mut left_out = 0;
    for (item, mine) in items.iter().zip(&mut mine) {
        // A place for every item, so that the two lists stay in step.
        if !*mine {
            drawn.push(None);
            continue;
        }
        let pictures = ItemPictures::of(item, home, &mut tasks, &open_environment)
            .and_then(|drawn| drawn.with_candidates(item, &file));
        progress.done(&item.id.0);
        drawn.push(match pictures {
            Ok(pictures) => Some(pictures),
            Err(error) => {
                note(&format!("warning: {} is left out: {error}", item.id.0));
                (*mine, left_out) = (false, left_out + 1);
                None
            }
        });
    }
    ensure!(mine.contains(&true), "there is no item for {person} that could be packed");

    let mut random = Random::new()?;
    let (mut packet, packed) = pack(project, &items, (person, &mine), || random.id());
    // What was agreed to and said of oneself is not asked again.
    if ledger.has_consented(person, &packet.study.consent) {
        packet.study.consent.clear();
    }
    if ledger.survey(project, person).is_some() {
        packet.study.pre_survey = None;
    }
    // Who has passed is decided in the project, where the answers come back.
    packet.study.pass_mark = None;
    let survey = file.pre_survey()?.filter(|_| packet.study.pre_survey.is_some());
    let mut pictures = PacketPictures::default();
    let texts = [&packet.study.consent, &packet.study.examples];
    let named: BTreeSet<&str> = texts.iter().flat_map(|text| pictures_in(text)).collect();
    pictures.study = file.study_pictures()?;
    // A picture that only the texts left out here would show is left out as well.
    pictures.study.retain(|hash, _| named.contains(hash.as_str()));
    let mut packed_items: Vec<Item> = Vec::with_capacity(packed.len());
    let mut kept: Vec<PackedItem> = Vec::with_capacity(packed.len());
    for (item, known) in packed {
        let of = items.iter().position(|it| it.id == known.item);
        let drawn = of.and_then(|at| drawn.get_mut(at)).and_then(Option::take).unwrap_or_default();
        packed_items.push(put(&mut pictures, item, (&known, drawn), &mut random));
        kept.push(known);
    }
    // First, so that no packet is about that could not come back.
    file.keep_packed(&packet.id, &kept)?;
    if let Some(of) = packet.packet.as_ref().filter(|_| arguments.html) {
        let stem = out.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let stem = stem.unwrap_or_default();
        let asked = (forms.as_slice(), survey.as_ref());
        let page = page((&packet, of), asked, &packed_items, &pictures, &stem)?;
        write_atomic(&out, page.as_bytes())?;
    } else {
        let writer = WriterId(getrandom::u64()?);
        let asked: Vec<Form> = forms.iter().chain(&survey).cloned().collect();
        LabelFile::create_packet(&out, &packet, (&asked, &packed_items), &pictures, writer)?;
    }
    let count = packed_items.len();
    let bytes = std::fs::metadata(&out).map_or(0, |it| it.len());
    let left_out = if left_out > 0 { format!(", {left_out} left out") } else { String::new() };
    Ok(print(&format!(
        "{count} items for {person}{left_out}, {:.1} MB: {}",
        bytes as f64 / 1e6,
        out.display()
    ))?)
}

/// Leaves out what the person has not come to, or is past, by how they did in the qualification.
fn leave_out(
    mine: &mut [bool],
    items: &[Item],
    qualified: Qualification,
    person: &str,
) -> anyhow::Result<()> {
    match qualified {
        Qualification::NotAsked => {}
        Qualification::Open => note(&format!(
            "practice and qualification alone are packed: merge the answers, and pack again once {person} has \
             passed"
        )),
        Qualification::Failed(share) => anyhow::bail!(
            "{person} failed the qualification ({} of {}): let-on lets them label",
            share.hits,
            share.of
        ),
        Qualification::Passed(_) | Qualification::LetOn(_) => {
            note(&format!("{person} has come past practice and qualification, which are left out"));
        }
    }
    for (mine, item) in mine.iter_mut().zip(items) {
        // Only ever fewer: what is not assigned stays out whatever the qualification says.
        *mine &= match qualified {
            Qualification::NotAsked => true,
            // Until the qualification is passed only what comes first, and after it only all else.
            _ => qualified.lets_label() != item.role.comes_first(),
        };
    }
    Ok(())
}

/// The pictures that a text shows, by their hash.
fn pictures_in(text: &str) -> impl Iterator<Item = &str> {
    markdown_parts(text).into_iter().filter_map(|part| match part {
        MarkdownPart::Picture { target, .. } => Some(target),
        MarkdownPart::Words(_) => None,
    })
}

/// Puts an item's pictures among those of the packet, as the packet has its runs.
fn put(
    all: &mut PacketPictures,
    item: Item,
    (known, drawn): (&PackedItem, ItemPictures),
    random: &mut Random,
) -> Item {
    let ids: Vec<i64> = drawn.encoded.iter().map(|_| random.number()).collect();
    let is_of_steps = matches!(item.kind, ItemKind::Run | ItemKind::Step);
    let truth = drawn.truth.map(|place| (EvidenceSlot::Truth, place));
    let steps = drawn.steps.iter().map(|((run, step), place)| {
        let run = if known.is_swapped && *run < 2 { 1 - run } else { *run };
        // How many steps it took says something of who took them.
        let step = if is_of_steps { *step } else { 1 };
        (EvidenceSlot::Step { run, step }, *place)
    });
    // In the order they are shown.
    let candidates = (0u8..).zip(&known.candidates).filter_map(|(at, candidate)| {
        let place = drawn.candidates.get(candidate.place as usize)?;
        Some((EvidenceSlot::Candidate(at), *place))
    });
    all.slots.extend(
        truth.into_iter().chain(steps).chain(candidates).map(|(slot, place)| {
            (item.id.clone(), slot, ids.get(place).copied().unwrap_or_default())
        }),
    );
    all.pictures.extend(ids.iter().copied().zip(drawn.encoded));
    Item { text: item.text.clone().or(drawn.instruction), ..item }
}

/// Beside the project's file.
fn beside(project: &Path, person: &str) -> PathBuf {
    let stem = project.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
    // A name may hold anything.
    let named: String = person.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    project.with_file_name(format!("{stem}-for-{named}.labels"))
}

/// Numbers that nobody can guess, by a key that is drawn once and forgotten.
struct Random {
    key: [u8; 32],
    drawn: u64,
}

impl Random {
    fn new() -> anyhow::Result<Self> {
        let mut key = [0; 32];
        getrandom::fill(&mut key)?;
        Ok(Self { key, drawn: 0 })
    }

    fn bytes(&mut self) -> [u8; 32] {
        self.drawn += 1;
        *blake3::keyed_hash(&self.key, &self.drawn.to_le_bytes()).as_bytes()
    }

    fn id(&mut self) -> String {
        blake3::Hash::from(self.bytes()).to_hex()[..16].to_owned()
    }

    fn number(&mut self) -> i64 {
        let mut number = [0; 8];
        number.copy_from_slice(&self.bytes()[..8]);
        // Positive, and 2⁶² of them.
        (i64::from_le_bytes(number) & (i64::MAX >> 1)) + 1
    }
}
