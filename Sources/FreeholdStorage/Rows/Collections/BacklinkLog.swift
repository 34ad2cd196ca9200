/// The links that came and went in the open transaction, of a column whose rows may link to any
/// number of rows.
///
/// Such a column's index says how often each row links to each target. A collection is too
/// large to compare it with what was stored, so each link that is set or removed is written
/// down here, and the commit applies the sums. A lookup inside of the transaction takes the
/// index and adds them.
struct BacklinkLog {
    struct Change {
        let target: LinkTarget
        let owner: Int64
        let change: Int
    }

    private(set) var changes = ContiguousArray<Change>()
    /// The sums of the first `summed` changes, made when they are first asked for.
    private var sums: [LinkTarget: [Int64: Int]] = [:]
    private var summed = 0

    mutating func note(_ target: LinkTarget, from owner: Int64, _ change: Int) {
        changes.append(Change(target: target, owner: owner, change: change))
    }

    /// By how much the number of each row's links to a target changed. O(changes since the last
    /// time), then O(1).
    mutating func sums(of target: LinkTarget) -> [Int64: Int] {
        for change in changes[summed...] {
            sums[change.target, default: [:]][change.owner, default: 0] += change.change
        }
        summed = changes.count
        return sums[target] ?? [:]
    }

    /// The sums that are not zero, by target, then row. O(changes log changes).
    var netChanges: ContiguousArray<Change> {
        let sorted = changes.sorted {
            ($0.target.table, $0.target.key, $0.owner) < ($1.target.table, $1.target.key, $1.owner)
        }
        var net = ContiguousArray<Change>()
        for change in sorted {
            if let last = net.last, last.target == change.target, last.owner == change.owner {
                net[net.count - 1] = Change(
                    target: last.target, owner: last.owner, change: last.change + change.change)
            } else {
                if net.last?.change == 0 { net.removeLast() }
                net.append(change)
            }
        }
        if net.last?.change == 0 { net.removeLast() }
        return net
    }
}
