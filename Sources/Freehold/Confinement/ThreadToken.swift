internal import CThread

/// Returns a value that identifies the current thread while it lives; one load from the thread's
/// control block.
///
/// The system reuses the value after the thread has ended. That is harmless for confinement: a
/// thread that has ended cannot race.
@inline(__always)
func currentThreadToken() -> UInt { UInt(freehold_thread_pointer()) }
