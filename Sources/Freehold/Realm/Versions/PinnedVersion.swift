import Foundation

extension Realm {
    /// A holder of a version, which keeps it in the file.
    public struct PinnedVersion: Sendable, Hashable, Codable {
        /// The kinds of holders.
        public enum Holder: String, Sendable, Codable, CaseIterable {
            /// A live realm, which has not moved to a newer version.
            case realm
            /// A frozen realm, object or collection, or a ``Frozen`` one.
            case frozen
            /// A ``ThreadSafeReference`` that was not resolved.
            case reference
            /// An iterator of a collection.
            case iterator
            /// What observes, and was told of this version last.
            case observer
            /// Changes on their way to what observes in a live realm, and what they were made
            /// of. They wait for the realm's thread, queue or actor.
            case delivery
            /// What a ``ListController`` shows.
            case listController
            /// A write transaction, an opening or a migration that is under way.
            case write
            /// Another process.
            case process
        }

        /// The version that is read.
        public let version: UInt64
        /// What kind of holder it is.
        public let holder: Holder
        /// The process that the holder is in.
        public let processID: Int32
        /// The line of source, the thread and the queue. Of frozen values, references and list
        /// controllers: where they were made. Of everything else: where the realm was opened
        /// that it belongs to; of an iterator, with the thread of the iteration. Nil of other
        /// processes, and of a version that is on its way from one holder to the next.
        public let place: ConfinementViolation.Place?
        /// How long it has read the version; nil of other processes.
        public let age: Duration?
        /// The bytes that were freed in the file since, which cannot be used again before this
        /// version is let go (and each older one).
        public let byteCount: Int
    }

    /// The versions of a file that are held, with their holders. See ``Realm/versionReport()``.
    public struct VersionReport: Sendable, Codable {
        /// The path of the file.
        public let path: String
        /// The newest version.
        public let newestVersion: UInt64
        /// How many different versions are read, the newest included.
        public let activeVersionCount: Int
        /// All holders, oldest version first.
        public let pins: [PinnedVersion]
        /// The bytes of the file up to the last page in use.
        public let usedByteCount: Int
        /// The bytes that the oldest version keeps from being used again.
        public var pinnedByteCount: Int { pins.first?.byteCount ?? 0 }
    }
}

extension Realm.PinnedVersion: CustomStringConvertible {
    /// One line: the version, the holder, its age, what it keeps, and its place.
    public var description: String {
        var parts = ["version \(version) is read by \(holder.phrase)"]
        if holder == .process { parts[0] += " \(processID)" }
        if let age {
            parts.append(
                """
                for \
                \(age.formatted(.units(allowed: [.hours, .minutes, .seconds, .milliseconds], width: .narrow, maximumUnitCount: 2)))
                """
            )
        }
        if byteCount > 0 {
            parts.append("keeping \(Int64(byteCount).formatted(.byteCount(style: .file)))")
        }
        if let place { parts.append("\(holder.placePhrase) \(place)") }
        return parts.joined(separator: ", ")
    }
}

extension Realm.PinnedVersion.Holder {
    fileprivate var phrase: String {
        switch self {
        case .realm: "a live realm"
        case .frozen: "a frozen value"
        case .reference: "a thread-safe reference"
        case .iterator: "an iterator"
        case .observer: "an observer"
        case .delivery: "changes that wait for their realm's thread, queue or actor"
        case .listController: "a list controller"
        case .write: "a write or an opening that is under way"
        case .process: "process"
        }
    }

    /// What comes before the place.
    fileprivate var placePhrase: String {
        switch self {
        case .realm: "opened"
        case .frozen, .reference, .listController, .process: "made"
        case .iterator, .observer, .delivery, .write: "in the realm opened"
        }
    }
}

extension Realm.VersionReport: CustomStringConvertible {
    /// One line for the file, and one for each who reads.
    public var description: String {
        let size = { (bytes: Int) in Int64(bytes).formatted(.byteCount(style: .file)) }
        let head =
            """
            \(path): \(activeVersionCount) versions, the newest is \(newestVersion); \
            \(size(pinnedByteCount)) of \(size(usedByteCount)) cannot be used again yet
            """
        return ([head] + pins.map { "  \($0)" }).joined(separator: "\n")
    }
}
