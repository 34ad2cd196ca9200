import Foundation
import FreeholdStorage

extension Realm {
    /// Which versions of the file are read at this moment, by whom and since when, and what
    /// that costs.
    ///
    /// A file cannot use the space again that changes freed while a version from before them is
    /// read: it grows. Live realms that are neither refreshed nor closed, frozen values,
    /// references that nobody resolves and loops that take hours keep versions.
    ///
    /// ```swift
    /// print(try realm.versionReport())
    /// // shop.realm: 2 versions, the newest is 812; 41 MB of 97 MB cannot be used again yet
    /// //   version 640 is read by a frozen value, for 2m 5s, keeping 41 MB, made at Shop/Export.swift:31 on thread 4711 ('export')
    /// //   version 812 is read by a live realm, for 12ms, opened at Shop/main.swift:9 on the main thread (4700)
    /// ```
    ///
    /// Whoever keeps a version is named with a place, what observers and their changes keep
    /// included.
    ///
    /// Reader slots of processes that died are given back first. O(readers + entries of the
    /// file's free list).
    ///
    /// Thread rule: any thread.
    ///
    /// - Throws: ``Realm/Error`` if the file cannot be read.
    public func versionReport() throws -> VersionReport { try core.coordinator.versionReport() }
}

extension RealmCoordinator {
    /// Who keeps a version, in this process.
    struct Holding {
        let version: UInt64
        let holder: Realm.PinnedVersion.Holder
        let place: ConfinementViolation.Place
        /// In terms of ``CoarseClock``.
        let since: UInt64
    }

    /// See ``Realm/versionReport()``.
    func versionReport() throws(Realm.Error) -> Realm.VersionReport {
        let url = URL(fileURLWithPath: store.path)
        var (pinned, holdings) = try mappingStorageErrors(url) { () throws(StorageError) in
            try lookAtVersions()
        }
        // A version that goes from one holder to the next has none for some microseconds, or
        // until a thread gets a processor again.
        let begin = CoarseClock.now
        while !Self.unnamed(pinned, holdings).isEmpty, CoarseClock.age(of: begin) < Self.longestLook
        {
            ThreadHandle.yield()
            (pinned, holdings) = try mappingStorageErrors(url) { () throws(StorageError) in
                try lookAtVersions()
            }
        }
        let process = ProcessInfo.processInfo.processIdentifier
        var pins = holdings.map { holding in
            Realm.PinnedVersion(
                version: holding.version, holder: holding.holder, processID: process,
                place: holding.place, age: CoarseClock.age(of: holding.since),
                byteCount: pinned.byteCount(keptBy: holding.version))
        }
        for own in Self.unnamed(pinned, holdings) {
            pins.append(
                Realm.PinnedVersion(
                    version: own.version, holder: .write, processID: process, place: nil,
                    age: own.age, byteCount: pinned.byteCount(keptBy: own.version)))
        }
        for pin in pinned.pins where pin.processIdentifier != process {
            pins.append(
                Realm.PinnedVersion(
                    version: pin.version, holder: .process, processID: pin.processIdentifier,
                    place: nil, age: nil,
                    byteCount: pinned.byteCount(keptBy: pin.version)))
        }
        pins.sort { ($0.version, $1.age ?? .zero) < ($1.version, $0.age ?? .zero) }
        return Realm.VersionReport(
            path: store.path, newestVersion: pinned.newestVersion,
            activeVersionCount: pinned.activeVersionCount, pins: pins,
            usedByteCount: pinned.usedByteCount)
    }

    /// How long a report waits for versions to come to their next holders.
    private static let longestLook = Duration.milliseconds(100)

    /// Versions of this process that nobody is known to keep. Not the newest: this report reads
    /// it, too.
    private static func unnamed(_ pinned: PinnedVersions, _ holdings: [Holding]) -> [(
        version: UInt64, age: Duration
    )] {
        let named = Set(holdings.map(\.version))
        return pinned.ownVersions.filter {
            $0.version != pinned.newestVersion && !named.contains($0.version)
        }
    }

    private func lookAtVersions() throws(StorageError) -> (PinnedVersions, [Holding]) {
        // First: who lets go meanwhile is in neither.
        let pinned = try store.environment.pinnedVersions()
        return (pinned, holdings())
    }

    private func holdings() -> [Holding] {
        var found: [Holding] = []
        func add(
            _ version: UInt64, _ holder: Realm.PinnedVersion.Holder,
            _ place: ConfinementViolation.Place, _ since: UInt64
        ) {
            found.append(Holding(version: version, holder: holder, place: place, since: since))
        }
        // The names of threads are read from files: not under the lock.
        for realm in reportedRealms {
            let isFrozen = realm.confinement.domain == .frozen
            let place = realm.site?.place ?? realm.confinement.place
            if let (version, since) = realm.versions.read {
                // Without a site, the library made it: what changes are computed from.
                add(
                    version, !isFrozen ? .realm : realm.site == nil ? .delivery : .frozen, place,
                    since)
            }
            if let (version, since) = realm.versions.written { add(version, .write, place, since) }
        }
        for hold in holds.all { add(hold.version, hold.holder, hold.site.place, hold.site.time) }
        for held in notifier.heldVersions {
            add(held.version, held.holder, held.confinement.place, held.since)
        }
        // What else names the version says more than that it is being compared.
        let told = Set(
            found.lazy.filter { $0.holder == .observer || $0.holder == .listController }.map(
                \.version))
        return Self.unique(found.filter { $0.holder != .delivery || !told.contains($0.version) })
    }

    private struct HoldingName: Hashable {
        let version: UInt64
        let holder: Realm.PinnedVersion.Holder
        let place: ConfinementViolation.Place
    }

    /// Of observers and changes that differ in nothing but their time, the oldest. Of all
    /// others each is one that can be let go of.
    private static func unique(_ holdings: [Holding]) -> [Holding] {
        var kept: [Holding] = []
        var positions: [HoldingName: Int] = [:]
        for holding in holdings {
            guard holding.holder == .delivery || holding.holder == .observer else {
                kept.append(holding)
                continue
            }
            let name = HoldingName(
                version: holding.version, holder: holding.holder, place: holding.place)
            if let known = positions[name] {
                if holding.since < kept[known].since { kept[known] = holding }
            } else {
                positions[name] = kept.count
                kept.append(holding)
            }
        }
        return kept
    }
}

extension RealmCore {
    /// What tells of an iterator that begins.
    func iterationPin() -> ReaderPin? {
        isFrozen ? nil : hold(.iterator, currentSnapshot.version)
    }

    /// What tells of something of this realm's that keeps a version.
    func hold(_ holder: Realm.PinnedVersion.Holder, _ version: UInt64) -> ReaderPin {
        let opening = confinement.opening
        return ReaderPin(
            holder, version, CreationSite(fileID: opening.fileID, line: opening.line),
            in: coordinator.holds)
    }
}

extension CreationSite {
    /// The line and the thread, as reports have them.
    var place: ConfinementViolation.Place {
        ConfinementViolation.Place(
            kind: thread.isMain ? .main : .thread, file: fileID.description, line: line,
            threadID: thread.systemID, threadName: thread.name,
            isMainThread: thread.isMain, queue: nil, actor: nil, actorAddress: nil, executor: nil)
    }
}
