import Foundation
import Freehold
import FreeholdStorage
import FreeholdWorkload

/// A realm does what a plain model does, whatever comes: each byte is an operation, those
/// behind it are its operands.
///
/// One realm in memory with clusters of four rows, which every input finds empty. Transactions
/// are committed and cancelled, and a frozen realm of an earlier version is kept; after each
/// transaction the objects are compared, in the end links back and queries, too.
enum OperationsTarget: FuzzTarget {
    static let name = "operations"

    final class Item: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted(indexed: true) var number = 0
        @Persisted(indexed: true) var text: String?
        @Persisted var list: List<Int>
        @Persisted var words: MutableSet<String>
        @Persisted var marks: Map<String, Int>
        @Persisted var next: Item?
        @Persisted(originProperty: "next") var previous: LinkingObjects<Item>
    }

    struct PlainItem: Equatable {
        var number = 0
        var text: String?
        var list: [Int] = []
        var words: Set<String> = []
        var marks: [String: Int] = [:]
        var next: Int?
    }

    /// Protected by nothing: libFuzzer has one thread.
    nonisolated(unsafe) private static let realm: Realm = {
        TestHooks.install(.tiny)
        do {
            return try Realm(
                configuration: Realm.Configuration(
                    inMemoryIdentifier: "operations", objectTypes: [Item.self]))
        } catch {
            finding("No realm: \(error)")
        }
    }()

    /// How many operations of an input are looked at.
    private static let limit = 200

    static func run(_ bytes: UnsafeRawBufferPointer) {
        var input = FuzzInput(bytes)
        var items: [Int: PlainItem] = [:]
        // What a cancelled transaction comes back to.
        var committed = items
        var kept: (realm: Realm, items: [Int: PlainItem])?
        realm.beginWrite()
        realm.deleteAll()
        end(isKept: true, &items, &committed)
        var count = 0
        while !input.isAtEnd, count < limit {
            count += 1
            switch input.below(16) {
            case 12, 13: end(isKept: true, &items, &committed)
            case 14: end(isKept: false, &items, &committed)
            case 15:
                if let kept { compare(kept.realm, kept.items) }
                end(isKept: true, &items, &committed)
                // Not in a transaction.
                realm.cancelWrite()
                kept = (realm.freeze(), items)
                realm.beginWrite()
            case let operation: change(operation, &input, &items)
            }
        }
        end(isKept: true, &items, &committed)
        compareQueries(realm, items)
        realm.cancelWrite()
        compareQueries(realm, items)
        if let kept {
            compare(kept.realm, kept.items)
            compareQueries(kept.realm, kept.items)
        }
        do {
            let problems = try realm.check()
            expect(problems.isEmpty, "The realm is not sound: \(problems)")
        } catch {
            finding("The check failed: \(error)")
        }
    }

    /// Ends the transaction and begins the next one.
    private static func end(
        isKept: Bool, _ items: inout [Int: PlainItem], _ committed: inout [Int: PlainItem]
    ) {
        if isKept {
            do { try realm.commitWrite() } catch { finding("A commit failed: \(error)") }
            committed = items
        } else {
            realm.cancelWrite()
            items = committed
        }
        compare(realm, items)
        realm.beginWrite()
    }

    private static func change(
        _ operation: Int, _ input: inout FuzzInput, _ items: inout [Int: PlainItem]
    ) {
        let id = input.below(32)
        guard let item = realm.object(ofType: Item.self, forPrimaryKey: id) else {
            expect(items[id] == nil, "Object \(id) is missing.")
            if operation < 8 {
                let number = input.below(8)
                realm.create(Item.self, value: ["id": id, "number": number])
                items[id] = PlainItem(number: number)
            }
            return
        }
        guard var plain = items[id] else { finding("Object \(id) should not be there.") }
        let operand = input.byte()
        switch operation {
        case 0:
            realm.delete(item)
            items[id] = nil
            for (other, value) in items where value.next == id {
                items[other] = value.with { $0.next = nil }
            }
            return
        case 1, 2: (plain.number, item.number) = (operand % 8, operand % 8)
        case 3:
            // Long ones are stored elsewhere.
            plain.text =
                operand == 0
                ? nil
                : String(
                    repeating: Character(UnicodeScalar(UInt8(97 + operand % 5))),
                    count: operand % 16 == 15 ? operand * 80 : operand % 16)
            item.text = plain.text
        case 4:
            plain.list.append(operand)
            item.list.append(operand)
        case 5:
            let place = operand % (plain.list.count + 1)
            plain.list.insert(operand, at: place)
            item.list.insert(operand, at: place)
        case 6:
            guard !plain.list.isEmpty else { return }
            plain.list.remove(at: operand % plain.list.count)
            item.list.remove(at: operand % item.list.count)
        case 7, 8:
            plain.next = items[operand % 32] == nil ? nil : operand % 32
            item.next = realm.object(ofType: Item.self, forPrimaryKey: operand % 32)
        case 9:
            let key = "k\(operand % 8)"
            plain.marks[key] = operand % 3 == 0 ? nil : operand
            item.marks[key] = operand % 3 == 0 ? nil : operand
        case 10:
            let word = "w\(operand % 8)"
            if operand % 2 == 0 {
                plain.words.insert(word)
                item.words.insert(word)
            } else {
                plain.words.remove(word)
                item.words.remove(word)
            }
        default:
            // Many elements at once, and none.
            let elements = operand % 4 == 0 ? [] : Array(0..<operand)
            plain.list = elements
            item.list.removeAll()
            item.list.append(objectsIn: elements)
        }
        items[id] = plain
    }

    private static func compare(_ realm: Realm, _ items: [Int: PlainItem]) {
        let all = realm.objects(Item.self)
        expect(all.count == items.count, "There are \(all.count) objects, not \(items.count).")
        for item in all {
            guard let plain = items[item.id] else {
                finding("Object \(item.id) should not be there.")
            }
            let found = PlainItem(
                number: item.number, text: item.text, list: Array(item.list),
                words: Set(item.words),
                marks: Dictionary(uniqueKeysWithValues: item.marks.map { ($0.key, $0.value) }),
                next: item.next?.id)
            expect(found == plain, "Object \(item.id) is \(found), not \(plain).")
        }
    }

    private static func compareQueries(_ realm: Realm, _ items: [Int: PlainItem]) {
        for item in realm.objects(Item.self) {
            let previous = items.filter { $0.value.next == item.id }.map(\.key).sorted()
            expect(
                item.previous.map(\.id).sorted() == previous,
                """
                Object \(item.id) is linked to by \(item.previous.map(\.id).sorted()), not \
                \(previous).
                """
            )
        }
        for number in 0..<8 {
            let count = realm.objects(Item.self).where { $0.number == number }.count
            let expected = items.values.count { $0.number == number }
            expect(
                count == expected, "The number \(number) is found \(count) times, not \(expected).")
        }
        let missing = realm.objects(Item.self).where { $0.text == nil }.count
        expect(missing == items.values.count { $0.text == nil }, "\(missing) objects have no text.")
        let sum = realm.objects(Item.self).filter("list.@count > 2").count
        expect(
            sum == items.values.count { $0.list.count > 2 },
            "\(sum) objects have more than two elements.")
    }

    static var seeds: [[UInt8]] {
        var all: [UInt8] = []
        for operation in 0..<12 {
            for id in 0..<6 { all += [UInt8(operation), UInt8(id), UInt8(operation * 7 + id)] }
            all.append(12)
        }
        return [
            all, Array(all.reversed()), [0, 1, 1, 12, 3, 1, 15, 15, 13, 0, 1, 0, 14, 7, 1, 1, 12],
        ]
    }
}

extension OperationsTarget.PlainItem {
    fileprivate func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}
