import Foundation
import FreeholdStorage

extension Realm {
    /// Which versions of the file are read at this moment, by whom and since when, and what that costs.
    ///
    /// A file cannot use the space again that changes freed while a version from before them is read: it grows. Live realms that are neither refreshed nor closed, frozen values,
    /// references that nobody resolves and loops that take hours keep versions.
    ///
    /// ```swift
    /// print(try realm.versionReport())
    /// // shop.realm: 2 versions, the newest is 812; 41 MB of 97 MB cannot be used again yet
    /// //   version 640 is read by a frozen value, for 2m 5s, keeping 41 MB, made at Shop/Export.swift:31 on thread 4711 ('export')
    /// //   version 812 is read by a live realm, for 12ms, made at Shop/main.swift:9 on the main thread (4700)
    /// ```
    ///
    /// Reader slots of processes that died are given back first. O(readers + entries of the file's free list).
    ///
    /// Thread rule: any thread.
    ///
    /// - Throws: ``Realm/Error`` if the file cannot be read.
    public func versionReport() throws -> VersionReport { try core.coordinator.versionReport() }
}

extension RealmCoordinator {
    /// See ``Realm/versionReport()``.
    func versionReport() throws(Realm.Error) -> Realm.VersionReport {
        let url = URL(fileURLWithPath: store.path)
        let pinned = try mappingStorageErrors(url) { () throws(StorageError) in try store.environment.pinnedVersions() }
        let process = ProcessInfo.processInfo.processIdentifier
        var pins: [Realm.PinnedVersion] = []
        func add(_ version: UInt64, _ holder: Realm.PinnedVersion.Holder, _ place: ConfinementViolation.Place?, _ age: Duration?, process: Int32) {
            pins.append(Realm.PinnedVersion(
                version: version, holder: holder, processID: process, place: place, age: age, byteCount: pinned.byteCount(keptBy: version)))
        }
        var realms: [(version: UInt64, since: UInt64, confinement: Confinement, site: CreationSite?)] = []
        forEachRealm { reading, confinement, site in
            if let (version, since) = reading.current { realms.append((version, since, confinement, site)) }
        }
        // The names of threads are read from files: not under the lock.
        for realm in realms {
            let isFrozen = realm.confinement.domain == .frozen
            add(realm.version, isFrozen ? .frozen : .realm, realm.site?.place ?? realm.confinement.place, CoarseClock.age(of: realm.since), process: process)
        }
        for hold in holds.all { add(hold.version, hold.holder, hold.site.place, CoarseClock.age(of: hold.site.time), process: process) }
        for observed in notifier.observedVersions { add(observed.version, .observer, observed.confinement.place, nil, process: process) }
        let known = Set(pins.map(\.version))
        for own in pinned.ownVersions where !known.contains(own.version) { add(own.version, .other, nil, own.age, process: process) }
        for pin in pinned.pins where pin.processIdentifier != process { add(pin.version, .process, nil, nil, process: pin.processIdentifier) }
        pins.sort { ($0.version, $1.age ?? .zero) < ($1.version, $0.age ?? .zero) }
        return Realm.VersionReport(
            path: store.path, newestVersion: pinned.newestVersion, activeVersionCount: pinned.activeVersionCount, pins: pins,
            usedByteCount: pinned.usedByteCount)
    }
}

extension RealmCore {
    /// What tells of an iterator that begins.
    func iterationHold() -> VersionHold? {
        if isFrozen { return nil }
        let opening = confinement.opening
        return VersionHold(.iterator, currentSnapshot.version, CreationSite(fileID: opening.fileID, line: opening.line), in: coordinator.holds)
    }
}

extension CreationSite {
    /// The line and the thread, as reports have them.
    var place: ConfinementViolation.Place {
        ConfinementViolation.Place(
            kind: thread.isMain ? .main : .thread, file: fileID.description, line: line, threadID: thread.systemID, threadName: thread.name,
            isMainThread: thread.isMain, queue: nil, actor: nil, executor: nil)
    }
}
