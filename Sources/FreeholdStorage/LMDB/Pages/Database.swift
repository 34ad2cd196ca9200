/// The named databases of a file: a fixed set, each opened once when the environment is opened.
///
/// LMDB reads a shared transaction without races only if no handle is opened while it lives, so
/// there is no way to open one later. The raw values are not stored; the names are.
package enum Database: Int, CaseIterable, Sendable {
    /// Facts about the file and its schema.
    case meta
    /// Where each table's clusters begin, and how many rows they have.
    case directory
    /// The columns of the clusters.
    case clusters
    /// Index and backlink entries.
    case indexes
    /// Values too large for a row.
    case blobs
    /// The nodes of collections too large for a row.
    case elements

    /// The name inside the file.
    var name: String {
        switch self {
        case .meta: "meta"
        case .directory: "directory"
        case .clusters: "clusters"
        case .indexes: "indexes"
        case .blobs: "blobs"
        case .elements: "elements"
        }
    }

    /// LMDB's handle. Handle 0 is its free list, 1 its unnamed main database; the named ones follow
    /// in the order in which they are opened, which `EnvironmentHandle.openDatabases` checks.
    var handle: UInt32 {
        UInt32(truncatingIfNeeded: rawValue &+ 2)
    }

    static let mainHandle: UInt32 = 1
    static let freeListHandle: UInt32 = 0
}
