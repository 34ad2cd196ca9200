/// Elements without duplicates, reachable by position, in no particular order. Inserting,
/// removing and looking up are O(1).
///
/// The hash of an element may change, as that of an object does when it is added to a realm. Such
/// an element is not found, and may be inserted a second time. A dictionary with the elements as
/// keys would trap when it meets two equal keys. So the keys are the hashes that the elements
/// had.
struct UniqueElements<Element: Hashable> {
    private(set) var elements: [Element] = []
    /// The hash that each element had when it was inserted.
    private var hashes: [Int] = []
    /// The position of the last element inserted with a hash; the others follow in `others`.
    private var latest: [Int: Int] = [:]
    /// For each element, the position of another one with the same hash; -1 at the end.
    private var others: [Int] = []
    /// The position of an element that does not equal itself, a NaN. Sets of a realm hold only
    /// one.
    private var unequal: Int?

    /// Nil if there is none.
    func position(of element: Element) -> Int? {
        guard element == element else { return unequal }
        var position = latest[element.hashValue] ?? -1
        while position >= 0, elements[position] != element { position = others[position] }
        return position >= 0 ? position : nil
    }

    mutating func insert(_ element: Element) {
        if position(of: element) != nil { return }
        elements.append(element)
        hashes.append(element.hashValue)
        others.append(-1)
        link(elements.count - 1)
    }

    /// The last element takes the place of the removed one.
    mutating func remove(_ element: Element) {
        guard let position = position(of: element) else { return }
        unlink(position)
        let last = elements.count - 1
        if position != last {
            unlink(last)
            elements[position] = elements[last]
            hashes[position] = hashes[last]
            link(position)
        }
        elements.removeLast()
        hashes.removeLast()
        others.removeLast()
    }

    mutating func removeAll() { self = UniqueElements() }

    private mutating func link(_ position: Int) {
        guard elements[position] == elements[position] else {
            unequal = position
            return
        }
        others[position] = latest.updateValue(position, forKey: hashes[position]) ?? -1
    }

    private mutating func unlink(_ position: Int) {
        guard elements[position] == elements[position] else {
            unequal = nil
            return
        }
        let hash = hashes[position]
        var current = latest[hash] ?? -1
        if current == position {
            latest[hash] = others[position] < 0 ? nil : others[position]
            return
        }
        while current >= 0, others[current] != position { current = others[current] }
        if current >= 0 { others[current] = others[position] }
    }
}
