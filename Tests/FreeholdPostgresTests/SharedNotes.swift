import Freehold

/// What one transaction of a machine found: by it the order of transactions is judged.
final class Note: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted(primaryKey: true) var key = ""
    @Persisted var machine = 0
    /// Among the machine's transactions.
    @Persisted var number = 0
    @Persisted var isShared = false
    /// For each machine, the number of its last transaction that was found, and how many.
    @Persisted var seen: List<Int>
}

/// A machine's last transaction. No other machine changes it.
final class MachineClock: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted(primaryKey: true) var machine = 0
    @Persisted var last = 0
    @Persisted var count = 0
}

enum SharedNotes {
    static let classes: [ObjectBase.Type] = [Note.self, MachineClock.self]

    /// Makes the clocks. Before any machine writes a note.
    static func begin(_ machines: Int, in realm: Realm) {
        for machine in 0..<machines {
            realm.create(MachineClock.self, value: ["machine": machine], update: .modified)
        }
    }

    /// Notes in a transaction what it finds.
    static func add(_ number: Int, of machine: Int, isShared: Bool = false, in realm: Realm) {
        let note = Note()
        (note.key, note.machine, note.number) = ("\(machine) \(number)", machine, number)
        note.isShared = isShared
        for clock in realm.objects(MachineClock.self).sorted(byKeyPath: "machine") {
            note.seen.append(objectsIn: [clock.last, clock.count])
        }
        realm.add(note)
        let clock = realm.object(ofType: MachineClock.self, forPrimaryKey: machine)
        clock?.last = number
        clock?.increment(\.count, by: 1)
    }
}
