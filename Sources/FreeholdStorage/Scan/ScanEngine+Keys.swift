extension ScanEngine {
    /// The keys of a list whose rows match, in the list's order and as often as they stand
    /// there. A key without a row does not match.
    ///
    /// O(keys log clusters), and a look-up for each link that is followed; no other row is
    /// looked at.
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

    /// The position of the first key of a list whose row matches, or nil. As
    /// ``keys(_:among:in:)``, up to there.
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

    /// Calls `body` with each position of a list whose row matches, until it answers false.
    private func forEachMatch(
        of predicate: ScanPredicate, among keys: ContiguousArray<Int64>, in table: TableView,
        _ body: (Int) -> Bool
    ) {
        if keys.isEmpty { return }
        // The term is not prepared: that would evaluate what it follows links to on whole tables.
        let term = ScanCompiler(source: source).compile(predicate, in: table)
        let run = ScanRun()
        // Keys of a list often ascend, so the next one is often in the same cluster.
        var cluster: ClusterView?
        for position in keys.indices {
            if let row = cluster?.row(of: keys[position]), let cluster {
                if term.matches(row, cluster, run), !body(position) { return }
            } else if let place = table.locate(RowKey(rawValue: keys[position])) {
                cluster = place.cluster
                if term.matches(place.row, place.cluster, run), !body(position) { return }
            }
        }
    }
}
