//! An editor that is asked for real, and what was said between the two.

use std::cell::RefCell;

use lore_core::Packet;
use lore_engine::curator::{Errand, Model, ModelError, ModelReply, ModelRequest};

use super::book::Told;

/// Passes everything on and takes note.
pub(super) struct Overheard<'a> {
    model: &'a dyn Model,
    pub(super) told: RefCell<Told>,
    /// The packets that were answered since somebody last looked, with their answers.
    pub(super) asked: RefCell<Vec<(Packet, String)>>,
}

impl<'a> Overheard<'a> {
    pub(super) fn new(model: &'a dyn Model) -> Overheard<'a> {
        Overheard { model, told: RefCell::default(), asked: RefCell::default() }
    }
}

impl Model for Overheard<'_> {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn ask(&self, request: &ModelRequest<'_>) -> Result<ModelReply, ModelError> {
        let answer = self.model.ask(request);
        let mut told = self.told.borrow_mut();
        let came = usize::from(answer.is_ok());
        match request.errand {
            Errand::Edits => {
                told.packets += 1;
                told.answered += came;
                told.missing += 1 - came;
            }
            Errand::Look => told.looks += 1,
            Errand::Repair => {
                told.repairs += 1;
                told.repaired += came;
            }
            Errand::Again | Errand::Lessons => {}
        }
        if let (Errand::Edits, Ok(reply)) = (request.errand, &answer) {
            self.asked.borrow_mut().push((request.packet.clone(), reply.text.clone()));
        }
        answer
    }
}
