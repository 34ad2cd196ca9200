import Foundation

extension Realm {
    /// A holder of a version, which keeps that version in the file.
    public struct PinnedVersion: Sendable, Hashable, Codable {
        /// The kinds of holders.
        public enum Holder: String, Sendable, Codable, CaseIterable {
            /// A live realm that has not moved to a newer version.
            case realm
            /// A frozen realm, object or collection, or a ``Frozen`` one.
            case frozen
            /// A ``ThreadSafeReference`` that has not been resolved.
            case reference
            /// An iterator of a collection.
            case iterator
            /// An observer that was last notified of this version.
            case observer
            /// Changes on their way to observers in a live realm, and the versions they were
            /// computed from. They wait for the realm's thread, queue or actor.
            case delivery
            /// A version that a ``ListController`` shows.
            case listController
            /// An ongoing write transaction, opening or migration.
            case write
            /// A ``Draft`` that is based on this version.
            case draft
            /// Another process.
            case process
        }

        /// The version that the holder reads.
        public let version: UInt64
        /// The kind of holder.
        public let holder: Holder
        /// The process of the holder.
        public let processID: Int32
        /// The source line, the thread and the queue. For frozen values, references and list
        /// controllers: where they were created. For other holders: where their realm was
        /// opened; for an iterator, with the thread of the iteration. Nil for other processes,
        /// and for a version that is moving from one holder to the next.
        public let place: ConfinementViolation.Place?
        /// How long the holder has read the version; nil for other processes.
        public let age: Duration?
        /// The bytes of the file freed since this version. They cannot be reused until this
        /// version and all older ones are released.
        public let byteCount: Int
    }

    /// The versions of a file that have holders. See ``Realm/versionReport()``.
    public struct VersionReport: Sendable, Codable {
        /// The path of the file.
        public let path: String
        /// The newest version.
        public let newestVersion: UInt64
        /// The number of distinct versions that are read, including the newest.
        public let activeVersionCount: Int
        /// All holders, oldest version first.
        public let pins: [PinnedVersion]
        /// The bytes of the file up to the last page in use.
        public let usedByteCount: Int
        /// The bytes that cannot be reused because of the oldest version.
        public var pinnedByteCount: Int { pins.first?.byteCount ?? 0 }
    }
}

extension Realm.PinnedVersion: CustomStringConvertible {
    /// One line: the version, the holder, its age, the bytes it keeps, and its place.
    public var description: String {
        var parts = ["version \(version) is read by \(holder.phrase)"]
        if holder == .process { parts[0] += " \(processID)" }
        if let age {
            let duration = age.formatted(
                .units(
                    allowed: [.hours, .minutes, .seconds, .milliseconds], width: .narrow,
                    maximumUnitCount: 2))
            parts.append("for \(duration)")
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
        case .draft: "a draft"
        case .process: "process"
        }
    }

    /// The words before the place.
    fileprivate var placePhrase: String {
        switch self {
        case .realm: "opened"
        case .frozen, .reference, .listController, .draft, .process: "made"
        case .iterator, .observer, .delivery, .write: "in the realm opened"
        }
    }
}

extension Realm.VersionReport: CustomStringConvertible {
    /// One line for the file, and one for each holder.
    public var description: String {
        let size = { (bytes: Int) in Int64(bytes).formatted(.byteCount(style: .file)) }
        let head = """
            \(path): \(activeVersionCount) versions, the newest is \(newestVersion); \
            \(size(pinnedByteCount)) of \(size(usedByteCount)) cannot be used again yet
            """
        return ([head] + pins.map { "  \($0)" }).joined(separator: "\n")
    }
}
