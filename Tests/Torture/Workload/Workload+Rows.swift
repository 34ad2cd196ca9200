public import Freehold

/// Large transactions: each one makes or changes all rows of a table of tens of thousands, some
/// with long values.
extension Workload {
    public final class Row: Object {
        @Persisted(primaryKey: true) public var id = 0
        @Persisted(indexed: true) public var generation = 0
        @Persisted public var text = ""
    }

    /// What all rows are of.
    public final class Generation: Object {
        @Persisted(primaryKey: true) public var id = 0
        @Persisted public var number = 0
        @Persisted public var count = 0
    }

    /// In a write: the next generation of all rows. An odd one deletes and makes them, an even
    /// one changes each. Returns its number.
    public static func changeRows(_ realm: Realm, count: Int) -> Int {
        let generation =
            realm.object(ofType: Generation.self, forPrimaryKey: 0)
            ?? realm.create(Generation.self, value: ["id": 0])
        generation.number += 1
        let number = generation.number
        if number % 2 == 1 {
            generation.count = count - number % 7 * (count / 20)
            realm.delete(realm.objects(Row.self))
            for id in 0..<generation.count {
                let row = Row()
                row.id = id
                (row.generation, row.text) = (number, rowText(number, id))
                realm.add(row)
            }
        } else {
            for row in realm.objects(Row.self) {
                (row.generation, row.text) = (number, rowText(number, row.id))
            }
        }
        return number
    }

    /// What is wrong with a realm of such rows, whose generations up to one were acknowledged.
    public static func rowProblems(_ realm: Realm, acknowledged: Int) throws -> [String] {
        var problems = try realm.check()
        let generation = realm.object(ofType: Generation.self, forPrimaryKey: 0)
        let number = generation?.number ?? 0
        if number < acknowledged {
            problems.append(
                """
                Generations \(number + 1) to \(acknowledged) of rows were acknowledged and \
                are lost.
                """
            )
        }
        let rows = realm.objects(Row.self).sorted(by: \.id)
        if rows.count != generation?.count ?? 0 {
            problems.append(
                "Generation \(number) has \(rows.count) rows, not \(generation?.count ?? 0).")
        }
        let isWrong = rows.enumerated().first {
            $1.id != $0 || $1.generation != number || $1.text != rowText(number, $0)
        }
        if let isWrong {
            problems.append(
                """
                Row \(isWrong.offset) of generation \(number) is wrong: it is of \
                \(isWrong.element.generation).
                """
            )
        }
        return problems
    }

    static func rowText(_ number: Int, _ id: Int) -> String {
        id % 1_009 == 7
            ? String(repeating: "\(number).\(id) ", count: 3_000 + id % 5_000) : "\(number).\(id)"
    }
}
