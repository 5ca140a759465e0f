//! Cancelling a booking.

use crate::booking::Booking;
use crate::payment::refund_deposit;

/// Hours before the start until which a cancellation is free.
pub const FREE_UNTIL_HOURS: i64 = 24;

/// Cancels a booking and refunds its deposit where the cancellation is free.
pub fn cancel(booking: &Booking, hours_left: i64) {
    if hours_left >= FREE_UNTIL_HOURS {
        refund_deposit(booking);
    }
}
