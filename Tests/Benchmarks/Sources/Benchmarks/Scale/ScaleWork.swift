/// One line of `--scale`: what it costs with one number of objects.
enum ScaleWork: String, CaseIterable {
    case insert
    case readWarm = "read-warm"
    case readCold = "read-cold"
    case indexedLookup = "indexed-lookup"
    case scan
    case commit
    case freeze
    case openAndRead = "open-and-read"
    case commitAfterKill = "commit-after-kill"
    case fileBytes = "file-bytes"
    case memory

    var summary: String {
        switch self {
        case .insert: "insert half a million objects in a transaction, an object"
        case .readWarm: "one of 20,000 random objects by its key, and a property, again"
        case .readCold: "a random object by its key, no page of the file in memory"
        case .indexedLookup: "count the objects of a random indexed text"
        case .scan: "count value > 0.5, an object"
        case .commit: "change a property of a random object, synced, the median"
        case .freeze: "freeze an object, the first of a version, the median"
        case .openAndRead: "open the file and read an object, no page of the file in memory"
        case .commitAfterKill: "open, change an object and commit, after a writer was killed"
        case .fileBytes: "the file, an object"
        case .memory: "memory that is not the file's, after these reads and commits"
        }
    }

    func text(_ value: Double) -> String {
        switch self {
        case .fileBytes: HumanFormat.fixed(value, digits: 1) + " B"
        case .memory: HumanFormat.bytes(Int(value))
        default: HumanFormat.nanoseconds(value)
        }
    }
}
