import Foundation
import FreeholdStorage

extension Realm {
    /// Returns which versions of the file are being read, by which holders, since when, and how
    /// many bytes they keep.
    ///
    /// While a version is read, the file cannot reuse space that later changes freed, so it
    /// grows. Live realms that are neither refreshed nor closed, frozen values, unresolved
    /// references and loops that take hours keep versions.
    ///
    /// ```swift
    /// print(try realm.versionReport())
    /// // shop.realm: 2 versions, the newest is 812; 41 MB of 97 MB cannot be used again yet
    /// //   version 640 is read by a frozen value, for 2m 5s, keeping 41 MB,
    /// //     made at Shop/Export.swift:31 on thread 4711 ('export')
    /// //   version 812 is read by a live realm, for 12ms,
    /// //     opened at Shop/main.swift:9 on the main thread (4700)
    /// ```
    ///
    /// Each holder is listed with a place, including observers and pending changes.
    ///
    /// First frees the reader slots of dead processes. O(readers + entries of the file's free
    /// list).
    ///
    /// Thread rule: any thread.
    ///
    /// - Throws: ``Realm/Error`` if the file cannot be read.
    public func versionReport() throws -> VersionReport { try core.coordinator.versionReport() }
}

extension RealmCoordinator {
    /// A holder of a version in this process.
    struct Holding {
        let version: UInt64
        let holder: Realm.PinnedVersion.Holder
        let place: ConfinementViolation.Place
        /// A time of ``CoarseClock``.
        let since: UInt64
    }

    /// See ``Realm/versionReport()``.
    func versionReport() throws(Realm.Error) -> Realm.VersionReport {
        let url = URL(fileURLWithPath: store.path)
        var (pinned, holdings) = try mappingStorageErrors(lookAtVersions(), fileURL: url)
        // A version that moves between holders has none for some microseconds, or until a thread
        // is scheduled again.
        let begin = CoarseClock.now
        while !Self.unnamed(pinned, holdings).isEmpty, CoarseClock.age(of: begin) < Self.longestLook
        {
            ThreadHandle.yield()
            (pinned, holdings) = try mappingStorageErrors(lookAtVersions(), fileURL: url)
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
                    place: nil, age: nil, byteCount: pinned.byteCount(keptBy: pin.version)))
        }
        pins.sort { ($0.version, $1.age ?? .zero) < ($1.version, $0.age ?? .zero) }
        return Realm.VersionReport(
            path: store.path, newestVersion: pinned.newestVersion,
            activeVersionCount: pinned.activeVersionCount, pins: pins,
            usedByteCount: pinned.usedByteCount)
    }

    /// How long a report waits for versions to reach their next holders.
    private static let longestLook = Duration.milliseconds(100)

    /// Versions of this process without a known holder. Excludes the newest, which this report
    /// reads, too.
    private static func unnamed(_ pinned: PinnedVersions, _ holdings: [Holding]) -> [(
        version: UInt64, age: Duration
    )] {
        let named = Set(holdings.map(\.version))
        return pinned.ownVersions.filter {
            $0.version != pinned.newestVersion && !named.contains($0.version)
        }
    }

    private func lookAtVersions() throws(StorageError) -> (PinnedVersions, [Holding]) {
        // First: a holder that ends meanwhile is then in neither list.
        let pinned = try store.environment.pinnedVersions()
        return (pinned, holdings())
    }

    private func holdings() -> [Holding] {
        var found: [Holding] = []
        func add(
            _ version: UInt64, _ holder: Realm.PinnedVersion.Holder,
            _ place: ConfinementViolation.Place, _ since: UInt64
        ) { found.append(Holding(version: version, holder: holder, place: place, since: since)) }
        // Outside the lock, because thread names are read from files.
        for realm in reportedRealms {
            let isFrozen = realm.confinement.domain == .frozen
            let place = realm.site?.place ?? realm.confinement.place
            if let (version, since) = realm.versions.read {
                // Without a site, the library made it to compute changes.
                add(
                    version, !isFrozen ? .realm : realm.site == nil ? .delivery : .frozen, place,
                    since)
            }
            if let (version, since) = realm.versions.written { add(version, .write, place, since) }
        }
        for pin in pins.all { add(pin.version, pin.holder, pin.site.place, pin.site.time) }
        for held in notifier.heldVersions {
            add(held.version, held.holder, held.confinement.place, held.since)
        }
        // Observers and list controllers describe a version better than the comparison does.
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

    /// Keeps only the oldest of observers and changes that differ only in their time. All other
    /// holdings stay, because each can be released separately.
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
    /// A report entry for an iterator that begins.
    func iterationPin() -> ReaderPin? { isFrozen ? nil : pin(.iterator, currentSnapshot.version) }

    /// A report entry for a holder of a version in this realm.
    func pin(_ holder: Realm.PinnedVersion.Holder, _ version: UInt64) -> ReaderPin {
        let opening = confinement.opening
        return ReaderPin(
            holder, version, CreationSite(fileID: opening.fileID, line: opening.line),
            in: coordinator.pins)
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
