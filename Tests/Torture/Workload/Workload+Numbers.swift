public import Freehold

extension Workload {
    /// The number of the last transaction of each writer.
    public static func numbers(_ realm: Realm) -> [Int: Int] {
        Dictionary(uniqueKeysWithValues: realm.objects(Last.self).map { ($0.writer, $0.number) })
    }
}
