import FreeholdStorage
import Synchronization

/// The version that a realm reads, and since when, for reports on other threads.
final class ReadVersion: Sendable {
    private let version = Atomic<UInt64>(0)
    private let since = Atomic<UInt64>(0)

    /// That of realms that never have one. Never set.
    static let none = ReadVersion()

    /// Sets the version; 0 for none. Called on the realm's thread. The writer thread calls it
    /// for an asynchronous commit while the realm waits for the outcome. Takes a few
    /// nanoseconds.
    func set(_ new: UInt64) {
        if version.load(ordering: .relaxed) == new { return }
        since.store(CoarseClock.now, ordering: .relaxed)
        version.store(new, ordering: .releasing)
    }

    /// The version; nil if none is read. If it is replaced meanwhile, the time may be that of
    /// the next.
    var current: (version: UInt64, since: UInt64)? {
        let read = version.load(ordering: .acquiring)
        return read == 0 ? nil : (read, since.load(ordering: .relaxed))
    }
}

/// The reader pins of one realm, for reports.
struct RealmVersions {
    typealias Version = (version: UInt64, since: UInt64)

    /// The version that it reads.
    let read: Version?
    /// The version that its asynchronous writes are based on.
    let written: Version?
}

/// The source line and thread where something was created.
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

/// The source line of a freeze in progress on a thread. ``ThreadConfined/freeze(fileID:line:)``
/// knows it, and the creation of a frozen realm needs it. The functions between them have
/// Realm's signatures and cannot pass it.
enum FreezingSite {
    private struct Site {
        let fileID: StaticString
        let line: UInt
    }

    private static let slot = ThreadSlot()

    /// Keeps the outermost site: inner ones are in the library.
    static func with<Result>(_ fileID: StaticString, _ line: UInt, _ body: () -> Result) -> Result {
        if slot.value != nil { return body() }
        var site = Site(fileID: fileID, line: line)
        return withUnsafeMutablePointer(to: &site) { site in
            slot.set(site)
            defer { slot.set(nil) }
            return body()
        }
    }

    /// The calling thread's site; nil if the program gave none.
    static var current: CreationSite? {
        guard let site = slot.value?.assumingMemoryBound(to: Site.self).pointee else { return nil }
        return CreationSite(fileID: site.fileID, line: site.line)
    }
}

/// A holder of a version other than a realm: an iterator, a reference, a list controller, a
/// migration. Listed in its file's ``ReaderPins`` while it lives.
final class ReaderPin: Sendable {
    private let pins: ReaderPins
    private let slot: Int

    init(
        _ holder: Realm.PinnedVersion.Holder, _ version: UInt64, _ site: CreationSite,
        in pins: ReaderPins
    ) {
        self.pins = pins
        slot = pins.add(ReaderPins.Entry(holder: holder, version: version, site: site))
    }

    deinit { pins.remove(slot) }
}

/// The holders of a file, each in a slot. Iterations are short and frequent; each costs a lock
/// and a few stores.
///
/// The slots hold values, never a ``ReaderPin``: a reference taken under the monitor could
/// become the last one, and the `deinit` takes the monitor.
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

    /// All current holders. Some may end meanwhile.
    var all: [Entry] { monitor.withLock { slots.compactMap { $0 } } }
}
