import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Values of rows that all three versions have.
@Suite struct ValueMergeTests {
    private func base(_ side: MergeSide) {
        let world = side.world
        for key in 1...3 as ClosedRange<Int64> {
            side.insert(
                world.items, key, [world.name: .text("item \(key)"), world.count: .integer(10)])
        }
    }

    @Test(arguments: [false, true]) func propertiesThatDoNotOverlap(isCommitted: Bool) throws {
        try withMerge(isCommitted: isCommitted, base: base) { side in
            side.set(side.world.items, 1, side.world.name, .text("mine"))
            side.set(side.world.items, 2, side.world.count, .integer(7))
        } theirs: { side in
            side.set(side.world.items, 1, side.world.count, .integer(11))
            side.set(
                side.world.items, 3, side.world.note, .text(String(repeating: "x", count: 40_000)))
        } expect: { merged in
            let world = merged.side.world
            #expect(merged.conflicts.isEmpty)
            #expect(merged.get(world.items, 1, world.name) == .text("mine"))
            #expect(merged.get(world.items, 1, world.count) == .integer(11))
            #expect(merged.get(world.items, 2, world.count) == .integer(7))
            #expect(
                merged.get(world.items, 3, world.note)
                    == .text(String(repeating: "x", count: 40_000)))
            #expect(merged.merge.changes.tables[world.items]?.columns.count == 2)
        }
    }

    @Test func equalValues() throws {
        try withMerge(base: base) { side in
            side.set(side.world.items, 1, side.world.name, .text("both"))
            side.set(side.world.items, 1, side.world.any, .mixedMap(["a": .integer(1)]))
        } theirs: { side in
            side.set(side.world.items, 1, side.world.name, .text("both"))
            side.set(side.world.items, 1, side.world.any, .mixedMap(["a": .integer(1)]))
        } expect: { merged in
            #expect(merged.conflicts.isEmpty)
            #expect(merged.merge.changes.isEmpty)
        }
    }

    @Test(arguments: [Resolution.mine, .theirs, .value(.text("both")), nil] as [Resolution?])
    func twoValues(resolution: Resolution?) throws {
        nonisolated(unsafe) var asked: [Conflict] = []
        try withMerge(
            resolving: {
                asked.append($0)
                return resolution
            }, base: base
        ) { side in
            side.set(side.world.items, 1, side.world.name, .text("mine"))
        } theirs: { side in
            side.set(side.world.items, 1, side.world.name, .text("theirs"))
        } expect: { merged in
            let world = merged.side.world
            let conflict = Conflict(
                kind: .value, table: world.items, row: 1, column: world.name,
                base: .text("item 1"), mine: .text("mine"), theirs: .text("theirs"))
            #expect(asked == [conflict])
            #expect(merged.conflicts == (resolution == nil ? [conflict] : []))
            let expected: StoredValue =
                switch resolution {
                case .mine: .text("mine")
                case .theirs, nil: .text("theirs")
                case .value(let value): value
                }
            #expect(merged.get(world.items, 1, world.name) == expected)
        }
    }

    @Test func counters() throws {
        try withMerge(
            counters: { Counters(columns: [$0.items: [$0.count]]) }, base: base
        ) { side in
            side.set(side.world.items, 1, side.world.count, .integer(13))
            side.set(side.world.items, 2, side.world.count, .integer(.min))
            side.set(side.world.items, 3, side.world.count, .integer(12))
        } theirs: { side in
            side.set(side.world.items, 1, side.world.count, .integer(8))
            side.set(side.world.items, 2, side.world.count, .integer(-100))
            side.set(side.world.items, 3, side.world.count, .integer(12))
        } expect: { merged in
            let world = merged.side.world
            #expect(merged.get(world.items, 1, world.count) == .integer(11))
            // The sum of the differences is too great.
            #expect(merged.conflicts.map(\.row) == [2])
            // Equal values are two differences, too.
            #expect(merged.get(world.items, 3, world.count) == .integer(14))
        }
    }

    @Test func setsAndMaps() throws {
        try withMerge(base: { side in
            base(side)
            side.set(side.world.items, 1, side.world.tags, .integerSet(1, 2, 3))
            side.set(
                side.world.items, 1, side.world.scores,
                .entries(["a": .integer(1), "b": .integer(2), "c": .integer(3)]))
        }) { side in
            side.set(side.world.items, 1, side.world.tags, .integerSet(1, 3, 4, 6))
            side.set(
                side.world.items, 1, side.world.scores,
                .entries(["a": .integer(10), "c": .integer(4), "n": .integer(9)]))
        } theirs: { side in
            side.set(side.world.items, 1, side.world.tags, .integerSet(2, 3, 4, 5))
            side.set(
                side.world.items, 1, side.world.scores,
                .entries([
                    "a": .integer(1), "b": .integer(5), "c": .integer(6), "m": .integer(8),
                ]))
        } expect: { merged in
            let world = merged.side.world
            #expect(merged.get(world.items, 1, world.tags) == .integerSet(3, 4, 5, 6))
            #expect(
                merged.get(world.items, 1, world.scores)
                    == .entries([
                        "a": .integer(10), "b": .integer(5), "c": .integer(6), "m": .integer(8),
                        "n": .integer(9),
                    ]))
            let conflicts = merged.conflicts.sorted { $0.path.description < $1.path.description }
            #expect(conflicts.map(\.path) == [[.key(named: "b")], [.key(named: "c")]])
            #expect(conflicts[0].mine == nil && conflicts[0].theirs == .integer(5))
            #expect(conflicts[1].mine == .integer(4) && conflicts[1].theirs == .integer(6))
        }
    }

    @Test func nestedCollections() throws {
        try withMerge(
            resolving: {
                $0.path == [.key(named: "x"), .key(named: "both")]
                    ? .value(.mixed(.integer(0))) : nil
            },
            base: { side in
                base(side)
                side.set(
                    side.world.items, 1, side.world.any,
                    .mixedMap([
                        "l": .elements([.integer(1), .integer(2), .integer(3)]),
                        "x": .entries(["both": .integer(5), "gone": nil]),
                    ]))
            }
        ) { side in
            side.set(
                side.world.items, 1, side.world.any,
                .mixedMap([
                    "l": .elements([.integer(0), .integer(1), .integer(2), .integer(3)]),
                    "x": .entries(["both": .integer(6), "mine": .boolean(true)]),
                ]))
        } theirs: { side in
            side.set(
                side.world.items, 1, side.world.any,
                .mixedMap([
                    "l": .elements([.integer(1), .integer(3), .integer(4)]),
                    "x": .entries(["both": .integer(7), "gone": nil]), "y": .text([65]),
                ]))
        } expect: { merged in
            let world = merged.side.world
            #expect(merged.conflicts.isEmpty)
            #expect(
                merged.get(world.items, 1, world.any)
                    == .mixedMap([
                        "l": .elements([.integer(0), .integer(1), .integer(3), .integer(4)]),
                        "x": .entries(["both": .integer(0), "mine": .boolean(true)]),
                        "y": .text([65]),
                    ]))
        }
    }

    @Test func lists() throws {
        try withMerge(base: { side in
            base(side)
            side.set(side.world.items, 1, side.world.numbers, .integers(1, 2, 3, 4, 5))
            side.set(side.world.items, 2, side.world.numbers, .integers(1, 1, 1))
            side.set(side.world.items, 3, side.world.numbers, .integers(1, 2, 3))
        }) { side in
            side.set(side.world.items, 1, side.world.numbers, .integers(0, 1, 2, 4, 5))
            side.set(side.world.items, 2, side.world.numbers, .integers(1, 1))
            side.set(side.world.items, 3, side.world.numbers, .integers(1, 7, 3))
        } theirs: { side in
            side.set(side.world.items, 1, side.world.numbers, .integers(1, 2, 3, 4, 6, 7))
            side.set(side.world.items, 2, side.world.numbers, .integers(1, 1, 1, 2))
            side.set(side.world.items, 3, side.world.numbers, .integers(1, 8, 3, 4))
        } expect: { merged in
            let world = merged.side.world
            #expect(merged.get(world.items, 1, world.numbers) == .integers(0, 1, 2, 4, 6, 7))
            #expect(merged.get(world.items, 2, world.numbers) == .integers(1, 1, 2))
            #expect(
                merged.conflicts == [
                    Conflict(
                        kind: .list, table: world.items, row: 3, column: world.numbers,
                        base: .integers(1, 2, 3), mine: .integers(1, 7, 3),
                        theirs: .integers(1, 8, 3, 4))
                ])
            #expect(merged.get(world.items, 3, world.numbers) == .integers(1, 8, 3, 4))
        }
    }

    @Test(arguments: [Resolution.mine, .value(.integers(9, 9))])
    func settledLists(resolution: Resolution) throws {
        try withMerge(
            resolving: { _ in resolution },
            base: { side in
                base(side)
                side.set(side.world.items, 1, side.world.numbers, .integers(1, 2, 3))
            }
        ) { side in
            side.set(side.world.items, 1, side.world.numbers, .integers(1, 7, 3))
        } theirs: { side in
            side.set(side.world.items, 1, side.world.numbers, .integers(5, 8, 3))
        } expect: { merged in
            let world = merged.side.world
            #expect(merged.conflicts.isEmpty)
            #expect(
                merged.get(world.items, 1, world.numbers)
                    == (resolution == .mine ? .integers(1, 7, 3) : .integers(9, 9)))
        }
    }

    @Test func nothing() throws {
        try withMerge(base: base) { _ in
        } theirs: { side in
            try side.delete(side.world.items, 1)
        } expect: { merged in
            #expect(merged.merge.changes.isEmpty && merged.conflicts.isEmpty)
        }
    }
}
