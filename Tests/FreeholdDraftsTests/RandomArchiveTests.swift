import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Random edits, archived and restored after random commits of others, against the same draft
/// that stayed open.
@Suite struct RandomArchiveTests {
    private struct Editor {
        let realm: Realm
        var random: SeededGenerator
        let prefix: String

        mutating func edit(_ count: Int) {
            for _ in 0..<count { edit() }
        }

        private mutating func person() -> Book.Person? {
            let all = realm.objects(Book.Person.self)
            return all.isEmpty ? nil : all[random.int(0...all.count - 1)]
        }

        private mutating func note() -> Book.Note? {
            let all = realm.objects(Book.Note.self)
            return all.isEmpty ? nil : all[random.int(0...all.count - 1)]
        }

        private mutating func text() -> String { random.pick(["a", "b", "c", "d"]) }

        private mutating func edit() {
            switch random.int(0...11) {
            case 0:
                let id = random.int(1...9)
                if realm.object(ofType: Book.Person.self, forPrimaryKey: id) == nil {
                    realm.create(Book.Person.self, value: ["id": id, "name": text()])
                }
            case 1 where random.once(in: 2): if let person = person() { realm.delete(person) }
            case 2:
                let note = realm.create(Book.Note.self, value: ["text": "\(prefix) \(text())"])
                if random.once(in: 2) { person()?.notes.append(note) }
            case 3:
                guard let note = note() else { return }
                if random.once(in: 5) {
                    realm.delete(note)
                } else if random.once(in: 2) {
                    note.lines.append(text())
                } else {
                    note.other = self.note()
                }
            case 4: editCountry()
            case 5: realm.create(Book.Order.self, value: ["text": "\(prefix) \(text())"])
            default: if let person = person() { edit(person) }
            }
        }

        private mutating func editCountry() {
            let all = realm.objects(Book.Country.self)
            if !all.isEmpty, random.once(in: 2) {
                let country = all[random.int(0...all.count - 1)]
                if random.once(in: 3) { realm.delete(country) } else { country.name = text() }
                return
            }
            // Not one of the base: deleted and added again, it is another row in a draft that
            // stays open, and the same object in an archive.
            let code = "n\(random.int(0...4))"
            if realm.object(ofType: Book.Country.self, forPrimaryKey: code) == nil {
                realm.create(Book.Country.self, value: ["code": code, "name": text()])
            }
        }

        private mutating func edit(_ person: Book.Person) {
            switch random.int(0...10) {
            case 0: person.name = text()
            case 1: person.age = random.int(0...3)
            case 2: person.nickname = random.once(in: 3) ? nil : text()
            case 3:
                let count = person.tags.count
                if count > 0, random.once(in: 2) {
                    person.tags.remove(at: random.int(0...count - 1))
                } else {
                    person.tags.insert("\(prefix) \(text())", at: random.int(0...count))
                }
            case 4: person.scores.insert(random.int(0...5))
            case 5: person.numbers[text()] = random.once(in: 3) ? nil : text()
            case 6:
                if person.any.dictionaryValue != nil, random.once(in: 3) {
                    person.any.dictionaryValue?[text()] = .string(text())
                } else {
                    let partner = self.person()
                    person.any = random.pick([
                        .none, .int(random.int(0...2)), partner.map { .object($0) } ?? .none,
                        .fromDictionary(["a": .string(text()), "b": .int(1)]),
                    ])
                }
            case 7:
                if let home = person.home, random.once(in: 2) {
                    home.city = text()
                } else {
                    person.home =
                        random.once(in: 3)
                        ? nil : Book.Address(value: ["street": text(), "city": text()])
                }
            case 8:
                let count = person.addresses.count
                if count > 0, random.once(in: 3) {
                    person.addresses.remove(at: random.int(0...count - 1))
                } else if count > 0, random.once(in: 2) {
                    person.addresses[random.int(0...count - 1)].city = text()
                } else {
                    person.addresses.append(Book.Address(value: ["street": "\(prefix) \(text())"]))
                }
            case 9: person.partner = random.once(in: 4) ? nil : self.person()
            default:
                if let note = note(), person.notes.index(of: note) == nil {
                    person.notes.append(note)
                }
            }
        }
    }

    /// Conflicts without the numbers of rows: new objects of the restored draft have others.
    private static func named(_ conflicts: [DraftConflict.Conflict]) -> [String] {
        conflicts.map { "\($0)".replacing(/#[0-9]+/, with: "#") }
    }

    /// All that a realm holds, as text.
    ///
    /// - Parameter links: Whether with links to independent objects.
    private static func contents(_ realm: Realm, links: Bool) -> [String] {
        func note(_ note: Book.Note) -> String { "\(note.text) \(Array(note.lines))" }
        func address(_ address: Book.Address?) -> String {
            address.map { "\($0.street), \($0.city)" } ?? "-"
        }
        func any(_ value: AnyRealmValue) -> String {
            if case .object = value {
                return links ? "\(value.object(Book.Person.self)?.id ?? -1)" : ""
            }
            if let map = value.dictionaryValue {
                return "\(map.keys.sorted().map { "\($0): \(map[$0].map { "\($0)" } ?? "")" })"
            }
            return links ? "\(value)" : ""
        }
        var lines: [String] = realm.objects(Book.Person.self).sorted(by: \.id).map { person in
            let numbers = person.numbers.keys.sorted().map { "\($0)=\(person.numbers[$0] ?? "")" }
            let linked = links ? "\(person.partner?.id ?? -1) \(Array(person.notes.map(note)))" : ""
            return """
                \(person.id) \(person.name) \(person.age) \(person.nickname ?? "-") \
                \(Array(person.tags)) \(Array(person.scores).sorted()) \(numbers) \
                \(any(person.any)) \
                \(address(person.home)) \(Array(person.addresses.map { address($0) })) \(linked)
                """
        }
        lines += realm.objects(Book.Note.self).map {
            note($0) + (links ? $0.other.map { " -> \(note($0))" } ?? "" : "")
        }.sorted()
        lines += realm.objects(Book.Country.self).sorted(by: \.code).map { "\($0.code) \($0.name)" }
        lines += realm.objects(Book.Order.self).sorted(by: \.id).map { "\($0.id) \($0.text)" }
        return lines
    }

    @Test func sameAsADraftThatStaysOpen() throws {
        var random = Seed.random()
        let seed = random.seed
        var (conflictCount, silentCount) = (0, 0)
        for round in 0..<Stress.rounds(60) {
            let comment = Comment("FREEHOLD_SEED=\(seed), round \(round)")
            try withTemporaryRealm(Book.all) { realm in
                var base = Editor(
                    realm: realm, random: SeededGenerator(seed: UInt64(random.int(0...1 << 40))),
                    prefix: "base")
                try realm.write {
                    for code in 0...3 {
                        realm.create(Book.Country.self, value: ["code": "b\(code)", "name": "x"])
                    }
                    base.edit(random.int(5...60))
                }
                let open = try realm.draft()
                var mine = Editor(
                    realm: open.realm,
                    random: SeededGenerator(seed: UInt64(random.int(0...1 << 40))), prefix: "mine")
                mine.edit(random.int(1...15))
                let archive = try open.archive()
                let (others, count) = (UInt64(random.int(0...1 << 40)), random.int(0...15))
                try Book.elsewhere(realm) {
                    var theirs = Editor(
                        realm: $0, random: SeededGenerator(seed: others), prefix: "theirs")
                    theirs.edit(count)
                }
                realm.refresh()
                let conflicts = try open.conflicts
                if conflicts.isEmpty { silentCount += 1 } else { conflictCount += 1 }
                if !conflicts.isEmpty {
                    let thrown = #expect(throws: DraftConflict.self, comment) {
                        try Draft(restoring: archive, in: realm)
                    }
                    #expect(
                        thrown.map { Self.named($0.conflicts) } == Self.named(conflicts), comment)
                }
                let resolution = random.pick([DraftConflict.Resolution.mine, .theirs])
                let restored = try Draft(restoring: archive, in: realm, resolving: resolution)
                try open.rebase(resolving: resolution)
                // Objects that return are not linked again by those outside of the archive.
                let links =
                    resolution == .theirs
                    || conflicts.allSatisfy {
                        $0.kind == .value || $0.kind == .list
                    }
                #expect(
                    Self.contents(restored.realm, links: links)
                        == Self.contents(open.realm, links: links), comment)
                #expect(restored.hasChanges == open.hasChanges, comment)
                open.discard()
                try restored.save()
            }
        }
        #expect(conflictCount > 5 && silentCount > 5)
    }
}
