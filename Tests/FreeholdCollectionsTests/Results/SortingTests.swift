import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

@Suite struct SortingTests {
    /// Plain Swift's stable sort, nil first.
    private func sorted<Value: Comparable>(
        _ items: [ResultsItem], ascending: Bool = true, _ value: (ResultsItem) -> Value?
    ) -> [Int] {
        let ordered = items.enumerated().sorted { a, b in
            let (x, y) = (value(a.element), value(b.element))
            if x != y {
                let isLess = if let x, let y { x < y } else { x == nil }
                return isLess == ascending
            }
            return a.offset < b.offset
        }
        return ordered.map(\.element.id)
    }

    @Test func everyType() throws {
        try withItems(700) { fixture in
            let (items, plain) = (fixture.items, fixture.plain)
            for ascending in [true, false] {
                let seed: Comment = "FREEHOLD_SEED=\(fixture.generator.seed)"
                #expect(
                    items.sorted(by: \.id, ascending: ascending).map(\.id)
                        == sorted(plain, ascending: ascending, \.id), seed)
                #expect(
                    items.sorted(by: \.age, ascending: ascending).map(\.id)
                        == sorted(plain, ascending: ascending, \.age), seed)
                #expect(
                    items.sorted(by: \.small, ascending: ascending).map(\.id)
                        == sorted(plain, ascending: ascending, \.small), seed)
                #expect(
                    items.sorted(by: \.score, ascending: ascending).map(\.id)
                        == sorted(plain, ascending: ascending, \.score), seed)
                #expect(
                    items.sorted(by: \.weight, ascending: ascending).map(\.id)
                        == sorted(plain, ascending: ascending, \.weight), seed)
                #expect(
                    items.sorted(by: \.joined, ascending: ascending).map(\.id)
                        == sorted(plain, ascending: ascending, \.joined), seed)
                #expect(
                    items.sorted(by: \.left, ascending: ascending).map(\.id)
                        == sorted(plain, ascending: ascending, \.left), seed)
                #expect(
                    items.sorted(by: \.amount, ascending: ascending).map(\.id)
                        == sorted(plain, ascending: ascending, \.amount), seed)
                #expect(
                    items.sorted(byKeyPath: "active", ascending: ascending).map(\.id)
                        == sorted(plain, ascending: ascending) { $0.active ? 1 : 0 }, seed)
                #expect(
                    items.sorted(by: \.name, ascending: ascending).map(\.id)
                        == sorted(plain, ascending: ascending) { Bytes($0.name) }, seed)
                #expect(
                    items.sorted(by: \.note, ascending: ascending).map(\.id)
                        == sorted(plain, ascending: ascending) { $0.note.map(Bytes.init) }, seed)
                #expect(
                    items.sorted(byKeyPath: "owner.name", ascending: ascending).map(\.id)
                        == sorted(plain, ascending: ascending) {
                            Linked($0.owner.map { Bytes($0.name) as Bytes? })
                        }, seed)
                #expect(
                    items.sorted(byKeyPath: "owner.boss.age", ascending: ascending).map(\.id)
                        == sorted(plain, ascending: ascending) {
                            Linked($0.owner?.boss.map(\.age))
                        }, seed)
            }
        }
    }

    /// What is behind links: a value that is nil comes first, a link that is nil last.
    private struct Linked<Value: Comparable>: Comparable {
        let value: Value??
        init(_ value: Value??) { self.value = value }

        static func < (a: Linked, b: Linked) -> Bool {
            switch (a.value, b.value) {
            case (.none, _): false
            case (_, .none): true
            case (.some(let x), .some(let y)):
                if let x, let y { x < y } else { x == nil && y != nil }
            }
        }
    }

    /// Text in the order of its UTF-8 bytes.
    private struct Bytes: Comparable {
        let text: String
        init(_ text: String) { self.text = text }
        static func == (a: Bytes, b: Bytes) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }
        static func < (a: Bytes, b: Bytes) -> Bool {
            a.text.utf8.lexicographicallyPrecedes(b.text.utf8)
        }
    }

    @Test func filteredAndSorted() throws {
        try withItems(700) { fixture in
            let expected = sorted(fixture.plain.filter(\.active), \.score)
            #expect(fixture.items.where { $0.active }.sorted(by: \.score).map(\.id) == expected)
            #expect(fixture.items.sorted(by: \.score).where { $0.active }.map(\.id) == expected)
            let sortedItems = fixture.items.where { $0.active }.sorted(by: \.score)
            #expect(
                sortedItems.first?.id == expected.first && sortedItems.last?.id == expected.last)
            for (position, id) in expected.enumerated().prefix(50) {
                let object = try #require(
                    fixture.realm.object(ofType: ResultsItem.self, forPrimaryKey: id))
                #expect(sortedItems.index(of: object) == position && sortedItems[position].id == id)
            }
        }
    }

    @Test func severalDescriptorsAndRepeatedSorting() throws {
        try withItems(700) { fixture in
            let expected = fixture.plain.sorted {
                ($0.age, -$0.score, $0.id) < ($1.age, -$1.score, $1.id)
            }.map(\.id)
            let byBoth = fixture.items.sorted(by: [
                "age", SortDescriptor(keyPath: \ResultsItem.score, ascending: false),
            ])
            #expect(byBoth.map(\.id) == expected)
            // Sorting is stable, so the second order decides first and the first one between
            // equals.
            #expect(
                fixture.items.sorted(by: \.score, ascending: false).sorted(by: \.age).map(\.id)
                    == expected)
        }
    }

    @Test func descriptors() {
        let descriptor = SortDescriptor(keyPath: \ResultsItem.age)
        #expect(descriptor == "age" && descriptor.ascending)
        #expect(descriptor.reversed() == SortDescriptor(keyPath: "age", ascending: false))
        #expect(descriptor.description == "SortDescriptor(keyPath: age, direction: ascending)")
        #expect(SortDescriptor(keyPath: \ResultsItem.owner?.boss?.age).keyPath == "owner.boss.age")
    }
}
