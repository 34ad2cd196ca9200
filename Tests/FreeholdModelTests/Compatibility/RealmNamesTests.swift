import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// Names of Realm's API, with its signatures and what it does.
@Suite struct RealmNamesTests {
    final class Shop: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var title = ""
        @Persisted var opened: Date?
        @Persisted var branches: Map<String, Branch?>
        @Persisted var list: List<Branch>
        @Persisted var address: Spot?
        @Persisted var spots: List<Spot>
        @Persisted var spotMap: Map<String, Spot?>
        override class func _realmObjectName() -> String? { "RenamedShop" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Branch: Object {
        @Persisted var name = ""
        @Persisted var size: Int?
        @Persisted var rent = 0.0
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Spot: EmbeddedObject {
        @Persisted var city = ""
        @Persisted var height = 0
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    enum Level: Int, PersistableEnum { case low, high }

    final class ShopProjection: Projection<Shop> {
        @Projected(\Shop.title) var name
        @Projected(\Shop.address?.city) var city
        @Projected(\Shop.list.projectTo.name) var branchNames: ProjectedCollection<String>
        @Projected(\Shop.spots.projectTo.city) var cities: ProjectedCollection<String>
    }

    private func withShop(_ body: (Realm, Shop) throws -> Void) throws {
        try withTemporaryRealm([Shop.self, Branch.self, Spot.self]) { realm in
            let shop = try realm.write {
                realm.create(
                    Shop.self,
                    value: [
                        "id": 1, "title": "s", "opened": Date(timeIntervalSince1970: 5),
                        "branches": [
                            "a": ["A", 3, 1.5], "b": ["B", 1, 2.5], "c": ["C", nil, 0.5], "d": nil,
                        ] as [String: [Any?]?],
                        "list": [["x", 2, 1], ["y", 5, 2]] as [[Any]], "address": ["Rome"],
                        "spots": [["Oslo", 1], ["Bern", 2]] as [[Any]],
                        "spotMap": ["k": ["Kiel", 7]] as [String: [Any]],
                    ] as [String: Any])
            }
            try body(realm, shop)
        }
    }

    @Test func mapsOfObjects() throws {
        try withShop { realm, shop in
            let branches = shop.branches
            #expect(
                branches.min(of: \.size) == 1 && branches.max(of: \.size) == 3
                    && branches.sum(of: \.rent) == 4.5)
            #expect(branches.average(of: \.size) == 2 && branches.sum(of: \.size) == 4)
            #expect(branches.sorted(by: \.rent).map { $0?.name } == ["C", "A", "B"])
            #expect(branches.sorted(by: \.name, ascending: false).first??.name == "C")
            #expect(
                shop.spotMap.max(of: \.height) == 7 && shop.spotMap.sorted(by: \.city).count == 1)
            let unmanaged = Shop()
            unmanaged.branches["a"] = Branch(value: ["A", 4])
            #expect(
                unmanaged.branches.max(of: \.size) == 4 && unmanaged.branches.min(of: \.rent) == 0)
            let typed: Branch?? = branches.object(forKey: "a")
            #expect(
                typed??.name == "A" && branches.object(forKey: "z") == nil
                    && branches.object(forKey: "d") == .some(nil))
            func has<Keyed: RealmKeyedCollection>(_ keyed: Keyed, _ key: Keyed.Key) -> Bool {
                keyed.contains { k, _ in k == key }
            }
            #expect(has(branches, "a") && !has(branches, "z"))
        }
    }

    @Test func classes() throws {
        let name = "RealmNamesTests_Shop"
        #expect(
            Shop.className() == name && Branch._realmObjectName() == nil
                && Shop.sharedSchema()?.className == name)
        #expect(
            Spot.isEmbedded() && !Shop.isEmbedded()
                && Shop.sharedSchema()?["title"]?.type == .string)
        #expect(InvalidModels.NoProperties.sharedSchema() == nil)
        try withShop { realm, shop in
            #expect(
                realm.schema[name]?.className == name && realm.schema["RenamedShop"] == nil
                    && realm.dynamicObjects(name).count == 1)
            #expect(
                shop.description.hasPrefix("\(name) {\n") && shop.objectSchema.className == name)
        }
    }

    @Test func names() {
        #expect(
            _name(for: \Shop.title) == "title" && _name(for: \Shop.address?.city) == "address.city")
        #expect(_name(for: \ShopProjection.city) == "address.city")
        func isSortable(_: (some KeypathSortable).Type) -> Bool { true }
        #expect(isSortable(Shop.self) && isSortable(Spot.self) && isSortable(ShopProjection.self))
        #expect(Level() == .low)
        let block: MigrationObjectEnumerateBlock = { old, new in _ = (old, new) }
        block(nil, nil)
    }

    @available(*, deprecated)
    private struct Deprecated {
        enum Old: Int, RealmEnum { case one = 1 }

        static func check() {
            let optional = RealmOptional<Int>(5)
            #expect(
                optional.value == 5 && RealmOptional<Bool>().value == nil
                    && optional == RealmOptional<Int>(5))
            optional.value = nil
            let property = RealmProperty<String?>()
            #expect(property.value == nil && RealmProperty<AnyRealmValue>().value == .none)
            property.value = "a"
            #expect(property != RealmProperty<String?>() && Old.one.rawValue == 1)
        }
    }

    @available(*, deprecated)
    @Test func oldDeclarations() { Deprecated.check() }

    @Test func untypedAggregates() throws {
        try withShop { realm, shop in
            let branches = realm.objects(Branch.self)
            #expect(
                branches.max(ofProperty: "size") as NSNumber? == 5
                    && branches.min(ofProperty: "rent") as NSNumber? == 0.5)
            #expect(
                branches.sum(ofProperty: "size") as NSNumber == 11
                    && branches.average(ofProperty: "size") as NSNumber? == 2.75)
            #expect(
                realm.objects(Shop.self).max(ofProperty: "opened") as NSDate?
                    == NSDate(timeIntervalSince1970: 5))
            #expect(
                shop.list.sum(ofProperty: "rent") as NSNumber == 3
                    && shop.branches.max(ofProperty: "size") as NSNumber? == 3)
            #expect(branches.where { $0.size > 100 }.max(ofProperty: "size") as NSNumber? == nil)
        }
    }

    @Test func valuesByName() throws {
        try withShop { realm, shop in
            let names: [AnyObject] = shop.list.value(forKey: "name")
            #expect(names as? [String] == ["x", "y"])
            let sizes: [AnyObject] = shop.list.value(forKeyPath: "size")
            #expect(sizes.compactMap { $0 as? Int } == [2, 5])
            #expect(shop.list.value(forKey: "name") as? [String] == ["x", "y"])
            #expect(
                (shop.branches.value(forKey: "d") as? NSNull) != nil
                    && shop.branches.value(forKey: "z") == nil)
            let dynamic = realm.dynamicObjects(Shop.className())[0]
            try realm.write { dynamic.setValue("new", forUndefinedKey: "title") }
            #expect(dynamic.value(forUndefinedKey: "title") as? String == "new")
        }
        let any = List<AnyRealmValue>()
        any.append(objectsIn: [.int(1), .string("a"), .none])
        let held = any.value(forKey: "self") as? [Any?]
        #expect(held?.count == 3 && held?[0] as? Int == 1 && held?[1] as? String == "a")
        let set = MutableSet<Int>()
        set.insert(objectsIn: [1, 2, 1])
        #expect(set.value(forKey: "self") as? Set<Int> == [1, 2])
        let map = Map<String, AnyRealmValue>()
        map["a"] = .int(1)
        #expect(map.value(forKey: "a") as? Int == 1)
    }

    @Test func setsHaveEachValueOnce() throws {
        let set = MutableSet<Branch>()
        set.insert(objectsIn: [
            Branch(value: ["a", 1]), Branch(value: ["a", 2]), Branch(value: ["b"]),
        ])
        #expect((set.value(forKey: "name") as? Set<AnyHashable>) == ["a", "b"])
        #expect((set.value(forKeyPath: "size") as? Set<AnyHashable>)?.count == 3)
    }

    @Test func projections() throws {
        try withShop { realm, shop in
            let projection = try #require(realm.objects(ShopProjection.self).first)
            let lines = "\(projection)".split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.first?.hasPrefix("ShopProjection<RealmNamesTests_Shop> <0x") == true)
            #expect(
                Array(lines.dropFirst()) == [
                    "\t\tname(\\.title) = s;", "\tcity(\\.address.city) = Optional(\"Rome\");",
                    "\tbranchNames(\\.list) = ProjectedCollection<String> {", "\t[0] x", "\t[1] y",
                    "};",
                    "\tcities(\\.spots) = ProjectedCollection<String> {", "\t[0] Oslo",
                    "\t[1] Bern", "};", "}",
                ])
            let names = shop.list.projectTo.name
            #expect(
                names.index(matching: "size == %@", 5) == 1
                    && names.index(matching: NSPredicate(format: "name == 'z'")) == nil)
            #expect(Array(shop.spots.projectTo.city) == ["Oslo", "Bern"])
            let heights = shop.spots.projectTo.height
            try realm.write { heights[1] = 9 }
            #expect(shop.spots[1].height == 9 && heights.index(of: 9) == 1)
            // Two projections of one row, whose objects are two.
            let branch = realm.objects(Branch.self)
            let (a, b) = (
                BranchProjection(projecting: branch[0]), BranchProjection(projecting: branch[0])
            )
            #expect(
                branch[0] !== branch[0] && a == b && a.hashValue == b.hashValue
                    && a != BranchProjection(projecting: branch[1]))
        }
    }

    final class BranchProjection: Projection<Branch> {
        @Projected(\Branch.name) var name
    }

    @Test func anyValuesOfObjectsWithoutAKey() throws {
        try withTemporaryRealm([
            ObjectShapes.self, ShapeTarget.self, PlaceRecord.self, SpanRecord.self,
            CustomEmbedded.Trip.self,
        ]) { realm in
            let object = try realm.write {
                realm.create(
                    ObjectShapes.self,
                    value: ["any": [ShapeTarget(), ["a": ShapeTarget()]] as [Any]] as [String: Any])
            }
            #expect(object.any == object.any && object.any.hashValue == object.any.hashValue)
            #expect(object.any.listValue?[0] != object.any.listValue?[1].dictionaryValue?["a"])
            #expect(object.any.listValue?[0] == object.any.listValue?[0])
        }
    }

    @Test func errors() throws {
        let error = Realm.Error(
            .fileAccess, userInfo: [NSLocalizedDescriptionKey: "no", NSFilePathErrorKey: "/a"])
        #expect(error.message == "no" && error.fileURL?.path == "/a" && error.code == .fileAccess)
        #expect(error.userInfo[NSFilePathErrorKey] as? String == "/a")
        #expect(
            error ~= Realm.Error(.fileAccess, "other") && !(error ~= Realm.Error(.fail))
                && !(error ~= CocoaError(.fileNoSuchFile)))
        #expect(
            Realm.Error(.fail, userInfo: [:]) == Realm.Error(.fail)
                && Realm.Error.callFailed == .fail)
        try withTemporaryDirectory { directory in
            let missing = #expect(throws: Realm.Error.self) {
                try schemaVersionAtURL(directory.file())
            }
            #expect(missing?.code == .invalidDatabase)
            #expect(
                missing?.message
                    == "Realm at path '\(directory.file().path)' has not been initialized.")
        }
        let device = #expect(throws: Realm.Error.self) {
            try schemaVersionAtURL(URL(fileURLWithPath: "/dev/null"))
        }
        #expect(device?.code == .fileAccess)
        let below = #expect(throws: Realm.Error.self) {
            try Realm(
                configuration: .init(
                    fileURL: URL(fileURLWithPath: "/dev/null/foo"), objectTypes: []))
        }
        #expect(below?.code == .fileOperationFailed)
    }

    @Test func decimals() {
        let (a, b): (Decimal128, Decimal128) = (7, 2)
        #expect(a.decimalNumber(byAdding: b) == 9 && a.decimalNumber(bySubtracting: b) == 5)
        #expect(
            a.decimalNumber(byMultiplyingBy: b) == 14 && a.decimalNumber(byDividingBy: b) == 3.5)
        #expect(
            b.isLessThan(a) && !a.isLessThan(b) && a.isGreaterThan(b)
                && a.isGreaterThanOrEqual(to: a) && b.isLessThanOrEqual(to: b))
        let null = Decimal128(value: NSNull())
        #expect(null.isNaN && null.isSignalingNaN && !null.isLessThan(1) && !null.isGreaterThan(1))
        #expect(
            ("1.5E2" as Decimal128).description == "1.5E2"
                && (("1.234567" as Decimal128) + "9.876543").description == "11.11111")
        #expect((("2.5" as Decimal128) - "3.5").description == "-1")
    }

    @Test func circles() throws {
        let circle = try #require(GeoCircle(center: (1, 2), radiusInRadians: 0.5))
        #expect(circle.radians == 0.5)
    }

    @Test func missingKeysOfOptionals() throws {
        struct Wrapper<Value: Codable & ExpressibleByNilLiteral>: Codable, OptionalCodingWrapper {
            var wrappedValue: Value
            init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
        }
        struct Holder: Decodable { var a: Wrapper<Int?> }
        #expect(try JSONDecoder().decode(Holder.self, from: Data("{}".utf8)).a.wrappedValue == nil)
        func wrapped<W: OptionalCodingWrapper>(_: W.Type, _ value: W.WrappedType) -> W {
            W(wrappedValue: value)
        }
        _ = wrapped(Persisted<Int?>.self, nil)
    }
}
