//! How sure an answer is: as sure as what was found speaks of what was asked.

use lore_core::Kind;
use lore_engine::entries::NewEntry;
use lore_engine::grounding::{GroundOptions, Grounding};

use crate::stage::Stage;

/// Below this an answer is called low.
const LOW: f64 = 0.4;

/// A small project with code and with decisions that a person wrote down.
fn agency() -> Stage {
    let stage = Stage::with_git();
    stage.repo.write(
        "src/booking.rs",
        "/// A booking can be cancelled without a fee until so many hours before the journey.\n\
         pub const FREE_UNTIL_HOURS: u32 = 24;\n\n\
         /// Cancels a booking and hands the deposit back.\n\
         pub fn cancel_booking(booking: &mut Booking) {}\n",
    );
    stage.repo.write(
        "src/outbox.rs",
        "/// Mails are put into the outbox; a worker sends them every minute.\n\
         pub fn put_into_outbox(mail: Mail) {}\n",
    );
    for (title, text) in [
        ("Bookings are kept in SQLite", "Bookings are kept in SQLite, because one file needs no server."),
        ("Invoices are numbered without gaps", "Invoices are numbered per year and without gaps."),
        (
            "Dates are shown in the traveller's time zone",
            "Dates are shown in the time zone of the traveller.",
        ),
        (
            "Configured values are used as they were sent",
            "What is configured is used as the customer sent it.",
        ),
    ] {
        let new = NewEntry {
            kind: Some(Kind::Decision),
            title: title.to_owned(),
            body: text.to_owned(),
            ..NewEntry::default()
        };
        stage.engine().add(new, false).expect("can be added");
    }
    stage.repo.commit("a small agency");
    stage
}

fn ground(stage: &Stage, question: &str) -> Grounding {
    stage.engine().ground(&GroundOptions::new(question)).expect("can be asked")
}

/// Passages that shared a few common words with the question were given with eight tenths and more.
#[test]
fn nobody_is_sure_of_what_is_known_nowhere() {
    let stage = agency();
    for question in [
        "How does the payment gateway retry failed Stripe webhooks?",
        "Which Kafka topic carries the shipment events?",
        "Where is the GraphQL resolver for user avatars?",
        "Why did we choose Kubernetes operators over Helm charts?",
        "What is the maximum upload size of profile pictures?",
        "Which Redis eviction policy is used for the shopping cart?",
        "How are push notifications sent to iOS devices?",
        "Where do we validate VAT numbers of European customers?",
        "Which OAuth scopes does the calendar integration request?",
        "How is the Bluetooth pairing timeout configured?",
    ] {
        let found = ground(&stage, question);
        assert!(found.confidence < LOW, "{question}: {found:#?}");
    }
}

#[test]
fn what_is_known_is_said_with_confidence() {
    let stage = agency();
    for question in [
        "Until how many hours before the journey can a booking be cancelled without a fee?",
        "Who sends the mails in the outbox?",
        "What does `cancel_booking` do?",
        "What is FREE_UNTIL_HOURS?",
        "Where are mails put into the outbox?",
        "How are invoices numbered?",
        "Are there gaps between the numbers of invoices?",
        "Where are bookings kept?",
        "Why are bookings in SQLite?",
        "In which time zone are dates shown?",
    ] {
        let found = ground(&stage, question);
        assert!(found.confidence >= LOW, "{question}: {found:#?}");
    }
}
