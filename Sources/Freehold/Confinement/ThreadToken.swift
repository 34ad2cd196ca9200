internal import CThread

/// Identifies the current thread while it lives; one load from the thread's control block.
///
/// The system reuses the value after the thread ended. That is harmless for confinement: a dead
/// thread races with nobody.
@inline(__always)
func currentThreadToken() -> UInt { UInt(freehold_thread_pointer()) }
