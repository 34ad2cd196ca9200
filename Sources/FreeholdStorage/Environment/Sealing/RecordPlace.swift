/// Where a sealed record belongs. It is authenticated with the record, so a record in another place does not open.
struct RecordPlace: Hashable {
    enum Kind: UInt8 {
        /// The roots of all trees.
        case roots = 0
        case node = 1
        /// A value that is too long for a node.
        case value = 2
    }

    var database: UInt8
    var kind: Kind
    var number: UInt64
    /// The version that wrote it.
    var version: UInt64

    /// The roots' place: the version is the one that is read.
    static func roots(_ version: UInt64) -> RecordPlace {
        RecordPlace(database: 0xFF, kind: .roots, number: 0, version: version)
    }
}

/// Names a sealed record from inside of another one. Equal references mean equal contents, all that is below included.
struct SealedReference: Equatable {
    var number: UInt64
    var version: UInt64
}
