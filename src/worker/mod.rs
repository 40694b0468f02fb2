//! Background work: named threads over bounded queues.
