/// Elements without duplicates, in no particular order but by position. Inserting, removing and looking up are O(1).
struct UniqueElements<Element: Hashable> {
    private(set) var elements: [Element] = []
    private var positions: [Element: Int] = [:]
    /// The position of the element that does not equal itself, a NaN: the sets of a realm hold one.
    private var unequal: Int?

    /// Nil if there is none.
    func position(of element: Element) -> Int? {
        guard element == element else { return unequal }
        // What was found there may be left over from an element whose hash has changed since, as an object's does that was added to a realm.
        guard let position = positions[element], position < elements.count, elements[position] == element else { return nil }
        return position
    }

    mutating func insert(_ element: Element) {
        if position(of: element) != nil { return }
        setPosition(elements.count, of: element)
        elements.append(element)
    }

    /// The last element takes the place of the removed one.
    mutating func remove(_ element: Element) {
        guard let position = position(of: element) else { return }
        setPosition(nil, of: element)
        let last = elements.removeLast()
        if position == elements.count { return }
        elements[position] = last
        setPosition(position, of: last)
    }

    mutating func removeAll() { self = UniqueElements() }

    private mutating func setPosition(_ position: Int?, of element: Element) {
        if element == element { positions[element] = position } else { unequal = position }
    }
}
