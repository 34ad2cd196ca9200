import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// Values up to the limit are kept, longer ones are an error of the commit; keys of any length
/// are keys.
@Suite struct LongValueTests {
    private static let longest = 0xFF_FFF8

    final class Page: Object {
        @Persisted(primaryKey: true) var id = ""
        @Persisted(indexed: true) var title = ""
        @Persisted var body = Data()
    }

    final class Heading: Object {
        @Persisted var text: String?
    }

    private static let types: [ObjectBase.Type] = [Page.self, Heading.self]

    private func text(_ length: Int) -> String { String(repeating: "x", count: length) }

    @Test func theLongestValuesAreKept() throws {
        try withTemporaryRealm(Self.types) { realm in
            let page = Page()
            page.id = text(Self.longest)
            page.title = text(Self.longest)
            page.body = Data(repeating: 7, count: Self.longest)
            try realm.write { realm.add(page) }
            #expect(page.title.utf8.count == Self.longest)
            #expect(page.body == Data(repeating: 7, count: Self.longest))
            #expect(realm.object(ofType: Page.self, forPrimaryKey: text(Self.longest)) == page)
            #expect(realm.objects(Page.self).where { $0.title == text(Self.longest) }.count == 1)
        }
    }

    enum Way: CaseIterable { case setter, add, create, primaryKey }

    @Test(arguments: Way.allCases)
    func longerValuesAreAnErrorOfTheCommit(way: Way) throws {
        try withTemporaryRealm(Self.types) { realm in
            let page = try realm.write {
                realm.create(Page.self, value: ["id": "first", "title": "old"])
            }
            let error = #expect(throws: Realm.Error.self) {
                try realm.write {
                    realm.add(Heading())
                    switch way {
                    case .setter:
                        page.title = text(Self.longest + 1)
                        #expect(page.title.utf8.count == Self.longest + 1)
                    case .add:
                        let heading = Heading()
                        heading.text = text(Self.longest + 1)
                        realm.add(heading)
                    case .create:
                        realm.create(
                            Page.self, value: ["id": "x", "body": Data(count: Self.longest + 1)])
                    case .primaryKey: realm.create(Page.self, value: ["id": text(Self.longest + 1)])
                    }
                }
            }
            let property =
                switch way {
                case .setter: "LongValueTests_Page.title"
                case .add: "LongValueTests_Heading.text"
                case .create: "LongValueTests_Page.body"
                case .primaryKey: "LongValueTests_Page.id"
                }
            #expect(error?.code == .valueTooLarge)
            #expect(error?.fileURL == realm.configuration.fileURL)
            #expect(
                error?.message.contains("A value of \(property) has \(Self.longest + 1) bytes")
                    == true, "\(String(describing: error))")
            #expect(error?.message.contains(realm.configuration.fileURL?.path ?? "no file") == true)
            // Nothing changed, and the realm goes on.
            #expect(!realm.isInWriteTransaction)
            #expect(page.title == "old")
            #expect(realm.objects(Page.self).count == 1)
            #expect(realm.objects(Heading.self).isEmpty)
            try realm.write { page.title = "new" }
            #expect(page.title == "new")
        }
    }

    @Test func longerValuesThatDoNotStayDoNoHarm() throws {
        try withTemporaryRealm(Self.types) { realm in
            try realm.write {
                let page = realm.create(Page.self, value: ["id": "first"])
                page.body = Data(count: Self.longest + 1)
                page.body = Data(count: 3)
                let heading = Heading()
                heading.text = text(Self.longest + 1)
                realm.add(heading)
                realm.delete(heading)
            }
            #expect(realm.object(ofType: Page.self, forPrimaryKey: "first")?.body == Data(count: 3))
        }
    }

    /// LMDB's keys have 511 bytes; an index keeps the first 200 of a text and writes zero bytes
    /// as two.
    @Test func textsOfAnyLengthAreKeys() throws {
        try withTemporaryRealm(Self.types) { realm in
            var ids = [0, 1, 199, 200, 201, 255, 400, 511, 512, 513, 2000, 100_000].map { text($0) }
            ids += [100, 200, 201, 511, 600].flatMap { length in
                [
                    String(repeating: "\u{0}", count: length),
                    String(repeating: "\u{10FFFF}", count: length),
                ]
            }
            for change in 0..<2 {
                try realm.write {
                    for (number, id) in ids.enumerated() {
                        realm.create(
                            Page.self,
                            value: [
                                "id": id, "title": id,
                                "body": Data([UInt8(number), UInt8(change)]),
                            ], update: .modified)
                        #expect(
                            realm.object(ofType: Page.self, forPrimaryKey: id)?.body.first
                                == UInt8(number))
                    }
                }
                #expect(realm.objects(Page.self).count == ids.count)
                for (number, id) in ids.enumerated() {
                    let page = try #require(realm.object(ofType: Page.self, forPrimaryKey: id))
                    #expect(page.id == id && page.body == Data([UInt8(number), UInt8(change)]))
                    #expect(
                        realm.objects(Page.self).where { $0.title == id }.map(\.body) == [page.body]
                    )
                }
            }
        }
    }

    /// Long keys that an index cannot tell apart.
    @Test func collidingPrimaryKeysAreTwoObjects() throws {
        let (one, other) = CollidingTexts.make()
        #expect(one != other)
        for isOneTransaction in [true, false] {
            try withTemporaryRealm(Self.types) { realm in
                realm.beginWrite()
                realm.create(Page.self, value: ["id": one, "title": "one"])
                if !isOneTransaction {
                    try realm.commitWrite()
                    #expect(realm.object(ofType: Page.self, forPrimaryKey: other) == nil)
                    realm.beginWrite()
                }
                #expect(realm.object(ofType: Page.self, forPrimaryKey: other) == nil)
                realm.create(Page.self, value: ["id": other, "title": "other"], update: .all)
                #expect(realm.object(ofType: Page.self, forPrimaryKey: one)?.title == "one")
                try realm.commitWrite()
                #expect(realm.object(ofType: Page.self, forPrimaryKey: one)?.title == "one")
                #expect(realm.object(ofType: Page.self, forPrimaryKey: other)?.title == "other")
                #expect(realm.objects(Page.self).where { $0.id == other }.map(\.title) == ["other"])
            }
        }
    }
}

/// Two texts of 288 bytes with the same first 200 and the same XXH64.
///
/// The hash reads stripes of 32 bytes into four lanes, each
/// `rotate(lane + word * prime2, 31) * prime1`. After two stripes with other words the first
/// lane is what it was, if the second word makes up for what the first one changed.
private enum CollidingTexts {
    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F

    private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        let sum = lane &+ word &* prime2
        return (sum << 31 | sum >> 33) &* prime1
    }

    /// Modulo 2^64, by Newton's iteration.
    private static let inverseOfPrime2 = (0..<6).reduce(prime2) { inverse, _ in
        inverse &* (2 &- prime2 &* inverse)
    }

    static func make() -> (String, String) {
        let filler = UInt64(0x6161_6161_6161_6161)
        let lane = (0..<7).reduce(prime1 &+ prime2) { lane, _ in round(lane, filler) }
        let first = round(lane, filler)
        // Some word of letters needs a second word that is ASCII, too: one in 256 does.
        for number in UInt64(1)... {
            let word =
                filler + (number & 7) + (number >> 3 & 7) << 8 + (number >> 6 & 7) << 16
                + (number >> 9 & 7) << 24
            let second = (first &- round(lane, word)) &* inverseOfPrime2 &+ filler
            if second & 0x8080_8080_8080_8080 == 0 {
                return (text(filler, filler), text(word, second))
            }
        }
        preconditionFailure("There is such a word.")
    }

    private static func text(_ first: UInt64, _ second: UInt64) -> String {
        let filler = [UInt8](repeating: 0x61, count: 24)
        func bytes(_ word: UInt64) -> [UInt8] {
            withUnsafeBytes(of: word.littleEndian) { Array($0) }
        }
        return String(
            decoding: [UInt8](repeating: 0x61, count: 224) + bytes(first) + filler + bytes(second)
                + filler, as: UTF8.self)
    }
}
