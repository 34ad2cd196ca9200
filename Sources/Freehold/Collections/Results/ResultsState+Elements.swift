import Foundation
import FreeholdStorage

extension ResultsState {
    /// Returns the object at a position. Traps outside of `0 ..< count`.
    func object(at index: Int) -> ObjectBase {
        if isWholeTable {
            let table = table
            guard let place = table.locate(position: index) else {
                return missingObject(at: index, count: table.count)
            }
            return binding.makeAccessor(
                key: place.cluster.key(at: place.row).rawValue, cluster: place.cluster,
                row: place.row)
        }
        let keys = keys()
        guard keys.indices.contains(index) else {
            return missingObject(at: index, count: keys.count)
        }
        return object(key: keys[index])
    }

    /// Traps. If damage is known, returns a missing object instead, because `count` may have been
    /// too great.
    @inline(never)
    private func missingObject(at index: Int, count: Int) -> ObjectBase {
        checkMissing(index, count: count)
        return binding.makeDanglingAccessor(key: .min, since: core.generation)
    }

    /// Traps for a position outside of `0 ..< count`, unless damage explains it.
    ///
    /// If an index counts more rows than it has, the file is damaged; the store records that.
    ///
    /// - Parameter count: The number of elements.
    @inline(never)
    func checkMissing(_ index: Int, count: Int) {
        if index < 0 { outOfBounds(index, count: count) }
        if !core.store.isDamaged, let counted = countOfIndex, index < counted {
            noteWrongCount(counted, count)
        }
        if !core.store.isDamaged { outOfBounds(index, count: count) }
    }

    func noteWrongCount(_ counted: Int, _ count: Int) {
        core.store.noteDamage(
            "\(name)<\(elementName)> has \(count) elements, and is said to have \(counted).")
    }

    /// Returns the accessor of a row that the query found in the version that is read.
    func object(key: Int64) -> ObjectBase {
        core.accessor(key, of: binding) ?? binding.makeMissingAccessor(key: key)
    }

    var first: ObjectBase? { firstKey().map(object(key:)) }

    var last: ObjectBase? {
        if isWholeTable {
            let count = table.count
            return count == 0 ? nil : object(at: count - 1)
        }
        return keys().last.map(object(key:))
    }

    /// The objects at the given positions. Traps if one of them is outside of `0 ..< count`.
    func objects(at indexes: IndexSet) -> [ObjectBase] {
        check(indexes)
        return indexes.map { object(at: $0) }
    }

    /// Traps if a position is outside of `0 ..< count`.
    func check(_ indexes: IndexSet) {
        if let last = indexes.last, last >= count {
            if core.store.isDamaged { return }
            misuse(
                "Indexes for collection are out of bounds.",
                remedy: """
                    \(name)<\(elementName)> has \(count) elements now; the index set \
                    contains \(last).
                    """)
        }
    }

    @inline(never)
    func outOfBounds(_ index: Int, count: Int) -> Never {
        if index < 0 {
            misuse(
                "Cannot pass a negative value for 'index'.",
                remedy: """
                    \(name)<\(elementName)> was asked for its element at \(index). \
                    Positions begin at 0.
                    """)
        }
        misuse(
            "Index \(index) is out of bounds (must be less than \(count)).",
            remedy: """
                \(name)<\(elementName)> is live: its count changes with the data. Compare \
                the index with count right before, or freeze() the collection.
                """)
    }
}

// MARK: - Positions

extension ResultsState {
    /// Returns the position of a managed object; nil if the collection does not contain it.
    ///
    /// O(log objects) without sorting, O(objects) in a sorted collection.
    func index(of object: ObjectBase) -> Int? {
        guard object._isManaged, object.core === core,
            object.binding?.takeUnretainedValue() === binding
        else { return nil }
        return index(ofKey: object.key)
    }

    func index(ofKey key: Int64) -> Int? {
        if isWholeTable { return table.position(of: RowKey(rawValue: key)) }
        let keys = keys()
        if !sorts.isEmpty || rows != nil { return keys.firstIndex(of: key) }
        let index = keys.lowerBound(of: key)
        return index < keys.count && keys[index] == key ? index : nil
    }

    /// The position of the first object that satisfies a predicate.
    func index(matching other: ScanPredicate) -> Int? {
        if rows != nil {
            let keys = keys()
            return ask(nil) { engine, table throws(StorageError) in
                engine.firstPosition(other, among: keys, in: table)
            }
        }
        if sorts.isEmpty {
            let key = ask(nil) { engine, table throws(StorageError) in
                try engine.firstKey(predicate.conjoined(with: other), in: table)
            }
            return key.flatMap(index(ofKey:))
        }
        let keys = keys()
        return ask(nil) { engine, table throws(StorageError) in
            let matching = try engine.keys(predicate.conjoined(with: other), in: table)
            return keys.firstIndex { matching.containsSorted($0) }
        }
    }
}

extension TableView {
    /// Returns the position of a row among all rows. O(log clusters); see
    /// ``ClusterDirectory/position(ofClusterAt:)``.
    func position(of key: RowKey) -> Int? {
        guard let index = directory.clusterIndex(covering: key.rawValue),
            let row = cluster(at: index).row(of: key.rawValue)
        else { return nil }
        return directory.position(ofClusterAt: index) + row
    }
}
