internal import CLMDB
internal import Glibc

/// The kernel's events about changes of files (`inotify`), and a bell that wakes the thread
/// waiting for them.
final class FileEvents: Sendable {
    /// The events of one wait.
    struct Heard {
        var descriptors: Set<Int32> = []
        /// Whether the kernel dropped events: any file may have changed.
        var isIncomplete = false

        /// - Parameter descriptor: A file's watch; nil if the kernel does not report the file.
        func mayConcern(_ descriptor: Int32?) -> Bool {
            guard let descriptor else { return false }
            return isIncomplete || descriptors.contains(descriptor)
        }
    }

    /// -1 if inotify is unavailable; then no event ever arrives.
    private let inotify: Int32
    private let bell: Int32

    /// - Parameter hearsFiles: False to use only ``ring()``.
    init(hearsFiles: Bool) {
        inotify = hearsFiles ? inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)) : -1
        bell = freehold_event_descriptor()
    }

    /// Closes the descriptors. Call it once, after the last use.
    func close() {
        if inotify >= 0 { Glibc.close(inotify) }
        if bell >= 0 { Glibc.close(bell) }
    }

    /// Watches an open file. Returns the watch; nil if inotify cannot watch the file.
    func watch(_ file: Int32, path: String) -> Int32? {
        guard inotify >= 0 else { return nil }
        // Watches the open file, even if its name refers to another file meanwhile.
        var descriptor = inotify_add_watch(
            inotify, "/proc/self/fd/\(file)", UInt32(IN_MODIFY))
        if descriptor < 0 {
            descriptor = inotify_add_watch(inotify, path, UInt32(IN_MODIFY))
        }
        return descriptor < 0 ? nil : descriptor
    }

    func unwatch(_ descriptor: Int32) { inotify_rm_watch(inotify, descriptor) }

    /// Wakes the waiting thread.
    func ring() {
        var one: UInt64 = 1
        _ = write(bell, &one, 8)
    }

    /// Waits for events, for ``ring()`` or until a time, and takes the events.
    func wait(until deadline: ContinuousClock.Instant) -> Heard {
        let left = (deadline - .now).components
        let milliseconds = max(
            0, left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000 + 1)
        // `poll` ignores negative descriptors.
        var polled = [
            pollfd(fd: inotify, events: Int16(POLLIN), revents: 0),
            pollfd(fd: bell, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&polled, 2, Int32(min(milliseconds, 60_000))) > 0 else { return Heard() }
        return polled[0].revents == 0 ? Heard() : takeEvents()
    }

    private func takeEvents() -> Heard {
        var heard = Heard()
        withUnsafeTemporaryAllocation(byteCount: 16 * 1024, alignment: 8) { buffer in
            while true {
                let count = read(inotify, buffer.baseAddress, buffer.count)
                guard count > 0 else { return }
                var offset = 0
                while offset + 16 <= count {
                    // wd (4), mask (4), cookie (4), length of the name that follows (4)
                    let mask = buffer.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
                    heard.descriptors.insert(
                        buffer.loadUnaligned(fromByteOffset: offset, as: Int32.self))
                    if mask & UInt32(IN_Q_OVERFLOW) != 0 { heard.isIncomplete = true }
                    offset +=
                        16 + Int(buffer.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
                }
            }
        }
        return heard
    }
}
