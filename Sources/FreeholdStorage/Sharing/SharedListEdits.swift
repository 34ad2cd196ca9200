/// What changed in a list, so that it can be done to a list that others have changed.
///
/// Each edit replaces elements by others. It finds its place by the elements: those that it
/// removes; else the one before it, else the one after it, in each case the occurrence that is
/// nearest to the place of the edit in the list that was edited. Without any of them, it stands at
/// the same distance from the edits before it. In the list that was edited the result is exactly
/// the new list. A removed element that is gone is no error.
package struct SharedListEdits: Hashable, Sendable {
    package struct Edit: Hashable, Sendable {
        /// In the list that was edited.
        package var position: Int
        package var removed: [SharedValue]
        package var inserted: [SharedValue]
        /// The element before the edit, which stays; nil at the beginning.
        package var before: SharedValue?
        /// The element after the edit, which stays; nil at the end.
        package var after: SharedValue?

        package init(
            position: Int, removed: [SharedValue], inserted: [SharedValue], before: SharedValue?,
            after: SharedValue?
        ) {
            self.position = position
            self.removed = removed
            self.inserted = inserted
            self.before = before
            self.after = after
        }
    }

    /// In the order of their positions.
    package var edits: [Edit]

    package init(edits: [Edit]) { self.edits = edits }

    package init(from old: [SharedValue], to new: [SharedValue]) {
        var numbers: [SharedValue: Int64] = [:]
        func numbered(_ values: [SharedValue]) -> ContiguousArray<StoredValue> {
            ContiguousArray(
                values.map { value in
                    let next = Int64(numbers.count)
                    let number = numbers[value] ?? next
                    if number == next { numbers[value] = next }
                    return .plain(.integer(number))
                })
        }
        let changes = ListChanges(from: numbered(old), to: numbered(new))
        var shift = 0
        edits = changes.edits.map { edit in
            let start = edit.position + shift
            shift += edit.inserted.count - edit.removed.count
            return Edit(
                position: edit.position, removed: Array(old[edit.position..<edit.end]),
                inserted: Array(new[start..<(start + edit.inserted.count)]),
                before: edit.position > 0 ? old[edit.position - 1] : nil,
                after: edit.end < old.count ? old[edit.end] : nil)
        }
    }

    /// The list with the edits. O(edits x elements).
    package func applied(to list: [SharedValue]) -> [SharedValue] {
        var result = list
        // The end of the last edit, and how far its place is from where it was made.
        var (floor, shift) = (0, 0)
        for edit in edits {
            let expected = min(max(edit.position &+ shift, floor), result.count)
            var place: Int?
            var search = expected
            for value in edit.removed {
                guard let found = result.index(of: value, nearestTo: search, from: floor) else {
                    continue
                }
                result.remove(at: found)
                place = min(place ?? found, found)
                search = found
            }
            let target =
                place ?? Self.place(of: edit, in: result, expected: expected, floor: floor)
            result.insert(contentsOf: edit.inserted, at: target)
            floor = target + edit.inserted.count
            shift = floor &- (edit.position &+ edit.removed.count)
        }
        return result
    }

    private static func place(
        of edit: Edit, in list: [SharedValue], expected: Int, floor: Int
    ) -> Int {
        if let before = edit.before,
            let found = list.index(of: before, nearestTo: expected - 1, from: floor)
        {
            return found + 1
        }
        if edit.before == nil, edit.removed.isEmpty { return floor }
        if let after = edit.after,
            let found = list.index(of: after, nearestTo: expected, from: floor)
        {
            return found
        }
        return edit.after == nil ? list.count : expected
    }
}

extension [SharedValue] {
    /// The index of an element at or after `floor`, of several the one nearest to a place, and of
    /// two the first one.
    fileprivate func index(of value: SharedValue, nearestTo place: Int, from floor: Int) -> Int? {
        var (low, high) = (Swift.min(place, count - 1), Swift.max(place + 1, floor))
        while low >= floor || high < count {
            let isLower = high >= count || place - low <= high - place
            if low >= floor, isLower {
                if self[low] == value { return low }
                low -= 1
            } else if high < count {
                if self[high] == value { return high }
                high += 1
            } else {
                return nil
            }
        }
        return nil
    }
}
