//! Numbers of a session.

/// The number of a run in this session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId(pub u32);

/// The number of a job; never used twice in a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(pub u64);

/// What an item is about, by its place among the project's items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EvidenceKey(pub u32);

impl RunId {
    /// Where the numbers of runs in labelling projects begin: no library holds so many.
    const LABELLED: u32 = 1 << 31;

    /// A run of an item, by the item's place in its project and the run's in the item.
    pub(in crate::workbench) fn of_item(EvidenceKey(item): EvidenceKey, run: u8) -> Self {
        Self(Self::LABELLED | (item << 3) | u32::from(run & 7))
    }

    /// What [`Self::of_item`] was given; `None` of a run of the library.
    pub fn as_of_item(self) -> Option<(EvidenceKey, u8)> {
        let within = self.0 & !Self::LABELLED;
        (self.0 >= Self::LABELLED).then_some((EvidenceKey(within >> 3), (within & 7) as u8))
    }
}
