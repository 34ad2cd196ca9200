import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// Every shape of property that Realm has opens a realm and keeps its values through the file.
@Suite struct PropertyShapeTests {
    private static let types: [any ShapeValue.Type] = [
        Bool.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self, Float.self, Double.self,
        String.self, Data.self,
        Date.self, Decimal128.self, ObjectId.self, UUID.self,
        ShapeEnum8.self, ShapeEnum16.self, ShapeEnum32.self, ShapeEnum64.self, ShapeEnumInt.self,
        ShapeEnumFloat.self,
        ShapeEnumDouble.self, ShapeEnumText.self,
        Wrapped<Bool>.self, Wrapped<Int>.self, Wrapped<Int8>.self, Wrapped<Int16>.self,
        Wrapped<Int32>.self, Wrapped<Int64>.self,
        Wrapped<Float>.self, Wrapped<Double>.self, Wrapped<String>.self, Wrapped<Data>.self,
        Wrapped<Date>.self,
        Wrapped<Decimal128>.self, Wrapped<ObjectId>.self, Wrapped<UUID>.self,
        PartlyWrapped<Bool>.self, PartlyWrapped<Int>.self, PartlyWrapped<Int8>.self,
        PartlyWrapped<Int16>.self,
        PartlyWrapped<Int32>.self, PartlyWrapped<Int64>.self, PartlyWrapped<Float>.self,
        PartlyWrapped<Double>.self,
        PartlyWrapped<String>.self, PartlyWrapped<Data>.self, PartlyWrapped<Date>.self,
        PartlyWrapped<Decimal128>.self,
        PartlyWrapped<ObjectId>.self, PartlyWrapped<UUID>.self,
    ]

    @Test func valuesOfAllTypesInAllShapes() throws {
        for type in Self.types { try check(type) }
    }

    private func check<Value: ShapeValue>(_: Value.Type) throws {
        let (a, b) = Value.samples
        try withTemporaryRealm([Shapes<Value>.self]) { realm in
            let object = Shapes<Value>()
            try realm.write { realm.add(object) }
            #expect(
                object.optional == nil && object.list.isEmpty && object.map.count == 0,
                "\(Value.self)")
            try realm.write {
                object.one = a
                object.optional = b
                object.list.append(objectsIn: [a, b, a])
                object.optionalList.append(objectsIn: [a, nil, b])
                object.set.insert(objectsIn: [a, b, a])
                object.optionalSet.insert(objectsIn: [a, nil, a])
                (object.map["x"], object.map["y"]) = (a, b)
                (object.optionalMap["x"], object.optionalMap["y"]) = (a, .some(nil))
            }
            for found in [object, try #require(realm.objects(Shapes<Value>.self).first).freeze()] {
                #expect(found.one == a && found.optional == b, "\(Value.self)")
                #expect(
                    Array(found.list) == [a, b, a] && Array(found.optionalList) == [a, nil, b],
                    "\(Value.self)")
                #expect(
                    Set(found.set) == [a, b] && Set(found.optionalSet) == [a, nil], "\(Value.self)")
                #expect(
                    found.map["x"] == a && found.map["y"] == b && found.map.count == 2,
                    "\(Value.self)")
                #expect(
                    found.optionalMap["x"] == a && found.optionalMap["y"] == .some(nil),
                    "\(Value.self)")
            }
            let copy = Shapes<Value>(value: object)
            copy.id = 1
            try realm.write { realm.add(copy) }
            #expect(
                copy.one == a && Array(copy.optionalList) == [a, nil, b]
                    && copy.optionalMap["y"] == .some(nil), "\(Value.self)")
        }
    }

    @Test func indexes() throws {
        func check<Value: ShapeValue>(_: Value.Type) throws where Value.PersistedType: _Indexable {
            let (a, b) = Value.samples
            try withTemporaryRealm([IndexShapes<Value>.self]) { realm in
                try realm.write {
                    for (id, value) in [a, b, nil].enumerated() {
                        let object = IndexShapes<Value>()
                        (object.id, object.one, object.optional) = (id, value ?? a, value)
                        realm.add(object)
                    }
                }
                let all = realm.objects(IndexShapes<Value>.self)
                #expect(all.where { $0.one == a }.map(\.id) == [0, 2], "\(Value.self)")
                #expect(
                    all.where { $0.optional == b }.map(\.id) == [1]
                        && all.where { $0.optional == nil }.map(\.id) == [2], "\(Value.self)")
                #expect(realm.schema["IndexShapes"]?["one"]?.isIndexed == true)
            }
        }
        try check(Bool.self)
        try check(Int.self)
        try check(Int8.self)
        try check(Int16.self)
        try check(Int32.self)
        try check(Int64.self)
        try check(String.self)
        try check(Date.self)
        try check(ObjectId.self)
        try check(UUID.self)
        try check(ShapeEnum8.self)
        try check(ShapeEnumInt.self)
        try check(ShapeEnumText.self)
        try check(Wrapped<Int>.self)
        try check(Wrapped<Date>.self)
        try check(PartlyWrapped<UUID>.self)
    }

    @Test func primaryKeys() throws {
        func check<Value: ShapeValue>(_: Value.Type) throws where Value.PersistedType: _PrimaryKey {
            let (a, b) = Value.samples
            try withTemporaryRealm([KeyShapes<Value>.self, OptionalKeyShapes<Value>.self]) {
                realm in
                try realm.write {
                    for id in [a, b] {
                        realm.create(KeyShapes<Value>.self, value: [id])
                        realm.create(OptionalKeyShapes<Value>.self, value: [id])
                    }
                    realm.create(OptionalKeyShapes<Value>.self, value: [NSNull()])
                }
                for id in [a, b] {
                    #expect(
                        realm.object(ofType: KeyShapes<Value>.self, forPrimaryKey: id)?.id == id,
                        "\(Value.self)")
                    #expect(
                        realm.object(ofType: OptionalKeyShapes<Value>.self, forPrimaryKey: id)?.id
                            == id, "\(Value.self)")
                }
                let none = realm.object(
                    ofType: OptionalKeyShapes<Value>.self, forPrimaryKey: Value?.none)
                #expect(none != nil && none?.id == nil, "\(Value.self)")
            }
        }
        try check(Int.self)
        try check(Int8.self)
        try check(Int16.self)
        try check(Int32.self)
        try check(Int64.self)
        try check(String.self)
        try check(ObjectId.self)
        try check(UUID.self)
        try check(ShapeEnum16.self)
        try check(ShapeEnumText.self)
        try check(Wrapped<Int>.self)
        try check(Wrapped<String>.self)
        try check(PartlyWrapped<ObjectId>.self)
    }

    private static let objectTypes: [ObjectBase.Type] = [
        ObjectShapes.self, ShapeTarget.self, PlaceRecord.self, SpanRecord.self,
        CustomEmbedded.Trip.self,
    ]

    @Test func objectsInAllShapes() throws {
        try withTemporaryRealm(Self.objectTypes) { realm in
            let object = ObjectShapes()
            let target = ShapeTarget()
            target.name = "t"
            object.link = target
            object.links.append(objectsIn: [target, target])
            object.linkSet.insert(target)
            (object.linkMap["a"], object.linkMap["b"]) = (target, .some(nil))
            object.owned = PlaceRecord(value: [1, 2])
            object.ownedList.append(PlaceRecord(value: [3, 4]))
            (object.ownedMap["a"], object.ownedMap["b"]) = (PlaceRecord(value: [5, 6]), .some(nil))
            (object.place, object.optionalPlace) = (Place(7), Place(8))
            object.places.append(objectsIn: [Place(9), Place(10)])
            (object.placeMap["a"], object.placeMap["b"]) = (Place(11), Place(12))
            (object.optionalPlaceMap["a"], object.optionalPlaceMap["b"]) = (Place(13), .some(nil))
            object.spanMap["a"] = Span(1, 2)
            (object.any, object.indexedAny) = (.int(1), .string("x"))
            object.anyList.append(objectsIn: [
                .object(target), .none, .fromArray([.int(1), .string("a")]),
            ])
            object.anySet.insert(objectsIn: [.int(1), .double(1), .string("a")])
            object.anyMap["a"] = .double(1.5)
            try realm.write { realm.add(object) }
            for found in [object, try #require(realm.objects(ObjectShapes.self).first).freeze()] {
                #expect(
                    found.link?.name == "t" && found.links.count == 2 && found.linkSet.count == 1)
                #expect(found.linkMap["a"]??.name == "t" && found.linkMap["b"] == .some(nil))
                #expect(found.owned?.latitude == 1 && found.ownedList[0].latitude == 3)
                #expect(found.ownedMap["a"]??.latitude == 5 && found.ownedMap["b"] == .some(nil))
                #expect(
                    found.place == Place(7) && found.optionalPlace == Place(8)
                        && Array(found.places) == [Place(9), Place(10)])
                #expect(
                    found.placeMap["a"] == Place(11) && found.placeMap["b"] == Place(12)
                        && found.placeMap["c"] == nil)
                #expect(
                    found.optionalPlaceMap["a"] == Place(13)
                        && found.optionalPlaceMap["b"] == .some(nil))
                #expect(found.spanMap["a"] == Span(1, 2))
                #expect(
                    found.any == .int(1) && found.indexedAny == .string("x")
                        && found.anyList.count == 3)
                #expect(found.anySet.count == 2 && found.anyMap["a"] == .double(1.5))
                #expect(found.link?.origins.count == 1)
            }
        }
    }

    @Test func mapsOfValuesStoredAsEmbeddedObjects() throws {
        try withTemporaryRealm(Self.objectTypes) { realm in
            let object = try realm.write {
                realm.create(
                    ObjectShapes.self, value: ["placeMap": ["a": [1, 2], "b": ["latitude": 3]]])
            }
            #expect(object.placeMap["a"] == Place(1, 2) && object.placeMap["b"] == Place(3))
            #expect(
                realm.schema["ObjectShapes"]?["placeMap"]?.isOptional == true,
                "as Realm's maps of objects")
            try realm.write {
                object.placeMap["a"] = Place(4)
                object.placeMap["b"] = nil
                object.placeMap["c"] = Place(5)
            }
            #expect(
                object.placeMap.keys == ["a", "c"]
                    && Array(object.placeMap.values) == [Place(4), Place(5)])
            // What holds the value may be deleted by itself; then the value is the default, as
            // that of a property.
            try realm.write {
                realm.delete(
                    try #require(
                        realm.dynamicObjects("ObjectShapes")[0].dynamicMap("placeMap")["a"] ?? nil))
            }
            #expect(object.placeMap["a"] == Place(0) && object.placeMap.count == 2)
            #expect(object.placeMap.map(\.value) == [Place(0), Place(5)])
        }
    }

    /// Realm has an index here. The declaration is accepted, and queries answer as they do
    /// without one.
    @Test func indexedAnyValues() throws {
        try withTemporaryRealm(Self.objectTypes) { realm in
            try realm.write {
                for (id, value) in [AnyRealmValue.int(1), .double(1), .string("1"), .none]
                    .enumerated()
                {
                    realm.create(ObjectShapes.self, value: ["id": id, "indexedAny": value])
                }
            }
            let all = realm.objects(ObjectShapes.self)
            #expect(all.where { $0.indexedAny == .int(1) }.map(\.id) == [0, 1])
            #expect(all.where { $0.indexedAny == .none }.map(\.id) == [3])
            #expect(realm.schema["ObjectShapes"]?["indexedAny"]?.isIndexed == true)
        }
    }
}
