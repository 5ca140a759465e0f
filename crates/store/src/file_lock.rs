//! The operating system's lock on an open file, given back for good.

use std::fs::{File, TryLockError};
use std::io;

use crate::derived::{Derived, DerivedError};

/// A file that nobody else gets until this is dropped or its process ends.
#[derive(Debug)]
pub struct FileLock(File);

impl Drop for FileLock {
    fn drop(&mut self) {
        // Closing is not enough: a process that is just being started still has the file open.
        let _ = self.0.unlock();
    }
}

impl Derived {
    /// Waits until nobody else holds a lock, and takes it.
    pub fn lock(&self, name: &str) -> Result<FileLock, DerivedError> {
        let file = self.lock_file(name)?;
        file.lock().map_err(|source| self.not_locked(name, source))?;
        Ok(FileLock(file))
    }

    /// Takes a lock, or nothing where somebody else holds it.
    pub fn try_lock(&self, name: &str) -> Result<Option<FileLock>, DerivedError> {
        let file = self.lock_file(name)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(FileLock(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(source)) => Err(self.not_locked(name, source)),
        }
    }

    /// Tells whether somebody holds a lock; any number may ask at once without being taken for the holder.
    pub fn is_locked(&self, name: &str) -> Result<bool, DerivedError> {
        let file = self.lock_file(name)?;
        match file.try_lock_shared() {
            Ok(()) => {
                drop(FileLock(file));
                Ok(false)
            }
            Err(TryLockError::WouldBlock) => Ok(true),
            Err(TryLockError::Error(source)) => Err(self.not_locked(name, source)),
        }
    }

    fn not_locked(&self, name: &str, source: io::Error) -> DerivedError {
        DerivedError::Io { doing: "lock", path: self.folder().join(name), source }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_dropped_is_free_though_another_process_has_the_file_open() {
        let temp = tempfile::tempdir().unwrap();
        let derived = Derived::new(temp.path());
        let held = derived.lock("a.lock").unwrap();
        assert!(derived.try_lock("a.lock").unwrap().is_none());
        // What a process has that was started a moment ago: the same open file under another number.
        let inherited = held.0.try_clone().unwrap();
        drop(held);
        assert!(derived.try_lock("a.lock").unwrap().is_some());
        drop(inherited);
    }

    #[test]
    fn whoever_asks_is_not_taken_for_the_holder() {
        let temp = tempfile::tempdir().unwrap();
        let derived = Derived::new(temp.path());
        let held = derived.lock("a.lock").unwrap();
        assert!(derived.is_locked("a.lock").unwrap());
        drop(held);
        let asking = derived.lock_file("a.lock").unwrap();
        asking.try_lock_shared().unwrap();
        assert!(!derived.is_locked("a.lock").unwrap(), "another asks at this moment");
        drop(asking);
        assert!(derived.try_lock("a.lock").unwrap().is_some());
    }
}
