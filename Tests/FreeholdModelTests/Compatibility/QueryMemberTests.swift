import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

enum MemberMood: Int, PersistableEnum { case glad = 1, sad = 2, angry = 3 }

/// Stored as its number of millimetres.
struct MemberLength: CustomPersistable, Hashable {
    let millimetres: Int
    init(_ millimetres: Int) { self.millimetres = millimetres }
    init(persistedValue: Int) { millimetres = persistedValue }
    var persistableValue: Int { millimetres }
}

final class MemberItem: Object {
    @Persisted var id = 0
    @Persisted var small: Int?
    @Persisted var limit = 0
    @Persisted var title = ""
    @Persisted var pattern = ""
    @Persisted var numbers: List<Int>
    @Persisted var rare: List<Int?>
    @Persisted var scores: Map<String, Int>
    @Persisted var marks: Map<String, Int?>
    @Persisted var mood = MemberMood.glad
    @Persisted var maybeMood: MemberMood?
    @Persisted var moods: List<MemberMood>
    @Persisted var maybeMoods: List<MemberMood?>
    @Persisted var moodsByName: Map<String, MemberMood>
    @Persisted var maybeMoodsByName: Map<String, MemberMood?>
    @Persisted var lengths: List<MemberLength>
    @Persisted var lengthsByName: Map<String, MemberLength>
    @Persisted var others: List<MemberItem>
    @Persisted var othersByName: Map<String, MemberItem?>
}

/// Members of `Query` for each kind of collection: what they find.
@Suite struct QueryMemberTests {
    private func ids(_ realm: Realm, _ isIncluded: (Query<MemberItem>) -> Query<Bool>) -> [Int] {
        realm.objects(MemberItem.self).where(isIncluded).map(\.id)
    }

    /// 1 has few and small values, 2 large ones, 3 none.
    private func withItems(_ body: (Realm) throws -> Void) throws {
        try withTemporaryRealm([MemberItem.self]) { realm in
            try realm.write {
                realm.create(
                    MemberItem.self,
                    value: [
                        "id": 1, "small": 4, "limit": 1, "title": "hello world", "pattern": "hello",
                        "numbers": [1, 2], "rare": [1, nil],
                        "scores": ["a": 1, "b": 3], "marks": ["a": 2, "b": nil] as [String: Int?],
                        "mood": MemberMood.glad, "maybeMood": MemberMood.sad,
                        "moods": [MemberMood.glad], "maybeMoods": [MemberMood.sad, nil],
                        "moodsByName": ["a": MemberMood.glad],
                        "maybeMoodsByName": ["a": MemberMood.sad],
                        "lengths": [MemberLength(5)], "lengthsByName": ["a": MemberLength(6)],
                    ] as [String: Any])
                let second = realm.create(
                    MemberItem.self,
                    value: [
                        "id": 2, "small": 40, "limit": 5, "title": "world", "pattern": "WORLD",
                        "numbers": [10, 20], "rare": [10],
                        "scores": ["a": 10, "b": 30], "marks": ["a": 20] as [String: Int?],
                        "mood": MemberMood.angry, "moods": [MemberMood.angry, .sad],
                        "moodsByName": ["a": MemberMood.angry],
                        "maybeMoodsByName": ["a": MemberMood.angry], "lengths": [MemberLength(50)],
                        "lengthsByName": ["a": MemberLength(60)],
                    ] as [String: Any])
                let third = realm.create(
                    MemberItem.self,
                    value: ["id": 3, "title": "x", "pattern": "?"] as [String: Any])
                third.others.append(objectsIn: [second, realm.objects(MemberItem.self)[0]])
            }
            try body(realm)
        }
    }

    @Test func rangesOfValues() throws {
        try withItems { realm in
            let whole = ids(realm) { $0.small.contains(4...10) },
                half = ids(realm) { $0.small.contains(4..<40) }
            let one = ids(realm) { $0.id.contains(2...2) },
                below = ids(realm) { $0.id.contains(1..<3) }
            #expect(whole == [1] && half == [1] && one == [2] && below == [1, 2])
        }
    }

    /// All elements are in the range; of none, none is.
    @Test func rangesOfCollections() throws {
        try withItems { realm in
            let list = ids(realm) { $0.numbers.contains(1...2) },
                halfList = ids(realm) { $0.numbers.contains(1..<2) }
            let optionals = ids(realm) { $0.rare.contains(10...11) },
                halfOptionals = ids(realm) { $0.rare.contains(10..<11) }
            let map = ids(realm) { $0.scores.contains(1...3) },
                halfMap = ids(realm) { $0.scores.contains(10..<31) }
            let optionalMap = ids(realm) { $0.marks.contains(20...20) },
                halfOptionalMap = ids(realm) { $0.marks.contains(20..<21) }
            #expect(list == [1] && halfList == [])
            #expect(optionals == [2] && halfOptionals == [2])
            #expect(map == [1] && halfMap == [2])
            #expect(optionalMap == [2] && halfOptionalMap == [2])
        }
    }

    @Test func elements() throws {
        try withItems { realm in
            let list = ids(realm) { $0.numbers.contains(20) },
                map = ids(realm) { $0.scores.contains(3) }
            #expect(list == [2] && map == [1])
            let less = ids(realm) { $0.numbers < 2 }, atMost = ids(realm) { $0.numbers <= 1 }
            let more = ids(realm) { $0.numbers > 10 }, atLeast = ids(realm) { $0.numbers >= 20 }
            #expect(less == [1] && atMost == [1] && more == [2] && atLeast == [2])
            let unequal = ids(realm) { $0.numbers != 1 }
            #expect(unequal == [1, 2])
        }
    }

    @Test func comparedProperties() throws {
        try withItems { realm in
            let atMost = ids(realm) { $0.id <= 1 }, atLeast = ids(realm) { $0.id >= $0.limit },
                unequal = ids(realm) { $0.title != $0.pattern }
            #expect(atMost == [1] && atLeast == [1, 3] && unequal == [1, 2, 3])
            let less = ids(realm) { $0.id <= $0.limit }
            #expect(less == [1, 2])
        }
    }

    @Test func aggregatesOfCollections() throws {
        try withItems { realm in
            let smallest = ids(realm) { $0.numbers.min == 1 },
                largest = ids(realm) { $0.numbers.max == 20 }
            let sum = ids(realm) { $0.numbers.sum == 30 },
                average = ids(realm) { $0.numbers.avg == 15 }
            #expect(smallest == [1] && largest == [2] && sum == [2] && average == [2])
        }
    }

    @Test func aggregatesOfMaps() throws {
        try withItems { realm in
            let smallest = ids(realm) { $0.scores.min == 1 },
                largest = ids(realm) { $0.scores.max == 30 }
            let sum = ids(realm) { $0.scores.sum == 40 },
                average = ids(realm) { $0.scores.avg == 2 }
            #expect(smallest == [1] && largest == [2] && sum == [2] && average == [1])
        }
    }

    @Test func aggregatesOfProperties() throws {
        try withItems { realm in
            let smallest = ids(realm) { $0.others.id.min == 1 },
                largest = ids(realm) { $0.others.id.max == 2 }
            let sum = ids(realm) { $0.others.id.sum == 3 },
                average = ids(realm) { $0.others.id.avg > 1 && $0.others.id.avg < 2 }
            #expect(smallest == [3] && largest == [3] && sum == [3] && average == [3])
        }
    }

    @Test func rawValuesOfEnums() throws {
        try withItems { realm in
            let plain = ids(realm) { $0.mood.rawValue > 2 },
                optional = ids(realm) { $0.maybeMood.rawValue == 2 }
            #expect(plain == [2] && optional == [1])
            let list = ids(realm) { $0.moods.rawValue == 2 },
                optionals = ids(realm) { $0.maybeMoods.rawValue == 2 }
            #expect(list == [2] && optionals == [1])
            let map = ids(realm) { $0.moodsByName.rawValue.values == 3 },
                optionalMap = ids(realm) { $0.maybeMoodsByName.rawValue.values == 2 }
            #expect(map == [2] && optionalMap == [1])
        }
    }

    @Test func storedValuesOfCustomTypes() throws {
        try withItems { realm in
            let list = ids(realm) { $0.lengths.persistableValue > 10 },
                map = ids(realm) { $0.lengthsByName.persistableValue.values < 10 }
            #expect(list == [2] && map == [1])
        }
    }

    @Test func textOfOtherProperties() throws {
        try withItems { realm in
            let contains = ids(realm) { $0.title.contains($0.pattern) },
                starts = ids(realm) { $0.title.starts(with: $0.pattern) }
            #expect(contains == [1] && starts == [1])
            let ends = ids(realm) { $0.title.ends(with: $0.pattern, options: .caseInsensitive) }
            let equal = ids(realm) { $0.title.equals($0.pattern, options: [.caseInsensitive]) }
            #expect(ends == [2] && equal == [2])
            let like = ids(realm) { $0.title.like($0.pattern) },
                unequal = ids(realm) { $0.title.notEquals($0.pattern, options: .caseInsensitive) }
            #expect(like == [3] && unequal == [1, 3])
            let constant = ids(realm) { $0.title.notEquals("WORLD", options: .caseInsensitive) }
            #expect(constant == [1, 3])
        }
    }
}
