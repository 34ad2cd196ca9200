/// What the readers of all processes keep from being reused.
package struct PinnedVersions: Sendable {
    /// One reader slot in use.
    package struct Pin: Sendable {
        /// The process that reads.
        package let processIdentifier: Int32
        /// The version that it reads.
        package let version: UInt64
    }

    /// The slots in use, by all processes, oldest version first.
    package let pins: [Pin]
    /// The newest version of the file.
    package let newestVersion: UInt64
    /// The versions that this process's own views show, and how long the oldest view of each
    /// has lived; oldest version first.
    package let ownVersions: [(version: UInt64, age: Duration)]
    /// The bytes that each commit freed and that nobody has used again, in ascending order.
    let freedBytes: [(version: UInt64, count: Int)]
    /// The bytes of the file up to the last page in use.
    package let usedByteCount: Int

    /// The bytes that cannot be used again while a version is read: what its commit and later
    /// ones freed. O(commits since).
    package func byteCount(keptBy version: UInt64) -> Int {
        freedBytes.reversed().prefix { $0.version >= version }.reduce(0) { $0 + $1.count }
    }

    /// How long the oldest of this process's own views has lived, if it has any.
    package var ownOldestAge: Duration? { ownVersions.map(\.age).max() }
    /// The bytes that later commits freed and that the oldest pin keeps from being reused.
    package var pinnedByteCount: Int { byteCount(keptBy: oldestVersion ?? newestVersion) }
    /// The oldest version that someone reads.
    package var oldestVersion: UInt64? { pins.first?.version }
    /// How many different versions are alive, the newest included.
    package var activeVersionCount: Int { Set(pins.map(\.version) + [newestVersion]).count }
}
