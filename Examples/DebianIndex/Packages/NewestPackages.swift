/// The packages of some indexes, each in its newest version.
///
/// The indexes of one machine overlap: a security update is listed beside the version it
/// replaces. apt installs the newest version it knows of, and so that is the one kept here. Of
/// equal versions the one added first stays, so the outcome depends on the order of the indexes
/// only where it makes no difference to apt.
public struct NewestPackages: Sendable {
    private var recordsByID: [String: PackageRecord] = [:]

    public init() {}

    /// How many packages there are.
    public var count: Int { recordsByID.count }

    /// All packages in the order of their ids. Takes O(n log n).
    public func sorted() -> [PackageRecord] {
        recordsByID.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Takes a package in, unless it is there in the same or a newer version. Returns false
    /// where two versions of one package met, of which one is now gone.
    @discardableResult
    public mutating func add(_ record: PackageRecord) -> Bool {
        let id = record.id
        guard let other = recordsByID[id] else {
            recordsByID[id] = record
            return true
        }
        if other.version < record.version { recordsByID[id] = record }
        return false
    }
}
