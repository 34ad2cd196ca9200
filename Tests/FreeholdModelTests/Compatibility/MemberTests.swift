import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// Members of Realm's that no other test needs, each with what it does.
@Suite struct MemberTests {
    final class DogProjection: Projection<Fixture.Dog> {
        @Projected(\Fixture.Dog.name) var title
    }

    final class HolderProjection: Projection<Fixture.Holder> {
        @Projected(\Fixture.Holder.dogs.projectTo.name) var names: ProjectedCollection<String>
    }

    // MARK: Errors

    /// Codes of Realm's are catched by name and have Realm's numbers.
    @Test func codesAreThoseOfRealm() {
        let numbers: [(Realm.Error.Code, Int)] = [
            (.fail, 1), (.fileAccess, 2), (.filePermissionDenied, 3), (.fileExists, 4),
            (.fileNotFound, 5), (.fileFormatUpgradeRequired, 6),
            (.incompatibleLockFile, 8), (.addressSpaceExhausted, 9), (.schemaMismatch, 10),
            (.alreadyOpen, 12), (.invalidInput, 13),
            (.outOfDiskSpace, 14), (.unsupportedFileFormatVersion, 16), (.fileOperationFailed, 19),
            (.invalidDatabase, 20), (.incompatibleHistories, 21),
        ]
        for (code, number) in numbers { #expect(code.rawValue == number) }
        let codes = [
            Realm.Error.fail, Realm.Error.fileAccess, Realm.Error.filePermissionDenied,
            Realm.Error.fileExists, Realm.Error.fileNotFound,
            Realm.Error.fileFormatUpgradeRequired, Realm.Error.incompatibleLockFile,
            Realm.Error.addressSpaceExhausted, Realm.Error.schemaMismatch,
            Realm.Error.alreadyOpen, Realm.Error.invalidInput, Realm.Error.outOfDiskSpace,
            Realm.Error.unsupportedFileFormatVersion,
            Realm.Error.fileOperationFailed, Realm.Error.invalidDatabase,
            Realm.Error.incompatibleHistories,
        ]
        #expect(codes == numbers.map(\.0))
    }

    @Test func errorsForFoundation() {
        let error = Realm.Error(
            .fileNotFound, "It is gone.", fileURL: URL(fileURLWithPath: "/tmp/x"))
        let number = error.errorCode, domain = Realm.Error.errorDomain,
            information = error.errorUserInfo
        #expect(number == 5 && domain == "io.realm")
        #expect(information[NSLocalizedDescriptionKey] as? String == "It is gone.")
    }

    // MARK: Collections

    @Test func positionsOfMaps() {
        let index = MapIndex(offset: 2)
        let offset = index.offset
        #expect(offset == 2)
    }

    @Test func descriptorsFromLiterals() {
        let plain: Freehold.SortDescriptor = "age"
        let scalar = SortDescriptor(unicodeScalarLiteral: "age"),
            cluster = SortDescriptor(extendedGraphemeClusterLiteral: "age")
        #expect(plain == SortDescriptor(keyPath: "age") && scalar == plain && cluster == plain)
    }

    @Test func optionalMaximaOfMaps() throws {
        try withTemporaryRealm([MemberItem.self]) { realm in
            let item = try realm.write {
                realm.create(
                    MemberItem.self, value: ["marks": ["a": 2, "b": nil, "c": 7] as [String: Int?]])
            }
            let largest: Int? = item.marks.max(), smallest: Int? = item.marks.min(),
                sum: Int = item.marks.sum()
            #expect(largest == 7 && smallest == 2 && sum == 9)
        }
    }

    @Test func aggregatesAndOrdersOfMaps() throws {
        try withTemporaryRealm([MemberItem.self]) { realm in
            let item = try realm.write {
                realm.create(MemberItem.self, value: ["scores": ["a": 2, "b": 3, "c": 7]])
            }
            let average: Double? = item.scores.average(ofProperty: "self"),
                smallest: Int? = item.scores.min(ofProperty: "self")
            let largest: Int? = item.scores.max(ofProperty: "self"),
                sum: Int = item.scores.sum(ofProperty: "self")
            #expect(average == 4 && smallest == 2 && largest == 7 && sum == 12)
            let descending = item.scores.sorted(by: [
                SortDescriptor(keyPath: "self", ascending: false)
            ])
            #expect(Array(descending) == [7, 3, 2])
            let frozen = item.scores.freeze()
            try realm.write { item.scores["a"] = 100 }
            #expect(frozen.isFrozen && frozen["a"] == 2 && frozen.thaw()?["a"] == 100)
        }
    }

    @Test func filteredMaps() throws {
        try withTemporaryRealm([MemberItem.self]) { realm in
            let item = try realm.write {
                realm.create(
                    MemberItem.self,
                    value: ["othersByName": ["a": ["id": 1], "b": ["id": 2]]] as [String: Any])
            }
            let second = item.othersByName.filter(NSPredicate(format: "id > %@", 1)),
                first = item.othersByName.filter("id < 2")
            #expect(second.map { $0?.id } == [2] && first.map { $0?.id } == [1])
        }
    }

    @Test func linksBackByName() throws {
        let links = LinkingObjects(fromType: Fixture.Person.self, property: "friend")
        let count = links.count
        #expect(count == 0)
    }

    @Test func linksBackByTheProtocol() {
        func links<Links: LinkingObjectsProtocol>(_ type: Links.Element.Type) -> Links
        where Links.Element: ObjectBase { Links(fromType: type, property: "friend") }
        let admirers: LinkingObjects<Fixture.Person> = links(Fixture.Person.self)
        let count = admirers.count
        #expect(count == 0)
    }

    // MARK: Projections

    @Test func projections() throws {
        try withTemporaryRealm { realm in
            let dog = try realm.write { realm.create(Fixture.Dog.self, value: ["name": "Rex"]) }
            let projection = DogProjection(projecting: dog)
            #expect(projection.description.contains("= "))
            let frozen = projection.freeze()
            try realm.write { projection.title = "Max" }
            #expect(dog.name == "Max" && frozen.title == "Rex" && frozen.isFrozen)
            let thawed = try #require(frozen.thaw())
            #expect(thawed.title == "Max" && thawed.rootObject.isSameObject(as: dog))
            func root<P: ProjectionObservable>(_ projection: P) -> P.Root {
                P(projecting: projection.rootObject).rootObject
            }
            let again = root(projection)
            #expect(again === dog)
        }
    }

    @Test func projectedCollections() throws {
        try withTemporaryRealm { realm in
            let holder = try realm.write {
                realm.create(
                    Fixture.Holder.self,
                    value: ["dogs": [["name": "Rex"], ["name": "Bo"]]] as [String: Any])
            }
            let names = HolderProjection(projecting: holder).names
            let frozen = names.freeze(), place = names.realm, text = names.description
            try realm.write { holder.dogs.removeLast() }
            #expect(
                place == realm && frozen.isFrozen && Array(frozen) == ["Rex", "Bo"]
                    && Array(names) == ["Rex"])
            #expect(text.contains("Rex") && text.contains("Bo"))
        }
    }

    // MARK: Sections

    @Test func sectionsAsTheirProtocol() throws {
        try withTemporaryRealm { realm in
            try realm.write {
                for name in ["Ada", "Ann", "Bob"] {
                    realm.create(
                        Fixture.Person.self,
                        value: ["id": name.hashValue, "name": name] as [String: Any])
                }
            }
            let sections = realm.objects(Fixture.Person.self).sectioned(
                by: { String($0.name.prefix(1)) }, sortDescriptors: ["name"])
            func frozen<Result: RealmSectionedResult>(_ result: Result) -> Result {
                result.freeze()
            }
            func thawed<Result: RealmSectionedResult>(_ result: Result) -> Result? { result.thaw() }
            let before = frozen(sections), first = frozen(sections[0])
            try realm.write {
                realm.delete(realm.objects(Fixture.Person.self).where { $0.name == "Ada" })
            }
            #expect(before[0].count == 2 && first.count == 2 && sections[0].count == 1)
            #expect(thawed(before)?[0].count == 1 && thawed(first)?.count == 1)
            let id = first.id, isFrozen = first.isFrozen, place = sections[0].realm
            #expect(id == "A" && isFrozen && place == realm)
            let all = sections.freeze(), part = sections[0].freeze()
            #expect(all.isFrozen && part.isFrozen)
        }
    }

    // MARK: Protocols

    private func isLive<Value: ThreadConfined>(_ value: Value) -> Bool {
        !value.isFrozen && !value.isInvalidated && value.realm != nil
    }
    private func frozen<Value: ThreadConfined>(_ value: Value) -> Value { value.freeze() }
    private func thawed<Value: ThreadConfined>(_ value: Value) -> Value? { value.thaw() }

    @Test func genericCodeOfConfinedValues() throws {
        try withTemporaryRealm { realm in
            let dog = try realm.write { realm.create(Fixture.Dog.self, value: ["name": "Rex"]) }
            let dogs = realm.objects(Fixture.Dog.self)
            #expect(isLive(dog) && isLive(dogs))
            let other = frozen(dog), others = frozen(dogs)
            try realm.write { realm.delete(dog) }
            #expect(
                other.name == "Rex" && others.count == 1 && thawed(other) == nil
                    && thawed(others)?.count == 0)
            #expect(!isLive(dog) && !isLive(other) && isLive(dogs))
        }
    }

    @Test func classesByTheirProtocol() {
        func name<Fetched: RealmFetchable>(_ type: Fetched.Type) -> String { type.className() }
        let object = name(Fixture.Dog.self), projection = name(DogProjection.self),
            direct = DogProjection.className()
        #expect(object == "Fixture_Dog" && projection == "Fixture_Dog" && direct == "Fixture_Dog")
    }

    @Test func customValuesByTheirProtocol() {
        func again<Value: CustomPersistable>(_ value: Value) -> Value {
            Value(persistedValue: value.persistableValue)
        }
        func perhaps<Value: FailableCustomPersistable>(_ value: Value) -> Value? {
            Value(persistedValue: value.persistableValue)
        }
        let same = again(MemberLength(7)), failable = perhaps(MemberLength(7))
        #expect(same == MemberLength(7) && failable == same)
    }

    @Test func identifiersByTheirProtocol() throws {
        final class Keyed: Object, ObjectKeyIdentifiable { @Persisted var name = "" }
        func identifier<Value: ObjectKeyIdentifiable>(_ value: Value) -> Value.ID { value.id }
        try withTemporaryRealm([Keyed.self]) { realm in
            let one = try realm.write { realm.create(Keyed.self) },
                two = try realm.write { realm.create(Keyed.self) }
            let again = identifier(realm.objects(Keyed.self)[0])
            #expect(identifier(one) == again && identifier(one) != identifier(two))
        }
    }

    // MARK: Values

    @Test func partsOfRegions() throws {
        let point = try #require(GeoPoint(latitude: 3, longitude: 4))
        let latitude = point.latitude, longitude = point.longitude
        let circle = try #require(GeoCircle(center: point, radiusInRadians: 0.5))
        let center = circle.center
        #expect(latitude == 3 && longitude == 4 && center == point)
        let corners = [(0.0, 0.0), (0.0, 2.0), (2.0, 0.0), (0.0, 0.0)].compactMap {
            GeoPoint(latitude: $0.0, longitude: $0.1)
        }
        let inner = [(0.1, 0.1), (0.1, 0.2), (0.2, 0.1), (0.1, 0.1)].compactMap {
            GeoPoint(latitude: $0.0, longitude: $0.1)
        }
        let polygon = try #require(GeoPolygon(outerRing: corners, holes: inner))
        let holes = polygon.holes
        #expect(holes == [inner])
    }

    @Test func optionsAsNumbers() {
        let insensitive = StringOptions.caseInsensitive.rawValue,
            diacritics = StringOptions.diacriticInsensitive.rawValue
        #expect(insensitive == 1 && diacritics == 2)
    }

    @Test func schemasAsText() throws {
        try withTemporaryRealm { realm in
            let schema = try #require(realm.schema["Fixture_Dog"])
            let text = schema.description
            #expect(text.hasPrefix("Fixture_Dog {") && text.contains("name"))
        }
    }
}
