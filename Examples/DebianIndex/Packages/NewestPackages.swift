/// The packages of some indexes, each in its newest version.
///
/// The indexes of one machine overlap: a security update is listed beside the version that it
/// replaces. apt installs the newest version it knows, so this keeps the newest. Of equal versions,
/// the first one added stays. So the outcome depends on the order of the indexes only where apt
/// does not care.
public struct NewestPackages: Sendable {
    private var recordsByID: [String: PackageRecord] = [:]

    public init() {}

    /// How many packages there are.
    public var count: Int { recordsByID.count }

    /// All packages in the order of their ids. Takes O(n log n).
    public func sorted() -> [PackageRecord] {
        recordsByID.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Adds a package, unless the same or a newer version is present. Returns false if a version of
    /// the package was present: then one of the two was dropped.
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
