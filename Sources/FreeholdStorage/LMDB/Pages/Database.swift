/// The named databases of a file: a fixed set, each opened once when the environment is opened.
///
/// LMDB reads a shared transaction without data races only if no handle is opened while the
/// transaction lives. So no database can be opened later. The file stores the names, not the
/// raw values.
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

    /// LMDB's handle. Handle 0 is the free list, 1 the unnamed main database. The named
    /// databases follow in the order of opening, which `EnvironmentHandle.openDatabases`
    /// checks.
    var handle: UInt32 { UInt32(truncatingIfNeeded: rawValue &+ 2) }

    static let mainHandle: UInt32 = 1
    static let freeListHandle: UInt32 = 0
}
