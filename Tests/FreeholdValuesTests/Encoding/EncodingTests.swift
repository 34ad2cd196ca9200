import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// What is written of classes that declare nothing.
@Suite struct EncodingTests {
    typealias Person = EncodingModels.Person
    typealias Dog = EncodingModels.Dog

    private func withPerson(_ body: (Realm, Person) throws -> Void) throws {
        try withTemporaryRealm(EncodingModels.all) { realm in
            let person = try realm.write {
                let person = realm.create(
                    Person.self,
                    value: [
                        "id": 7, "name": "Ada", "age": 36, "weight": 1.5, "height": 2.25,
                        "isAlive": true, "photo": Data([1, 2, 3]),
                        "amount": "1.50", "kind": 2, "mood": "cross", "temperature": 300.0,
                        "money": "5 USD", "place": [47.5],
                        "address": ["street": "A"], "dog": ["name": "Rex"],
                        "addresses": [["street": "B"]], "tags": ["x", "y"],
                        "numbers": [1, nil], "levels": [3, 1], "scores": ["b": 2, "a": 1],
                        "pets": ["p": ["name": "Tom"], "q": nil],
                    ] as [String: Any])
                person.any = .fromDictionary([
                    "k": .fromArray([.int(1), .none, .string("s")]),
                    "d": .object(Dog(value: ["name": "In"])),
                ])
                person.things.append(objectsIn: [
                    .bool(true), .date(Date(timeIntervalSinceReferenceDate: 10)),
                    .fromArray([.double(0.5)]),
                ])
                person.named["u"] = .uuid(UUID(uuidString: "00000000-0000-0000-0000-000000000002")!)
                return person
            }
            try body(realm, person)
        }
    }

    private let whole = """
        {"address":{"street":"A","tenant":null},"addresses":[{"street":"B","tenant":null}],\
        "age":36,"amount":"1.5",\
        "any":{"d":{"name":"In","owner":null},"k":[1,null,"s"]},"best":null,"born":0,\
        "dog":{"name":"Rex","owner":null},"dogs":[],"friends":[],\
        "height":2.25,"id":7,"isAlive":true,"kind":2,"levels":[1,3],"money":{"amount":5,\
        "currency":"USD"},"mood":"cross","name":"Ada",\
        "named":{"u":"00000000-0000-0000-0000-000000000002"},"nickname":null,"numbers":[1,null],\
        "objectId":"5f4e1c9f2b3a4d5e6f708192",\
        "pets":{"p":{"name":"Tom","owner":null},"q":null},"photo":"AQID",\
        "place":{"latitude":47.5},"scores":{"a":1,"b":2},"tags":["x","y"],\
        "temperature":300,"things":[true,10,[0.5]],"token":"00000000-0000-0000-0000-000000000001",\
        "weight":1.5}
        """

    @Test func everyKindOfProperty() throws {
        try withPerson { realm, person throws in
            #expect(try person.encodable.json() == whole)
            #expect(try person.freeze().encodable.json() == whole)
            let frozen = Frozen(person)
            #expect(try frozen.json() == whole)
            #expect(try onNewThread { try frozen.json() } == whole)
            #expect(try [frozen].json() == "[\(whole)]")
            #expect(try realm.objects(Person.self).json() == "[\(whole)]")
            #expect(try Frozen(realm.objects(Person.self)).json() == "[\(whole)]")
            #expect(
                try realm.dynamicObjects("EncodingModels_Person").json().contains(
                    "\"money\":\"5 USD\""))
        }
    }

    @Test func unmanagedObjects() throws {
        let person = Person(
            value: ["id": 1, "dog": ["name": "Rex"], "tags": ["a"]] as [String: Any])
        #expect(try person.encodable.json().contains(#""dog":{"name":"Rex","owner":null}"#))
        #expect(try person.tags.json() == #"["a"]"#)
        #expect(
            try AnyRealmValue.fromArray([.int(1), .fromDictionary(["a": .none])]).json()
                == #"[1,{"a":null}]"#)
    }

    @Test func theEncodersStrategiesApply() throws {
        try withPerson { _, person in
            let json = try Frozen(person).json {
                $0.dateEncodingStrategy = .iso8601
                $0.keyEncodingStrategy = .convertToSnakeCase
                $0.dataEncodingStrategy = .custom { data, encoder in
                    var container = encoder.singleValueContainer()
                    try container.encode(data.count)
                }
            }
            #expect(
                json.contains(#""born":"2001-01-01T00:00:00Z""#)
                    && json.contains(#""things":[true,"2001-01-01T00:00:10Z",[0.5]]"#))
            #expect(json.contains(#""is_alive":true"#) && json.contains(#""photo":3"#))
        }
    }

    /// Keys of maps are data, and no names.
    @Test func keysOfMapsStayAsTheyAre() throws {
        try withPerson { realm, person in
            try realm.write {
                person.scores["camelCase"] = 3
                person.any = .fromDictionary(["innerKey": .int(1)])
            }
            let json = try person.encodable.json { $0.keyEncodingStrategy = .convertToSnakeCase }
            #expect(json.contains(#""camelCase":3"#) && json.contains(#"{"innerKey":1}"#))
        }
    }

    @Test func collections() throws {
        try withPerson { realm, person in
            let dogs = try realm.write {
                person.dogs.append(objectsIn: [
                    Dog(value: ["name": "a", "owner": person]), Dog(value: ["name": "b"]),
                ])
                return person.dogs
            }
            let json = #"[{"name":"a","owner":7},{"name":"b","owner":null}]"#
            #expect(try dogs.json(linkDepth: 0) == json)
            #expect(try Frozen(dogs).json(linkDepth: 0) == json)
            #expect(try AnyRealmCollection(dogs).json(linkDepth: 0) == json)
            #expect(try dogs.sorted(byKeyPath: "name").json(linkDepth: 0) == json)
            #expect(try person.owned.json(linkDepth: 0) == #"[{"name":"a","owner":7}]"#)
            #expect(try Frozen(person.owned).json(linkDepth: 0) == #"[{"name":"a","owner":7}]"#)
            #expect(try person.pets.json() == #"{"p":{"name":"Tom","owner":null},"q":null}"#)
            #expect(
                try Frozen(person.pets).json() == #"{"p":{"name":"Tom","owner":null},"q":null}"#)
            #expect(
                try person.numbers.json() == "[1,null]" && person.scores.json() == #"{"a":1,"b":2}"#
            )
            #expect(try person.levels.sorted(ascending: false).json() == "[3,1]")
            #expect(try person.things.json() == "[true,10,[0.5]]")
            #expect(try person.dogs.projectTo.name.json() == #"["a","b"]"#)
        }
    }

    @Test func sections() throws {
        try withTemporaryRealm(EncodingModels.all) { realm in
            try realm.write {
                for name in ["ax", "ay", "b"] { realm.add(Dog(value: ["name": name])) }
            }
            let sections = realm.objects(Dog.self).sectioned(
                by: { String($0.name.prefix(1)) }, sortDescriptors: ["name"])
            let first =
                #"{"elements":[{"name":"ax","owner":null},{"name":"ay","owner":null}],"key":"a"}"#
            #expect(
                try sections.json()
                    == #"[\#(first),{"elements":[{"name":"b","owner":null}],"key":"b"}]"#)
            #expect(try sections[0].json() == first && Frozen(sections[0]).json() == first)
            #expect(try Frozen(sections).json() == sections.json())
        }
    }

    final class Shown: Projection<Person> {
        @Projected(\Person.name) var title
        @Projected(\Person.dog) var dog
        @Projected(\Person.dogs.projectTo.name) var dogNames: ProjectedCollection<String>
    }

    @Test func projections() throws {
        try withPerson { realm, person in
            try realm.write { person.dog?.owner = person }
            let json = #"{"dog":{"name":"Rex","owner":7},"dogNames":[],"title":"Ada"}"#
            let shown = Shown(projecting: person)
            #expect(try shown.encodable.json() == json)
            #expect(try Frozen(shown).json() == json)
            #expect(try realm.objects(Shown.self).json() == "[\(json)]")
            #expect(try Frozen(realm.objects(Shown.self)).json() == "[\(json)]")
        }
    }

    // MARK: Links

    /// Back to an object that is being written: its key, or null.
    @Test func circles() throws {
        try withTemporaryRealm(EncodingModels.all) { realm in
            let (ada, eve) = try realm.write {
                let ada = realm.create(Person.self, value: ["id": 1]),
                    eve = realm.create(Person.self, value: ["id": 2])
                ada.best = eve
                eve.best = ada
                ada.friends.insert(ada)
                ada.dog = Dog(value: ["owner": ada])
                ada.address = EncodingModels.Address(value: ["tenant": ada])
                return (ada, eve)
            }
            let json = try ada.encodable.json()
            #expect(
                json.contains(#""friends":[1]"#) && json.contains(#""dog":{"name":"","owner":1}"#))
            #expect(
                json.contains(#""address":{"street":"","tenant":1}"#) && json.contains(#""best":{"#)
            )
            #expect(try Frozen(ada).json() == json)
            #expect(try eve.encodable.json().contains(#""friends":[1]"#))
            // A dog has no key.
            #expect(try #require(ada.dog).encodable.json(linkDepth: 1).contains(#""dog":null"#))
        }
    }

    @Test func depth() throws {
        try withTemporaryRealm(EncodingModels.all) { realm in
            let first = try realm.write {
                for id in 0..<10 {
                    realm.create(EncodingModels.Chain.self, value: ["id": id], update: .modified)
                        .next = realm.create(
                            EncodingModels.Chain.self, value: ["id": id + 1], update: .modified)
                }
                return realm.object(ofType: EncodingModels.Chain.self, forPrimaryKey: 0)!
            }
            func text(_ last: Int) -> String {
                (0..<last).reversed().reduce(#"{"id":\#(last),"next":\#(last + 1)}"#) {
                    #"{"id":\#($1),"next":\#($0)}"#
                }
            }
            #expect(try first.encodable.json() == text(4))
            #expect(
                try first.encodable.json(linkDepth: 0) == text(0)
                    && Frozen(first).json(linkDepth: 2) == text(2))
            #expect(
                try first.encodable.json(linkDepth: 100).hasSuffix(
                    #"{"id":10,"next":null}}}}}}}}}}}"#))
            #expect(
                try realm.objects(EncodingModels.Chain.self).json(linkDepth: 0).hasPrefix(
                    #"[{"id":0,"next":1},{"id":1,"next":2}"#))
            // What was said of one value is not remembered for the next.
            #expect(try first.encodable.json() == text(4))
        }
    }

    /// On a thread with a small stack.
    @Test func nothingIsTooDeepForTheStack() throws {
        try withTemporaryRealm(EncodingModels.all) { realm in
            let first = try realm.write {
                var next: EncodingModels.Chain?
                for id in 0..<1000 {
                    next = realm.create(
                        EncodingModels.Chain.self, value: ["id": id, "next": next as Any])
                }
                return next!
            }
            let frozen = Frozen(first)
            let shallow = try runOnSmallStack { () throws -> String in
                #expect(throws: EncodingError.self) { try frozen.json(linkDepth: .max) }
                let nested = (0..<1000).reduce(AnyRealmValue.none) { value, _ in .fromArray([value])
                }
                #expect(throws: EncodingError.self) { try nested.json() }
                let itself = List<AnyRealmValue>()
                itself.append(.list(itself))
                #expect(throws: EncodingError.self) { try itself.json() }
                itself.removeAll()
                return try frozen.json(linkDepth: 20)
            }
            #expect(shallow.contains(#""id":979,"next":978"#))
            #expect(try frozen.json(linkDepth: 100).contains(#""id":899,"next":898"#))
            #expect(
                try frozen.json(linkDepth: 0) == #"{"id":999,"next":998}"#,
                "The path is empty after an error.")
        }
    }

    /// Frozen values of many threads at once; for ThreadSanitizer as much as for the text.
    @Test func manyThreadsEncodeOneValue() throws {
        try withPerson { realm, person in
            let frozen = Frozen(person), all = Frozen(realm.objects(Person.self))
            let expected = whole
            try runThreads(4) { _ throws in
                for _ in 0..<20 {
                    #expect(try frozen.json() == expected && all.json() == "[\(expected)]")
                }
            }
        }
    }
}
