import Testing

@testable import Freehold
import FreeholdRealmTestSupport

@Suite struct KeyPathNamesTests {
    typealias AllTypes = ObjectModels.AllTypes
    typealias Person = ObjectModels.Person

    private func names<Root: ObjectBase, Value>(_ keyPath: KeyPath<Root, Value>) -> [String] {
        KeyPathNames.names(of: keyPath, from: Root.self)
    }

    @Test func properties() {
        #expect(names(\Person.name) == ["name"])
        #expect(names(\Person._id) == ["_id"])
        #expect(names(\Person.portrait) == ["portrait"])
        #expect(names(\Person.dog) == ["dog"])
        #expect(names(\ObjectModels.Employee.salary) == ["salary"])
        #expect(names(\ObjectModels.Employee.name) == ["name"])
    }

    @Test func everyType() throws {
        let keyPaths: [PartialKeyPath<AllTypes>] = [
            \.id, \.bool, \.int, \.int8, \.int16, \.int32, \.int64, \.float, \.double, \.string,
            \.data, \.date, \.objectId, \.uuid,
            \.decimal, \.mood, \.level, \.link, \.optionalBool, \.optionalInt, \.optionalInt8,
            \.optionalInt16, \.optionalInt32,
            \.optionalInt64, \.optionalFloat, \.optionalDouble, \.optionalString, \.optionalData,
            \.optionalDate, \.optionalObjectId,
            \.optionalUuid, \.optionalDecimal, \.optionalMood, \.optionalLevel,
        ]
        let properties = try ClassSchema.shared(for: AllTypes.self).properties
        #expect(
            keyPaths.map { KeyPathNames.names(of: $0, from: AllTypes.self) }
                == properties.map { [$0.name] })
    }

    @Test func links() {
        #expect(names(\Person.dog?.name) == ["dog", "name"])
        #expect(
            names(\Person.dog?.owner?.friend?.dog?.age) == ["dog", "owner", "friend", "dog", "age"])
        #expect(names(\Person.friend?.friend) == ["friend", "friend"])
    }

    @Test func composedKeyPaths() {
        let friend: KeyPath<Person, Person?> = \.friend
        #expect(names(friend.appending(path: \.?.name)) == ["friend", "name"])
    }

    @Test func computedProperties() {
        // One property can only be seen as itself; several are refused.
        #expect(names(\Person.shout) == ["name"])
        #expect(names(\Person.greeting) == [])
        #expect(names(\Person.self) == [])
    }

    @Test func sameAnswerAgain() {
        for _ in 0..<3 { #expect(names(\Person.dog?.age) == ["dog", "age"]) }
    }

    @Test func fromManyThreads() async {
        await withTaskGroup(of: [String].self) { group in
            for _ in 0..<64 {
                group.addTask {
                    KeyPathNames.names(of: \Person.friend?.dog?.name, from: Person.self)
                }
            }
            for await names in group { #expect(names == ["friend", "dog", "name"]) }
        }
    }
}

/// Not `@testable`: what a program sees.
@Suite struct KeyPathTrapTests {
    final class Counter: Object {
        @Persisted var reads = 0
        @Persisted var name: String?

        var countedReads: Int {
            reads += 1
            return reads
        }

        var forgottenName: String? {
            name = nil
            return name
        }

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    @Test(arguments: ["sort", "sum", "null"])
    func keyPathsThatWrite(_ use: String) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [use] in
            try withTemporaryRealm([Counter.self]) { realm in
                let counters = realm.objects(Counter.self)
                switch use {
                case "sort": _ = counters.sorted(by: \.countedReads)
                case "sum": _ = counters.sum(of: \.countedReads) as Int
                default: _ = counters.sorted(by: \.forgottenName)
                }
            }
        }
        expectMessage(
            result, "A key path must not change the object that it is applied to.\n",
            """
            Remedy: Use key paths that only go through persisted properties, not through \
            computed ones that write.
            """
        )
    }
}
