/// The versions that the readers of all processes keep, and the pages that these versions block
/// from reuse.
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
    /// The versions shown by this process's own views, and the age of the oldest view of each;
    /// oldest version first.
    package let ownVersions: [(version: UInt64, age: Duration)]
    /// The bytes that each commit freed and no later one has reused, in ascending order of
    /// versions.
    let freedBytes: [(version: UInt64, count: Int)]
    /// The bytes of the file up to the last page in use.
    package let usedByteCount: Int

    /// The bytes that cannot be reused while a version is read: those freed by its commit and
    /// later ones. O(commits since).
    package func byteCount(keptBy version: UInt64) -> Int {
        freedBytes.reversed().prefix { $0.version >= version }.reduce(0) { $0 + $1.count }
    }

    /// The age of the oldest of this process's own views; nil without views.
    package var ownOldestAge: Duration? { ownVersions.map(\.age).max() }
    /// The bytes freed by later commits that the oldest pin keeps from being reused.
    package var pinnedByteCount: Int { byteCount(keptBy: oldestVersion ?? newestVersion) }
    /// The oldest version that is being read.
    package var oldestVersion: UInt64? { pins.first?.version }
    /// The number of different versions in use, including the newest.
    package var activeVersionCount: Int { Set(pins.map(\.version) + [newestVersion]).count }
}
