//! Finds the right entry and says why; derived and disposable.
