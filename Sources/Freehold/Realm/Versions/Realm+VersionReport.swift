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
    /// A pin of this process: a version with a holder.
    struct OwnPin {
        let version: UInt64
        let holder: Realm.PinnedVersion.Holder
        let place: ConfinementViolation.Place
        /// A time of ``CoarseClock``.
        let since: UInt64
    }

    /// See ``Realm/versionReport()``.
    func versionReport() throws(Realm.Error) -> Realm.VersionReport {
        let url = URL(fileURLWithPath: store.path)
        var (pinned, ownPins) = try mappingStorageErrors(lookAtVersions(), fileURL: url)
        // A version that moves between holders has none for some microseconds, or until a thread
        // is scheduled again.
        let begin = CoarseClock.now
        while !Self.unnamed(pinned, ownPins).isEmpty, CoarseClock.age(of: begin) < Self.longestLook
        {
            ThreadHandle.yield()
            (pinned, ownPins) = try mappingStorageErrors(lookAtVersions(), fileURL: url)
        }
        let process = ProcessInfo.processInfo.processIdentifier
        var pins = ownPins.map { pin in
            Realm.PinnedVersion(
                version: pin.version, holder: pin.holder, processID: process,
                place: pin.place, age: CoarseClock.age(of: pin.since),
                byteCount: pinned.byteCount(keptBy: pin.version))
        }
        for own in Self.unnamed(pinned, ownPins) {
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
    private static func unnamed(_ pinned: PinnedVersions, _ ownPins: [OwnPin]) -> [(
        version: UInt64, age: Duration
    )] {
        let named = Set(ownPins.map(\.version))
        return pinned.ownVersions.filter {
            $0.version != pinned.newestVersion && !named.contains($0.version)
        }
    }

    private func lookAtVersions() throws(StorageError) -> (PinnedVersions, [OwnPin]) {
        // First: a holder that ends meanwhile is then in neither list.
        let pinned = try store.environment.pinnedVersions()
        return (pinned, ownPins())
    }

    private func ownPins() -> [OwnPin] {
        var found: [OwnPin] = []
        func add(
            _ version: UInt64, _ holder: Realm.PinnedVersion.Holder,
            _ place: ConfinementViolation.Place, _ since: UInt64
        ) { found.append(OwnPin(version: version, holder: holder, place: place, since: since)) }
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
        for pinned in notifier.pinnedVersions {
            add(pinned.version, pinned.holder, pinned.confinement.place, pinned.since)
        }
        // Observers and list controllers describe a version better than the comparison does.
        let told = Set(
            found.lazy.filter { $0.holder == .observer || $0.holder == .listController }.map(
                \.version))
        return Self.unique(found.filter { $0.holder != .delivery || !told.contains($0.version) })
    }

    private struct PinName: Hashable {
        let version: UInt64
        let holder: Realm.PinnedVersion.Holder
        let place: ConfinementViolation.Place
    }

    /// Keeps only the oldest of observers and changes that differ only in their time. All other
    /// pins stay, because each can be released separately.
    private static func unique(_ pins: [OwnPin]) -> [OwnPin] {
        var kept: [OwnPin] = []
        var positions: [PinName: Int] = [:]
        for pin in pins {
            guard pin.holder == .delivery || pin.holder == .observer else {
                kept.append(pin)
                continue
            }
            let name = PinName(version: pin.version, holder: pin.holder, place: pin.place)
            if let known = positions[name] {
                if pin.since < kept[known].since { kept[known] = pin }
            } else {
                positions[name] = kept.count
                kept.append(pin)
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
