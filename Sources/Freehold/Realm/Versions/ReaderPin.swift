import FreeholdStorage
import Synchronization

/// The version that a realm reads, and since when, for reports that are made on other threads.
final class ReadVersion: Sendable {
    private let version = Atomic<UInt64>(0)
    private let since = Atomic<UInt64>(0)

    /// 0 for none. On the realm's thread; of what an asynchronous commit wrote, on the writer
    /// thread, as long as the realm waits for it. A few nanoseconds.
    func set(_ new: UInt64) {
        if version.load(ordering: .relaxed) == new { return }
        since.store(CoarseClock.now, ordering: .relaxed)
        version.store(new, ordering: .releasing)
    }

    /// Nil while none is read. A version that is replaced meanwhile may come with the time of
    /// the next.
    var current: (version: UInt64, since: UInt64)? {
        let read = version.load(ordering: .acquiring)
        return read == 0 ? nil : (read, since.load(ordering: .relaxed))
    }
}

/// What one realm keeps, for reports.
struct RealmVersions {
    typealias Version = (version: UInt64, since: UInt64)

    /// The version that it reads.
    let read: Version?
    /// The one that its asynchronous writes stand on.
    let written: Version?
}

/// A line of source that made something, and the thread.
struct CreationSite: Sendable {
    let fileID: StaticString
    let line: UInt
    let thread: ThreadIdentity
    let time: UInt64

    init(fileID: StaticString, line: UInt) {
        self.fileID = fileID
        self.line = line
        thread = .current
        time = CoarseClock.now
    }
}

/// The line that is freezing something on a thread: known to
/// ``ThreadConfined/freeze(fileID:line:)``, wanted where a frozen realm has to be made, and all
/// between have Realm's signatures.
enum FreezingSite {
    private struct Site {
        let fileID: StaticString
        let line: UInt
    }

    private static let slot = ThreadSlot()

    /// The outermost site counts: within it are the library's own.
    static func with<Result>(_ fileID: StaticString, _ line: UInt, _ body: () -> Result) -> Result {
        if slot.value != nil { return body() }
        var site = Site(fileID: fileID, line: line)
        return withUnsafeMutablePointer(to: &site) { site in
            slot.set(site)
            defer { slot.set(nil) }
            return body()
        }
    }

    /// The calling thread's; nil where the program did not say.
    static var current: CreationSite? {
        guard let site = slot.value?.assumingMemoryBound(to: Site.self).pointee
        else { return nil }
        return CreationSite(fileID: site.fileID, line: site.line)
    }
}

/// A holder of a version other than a realm: an iterator, a reference, a list controller, a
/// migration. It is in its file's ``ReaderPins`` as long as it lives.
final class ReaderPin: Sendable {
    private let holds: ReaderPins
    private let slot: Int

    init(
        _ holder: Realm.PinnedVersion.Holder, _ version: UInt64, _ site: CreationSite,
        in holds: ReaderPins
    ) {
        self.holds = holds
        slot = holds.add(ReaderPins.Entry(holder: holder, version: version, site: site))
    }

    deinit { holds.remove(slot) }
}

/// Those of a file, each in a slot: iterations are short and many, and a lock with a few stores
/// is all that one pays.
///
/// The slots hold values and never a ``ReaderPin``: a reference that was taken under the
/// monitor could be the last one by the time when it goes, and the `deinit` takes the monitor.
final class ReaderPins: @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`.

    /// One holder.
    struct Entry {
        let holder: Realm.PinnedVersion.Holder
        let version: UInt64
        let site: CreationSite
    }

    private let monitor = Monitor()
    private var slots: [Entry?] = []
    private var free: [Int] = []

    fileprivate func add(_ entry: Entry) -> Int {
        monitor.lock()
        defer { monitor.unlock() }
        guard let slot = free.popLast() else {
            slots.append(entry)
            return slots.count - 1
        }
        slots[slot] = entry
        return slot
    }

    fileprivate func remove(_ slot: Int) {
        monitor.lock()
        slots[slot] = nil
        free.append(slot)
        monitor.unlock()
    }

    /// What each one is. Some may end meanwhile.
    var all: [Entry] { monitor.withLock { slots.compactMap { $0 } } }
}
