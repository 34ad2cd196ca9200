extension ScanEngine {
    /// The keys of a list whose rows match, in the list's order, including repetitions. A key
    /// without a row does not match.
    ///
    /// O(keys log clusters), plus a look-up for each link that is followed. Reads no other
    /// rows.
    package func keys(
        _ predicate: ScanPredicate, among keys: ContiguousArray<Int64>, in table: TableView
    ) -> ContiguousArray<Int64> {
        var found: ContiguousArray<Int64> = []
        forEachMatch(of: predicate, among: keys, in: table) { position in
            found.append(keys[position])
            return true
        }
        return found
    }

    /// The position of the first key in a list whose row matches, or nil. Like
    /// ``keys(_:among:in:)``, but stops there.
    package func firstPosition(
        _ predicate: ScanPredicate, among keys: ContiguousArray<Int64>, in table: TableView
    ) -> Int? {
        var found: Int?
        forEachMatch(of: predicate, among: keys, in: table) { position in
            found = position
            return false
        }
        return found
    }

    /// Calls `body` with each position in a list whose row matches, until it returns false.
    private func forEachMatch(
        of predicate: ScanPredicate, among keys: ContiguousArray<Int64>, in table: TableView,
        _ body: (Int) -> Bool
    ) {
        if keys.isEmpty { return }
        // The predicate is not prepared: that would evaluate the targets of its links on whole
        // tables.
        let compiled = ScanCompiler(source: source).compile(predicate, in: table)
        let run = ScanRun()
        // The keys of a list often ascend, so consecutive keys are often in the same cluster.
        var cluster: ClusterView?
        for position in keys.indices {
            if let row = cluster?.row(of: keys[position]), let cluster {
                if compiled.matches(row, cluster, run), !body(position) { return }
            } else if let place = table.locate(RowKey(rawValue: keys[position])) {
                cluster = place.cluster
                if compiled.matches(place.row, place.cluster, run), !body(position) { return }
            }
        }
    }
}
