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
    /// How long the oldest of this process's own views has lived, if it has any.
    package let ownOldestAge: Duration?
    /// The bytes that later commits freed and that the oldest pin keeps from being reused.
    package let pinnedByteCount: Int

    /// The oldest version that someone reads.
    package var oldestVersion: UInt64? { pins.first?.version }
    /// How many different versions are alive, the newest included.
    package var activeVersionCount: Int { Set(pins.map(\.version) + [newestVersion]).count }
}
