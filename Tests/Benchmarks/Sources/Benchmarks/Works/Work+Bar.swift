/// What Freehold has to reach in one work: its value is at most `limit` times the peer's value in the same run.
/// A ratio and not a time, since machines differ and are noisy.
struct Bar {
    let limit: Double
    let peer: EngineName
}

extension Work {
    var bar: Bar {
        switch self {
        case .bulkInsert: Bar(limit: 0.23, peer: .grdb)
        case .pkRead: Bar(limit: 0.5, peer: .lmdb)
        case .hotRead: Bar(limit: 0.06, peer: .lmdb)
        case .iterate3: Bar(limit: 0.043, peer: .grdb)
        case .scanInt: Bar(limit: 0.0137, peer: .grdb)
        case .scanIntBool: Bar(limit: 0.03, peer: .grdb)
        case .scanContains: Bar(limit: 0.093, peer: .grdb)
        case .indexedEqual: Bar(limit: 0.18, peer: .grdb)
        case .sortDouble: Bar(limit: 0.24, peer: .grdb)
        case .sumDouble: Bar(limit: 0.0123, peer: .grdb)
        case .updateAll: Bar(limit: 0.155, peer: .grdb)
        case .durableCommit: Bar(limit: 1.5, peer: .lmdb)
        case .deleteHalf: Bar(limit: 0.2, peer: .grdb)
        case .fileSize: Bar(limit: 0.74, peer: .lmdb)
        }
    }
}
