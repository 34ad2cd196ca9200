import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

@Suite struct ListTests {
    typealias Dog = CollectionModels.Dog
    typealias Person = CollectionModels.Person

    @Test func appendingInsertingAndReplacing() {
        let list = List<Int>()
        #expect(
            list.isEmpty && list.first == nil && list.last == nil && list.realm == nil
                && !list.isInvalidated && !list.isFrozen)
        list.append(1)
        list.append(objectsIn: [2, 3])
        list.append(contentsOf: 4...5)
        list.insert(0, at: 0)
        list.insert(6, at: 6)
        list.insert(contentsOf: [7, 8], at: 7)
        #expect(Array(list) == Array(0...8))
        list[0] = 10
        list.replace(index: 1, object: 11)
        list.replaceSubrange(2..<5, with: [12])
        #expect(Array(list) == [10, 11, 12, 5, 6, 7, 8])
        list.replaceSubrange(5..., with: [])
        list.replaceSubrange(...0, with: [1, 2])
        #expect(Array(list) == [1, 2, 11, 12, 5, 6])
        list[1..<3] = makeList([7, 7, 7])[0..<3]
        #expect(Array(list) == [1, 7, 7, 7, 12, 5, 6])
        #expect(Array(list[4...]) == [12, 5, 6])
        #expect(list.first == 1 && list.last == 6 && list.count == 7)
    }

    @Test func removing() {
        let list = makeList(Array(0..<10))
        list.remove(at: 9)
        list.removeFirst()
        list.removeLast()
        list.removeFirst(2)
        list.removeLast(2)
        #expect(Array(list) == [3, 4, 5])
        list.removeSubrange(1...1)
        #expect(Array(list) == [3, 5])
        list.append(objectsIn: [6, 7, 8])
        list.remove(atOffsets: [0, 2, 3])
        #expect(Array(list) == [5, 8])
        list.removeFirst(0)
        list.removeAll()
        #expect(list.isEmpty)
    }

    @Test func movingToAPositionAndExchanging() {
        let list = makeList(Array(0..<5))
        list.move(from: 0, to: 4)
        #expect(Array(list) == [1, 2, 3, 4, 0])
        list.move(from: 3, to: 1)
        #expect(Array(list) == [1, 4, 2, 3, 0])
        list.swapAt(0, 4)
        #expect(Array(list) == [0, 4, 2, 3, 1])
    }

    /// As of SwiftUI: elements in their order, in front of what was at the destination.
    @Test func movingOffsets() {
        var generator = Seed.random()
        let seed = generator.seed
        for _ in 0..<200 {
            let count = Int.random(in: 1...8, using: &generator)
            let offsets = IndexSet((0..<count).filter { _ in Bool.random(using: &generator) })
            let destination = Int.random(in: 0...count, using: &generator)
            let list = makeList(Array(0..<count))
            list.move(fromOffsets: offsets, toOffset: destination)
            let front = (0..<destination).filter { !offsets.contains($0) }
            let back = (destination..<count).filter { !offsets.contains($0) }
            #expect(
                Array(list) == front + offsets + back,
                "FREEHOLD_SEED=\(seed): \(Array(offsets)) to \(destination) of \(count)")
        }
        let three = makeList([1, 3, 2])
        three.move(fromOffsets: [0], toOffset: 1)
        #expect(Array(three) == [1, 3, 2])
    }

    @Test func randomChangesAgreeWithAnArray() {
        var generator = Seed.random()
        let seed = generator.seed
        let list = List<Int>()
        var array: [Int] = []
        for step in 0..<2000 {
            let position = Int.random(in: 0...array.count, using: &generator)
            let end = Int.random(in: position...array.count, using: &generator)
            switch Int.random(in: 0..<7, using: &generator) {
            case 0, 1:
                list.append(step)
                array.append(step)
            case 2:
                list.insert(step, at: position)
                array.insert(step, at: position)
            case 3 where position < array.count:
                list.remove(at: position)
                array.remove(at: position)
            case 4 where end - position < 5:
                list.replaceSubrange(position..<end, with: [step, step])
                array.replaceSubrange(position..<end, with: [step, step])
            case 5 where position < array.count:
                list[position] = -step
                array[position] = -step
            case 6 where position < end:
                list.move(from: position, to: end - 1)
                array.insert(array.remove(at: position), at: end - 1)
            default: break
            }
            #expect(list.count == array.count)
        }
        #expect(Array(list) == array, "FREEHOLD_SEED=\(seed)")
        #expect(list.sum() == array.reduce(0, +), "FREEHOLD_SEED=\(seed)")
    }

    /// Elements from the list itself.
    @Test func aliasing() {
        let list = makeList([1, 2, 3])
        list.append(objectsIn: list)
        #expect(Array(list) == [1, 2, 3, 1, 2, 3])
        list.replaceSubrange(1..<2, with: list)
        #expect(Array(list) == [1, 1, 2, 3, 1, 2, 3, 3, 1, 2, 3])
        list[0..<2] = list[8...]
        #expect(Array(list) == [1, 2, 3, 2, 3, 1, 2, 3, 3, 1, 2, 3])
    }

    @Test func loopsVisitWhatWasThereAtTheStart() {
        let list = makeList([1, 2, 3])
        var seen: [Int] = []
        for element in list {
            seen.append(element)
            list.append(element * 10)
            if element == 2 { list.remove(at: 0) }
        }
        #expect(seen == [1, 2, 3])
        #expect(Array(list) == [2, 3, 10, 20, 30])
        for _ in list { list.removeAll() }
        #expect(list.isEmpty)
    }

    @Test func positionsOfElements() {
        let (rex, bo) = (Dog("Rex"), Dog("Bo"))
        let dogs = makeList([rex, bo, rex])
        #expect(
            dogs.index(of: rex) == 0 && dogs.index(of: bo) == 1 && dogs.index(of: Dog("Rex")) == nil
        )
        #expect(dogs.contains(bo))
        #expect(dogs.objects(at: [0, 2]) == [rex, rex])
        #expect(makeList(["a", nil]).index(of: nil) == 1)
        #expect(dogs.objects(at: []).isEmpty)
    }

    /// Refused when a realm is opened, but a list all the same.
    @Test func optionalObjects() {
        let rex = Dog("Rex")
        let dogs = makeList([rex, nil])
        #expect(dogs.count == 2 && dogs.index(of: nil) == 1 && dogs[0] === rex && dogs[1] == nil)
    }

    @Test func equalityIsThatOfTheElements() {
        let list = makeList([1, 2])
        #expect(
            list == makeList([1, 2]) && list != makeList([2, 1])
                && list.hashValue == makeList([1, 2]).hashValue)
        #expect(List<Dog>() == List<Dog>())
        #expect(makeList([Dog("a")]) != makeList([Dog("a")]), "different objects")
    }

    @Test func assigningCopies() {
        let (person, other) = (Person(), Person())
        let own = person.numbers
        other.numbers.append(objectsIn: [1, 2])
        person.numbers = other.numbers
        #expect(person.numbers === own && Array(own) == [1, 2])
        other.numbers.append(3)
        #expect(own.count == 2, "a copy")
        person.numbers = person.numbers
        #expect(own.count == 2, "itself")
        person.numbers = List()
        #expect(own.isEmpty && person.numbers === own)
        #expect(person.numbers !== other.numbers && Person().numbers !== Person().numbers)
    }

    @Test func aggregates() {
        let list = makeList([3, 1, 2])
        #expect(list.min() == 1 && list.max() == 3 && list.sum() == 6 && list.average() == 2.0)
        let empty = List<Int>()
        #expect(empty.min() == nil && empty.max() == nil && empty.sum() == 0)
        #expect(empty.average() as Double? == nil)
        let optional = makeList([nil, 2.5, 1.5])
        let (least, greatest): (Double?, Double?) = (optional.min(), optional.max())
        #expect(least == 1.5 && greatest == 2.5)
        let sum: Double = optional.sum()
        #expect(sum == 4 && optional.average() == 2.0)
        #expect(makeList([Double.nan, 1, 2]).min() == 1)
        let dates = makeList([
            Date(timeIntervalSinceReferenceDate: 5), Date(timeIntervalSinceReferenceDate: 7),
        ])
        #expect(dates.max()?.timeIntervalSinceReferenceDate == 7)
        #expect(
            makeList([Decimal128(1.5), 2]).sum() == 3.5
                && makeList([Decimal128(1), 2]).average() == Decimal128(1.5))
        #expect(makeList([Temperature(3), Temperature(4)]).max() == Temperature(4))
        let total: Double = makeList([Int.max, Int.max]).sum(ofProperty: "self")
        #expect(total == 2 * Double(Int.max), "no integer holds it")
    }

    @Test func aggregatesOfProperties() {
        let dogs = makeList([Dog("a", age: 3), Dog("b"), Dog("c", age: 4)])
        #expect(dogs.min(of: \.age) == 3 && dogs.max(ofProperty: "age") as Int? == 4)
        #expect(dogs.sum(of: \.age) == 7 && dogs.average(ofProperty: "age") as Double? == 3.5)
        #expect(List<Dog>().sum(ofProperty: "age") as Int == 0)
    }

    @Test func valuesByName() {
        let dogs = makeList([Dog("a", age: 3), Dog("b")])
        #expect((dogs.value(forKey: "name") as? [Any?])?.map { $0 as? String } == ["a", "b"])
        #expect((dogs.value(forKey: "age") as? [Any?])?.map { $0 as? Int } == [3, nil])
        #expect((dogs.value(forKey: "self") as? [Dog])?.count == 2)
        dogs.setValue(7, forKey: "age")
        #expect(dogs.map(\.age) == [7, 7])
        let numbers = makeList([1, 2])
        numbers.setValue(5 as Int8, forKey: "self")
        #expect(Array(numbers) == [5, 5])
    }

    @Test func descriptions() {
        func withoutAddress(_ text: String) -> String {
            text.replacing(#/<0x[0-9a-f]+>/#, with: "<0x>")
        }
        #expect(
            withoutAddress(makeList([1, 2]).description) == "List<int> <0x> (\n\t[0] 1,\n\t[1] 2\n)"
        )
        #expect(withoutAddress(List<String>().description) == "List<string> <0x> (\n\n)")
        #expect(
            withoutAddress(makeList([nil, Mood.cross]).description)
                == "List<string> <0x> (\n\t[0] <null>,\n\t[1] cross\n)")
        #expect(
            withoutAddress(makeList([Dog("Rex")]).description) == """
                List<CollectionModels_Dog> <0x> (
                \t[0] CollectionModels_Dog {
                \t\tname = Rex;
                \t\tage = (null);
                \t}
                )
                """)
        let long = makeList(Array(0..<103)).description
        #expect(long.hasSuffix("[99] 99\n\t... 3 objects skipped.\n)"))
        let person = Person()
        person.friends.insert(person)
        #expect(person.description.contains("<Maximum depth exceeded>"), "a cycle")
    }

    @Test func lazyAndGenericUse() {
        func total<Numbers: RealmCollection>(_ numbers: Numbers) -> Int
        where Numbers.Element == Int { numbers.reduce(0, +) }
        let list = makeList([1, 2, 3])
        #expect(
            total(list) == 6 && Array(list.map { $0 * 2 }) == [2, 4, 6]
                && list.reversed().first == 3)
        #expect(Array(list.filter { $0 > 1 }) == [2, 3])
    }
}
