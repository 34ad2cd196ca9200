extension CodingUserInfoKey {
    /// The key for the depth of links to which an encoder writes linked objects as objects: an
    /// `Int` in its `userInfo`.
    ///
    /// ```swift
    /// let encoder = JSONEncoder()
    /// // The dogs of a person, but only the keys of their vets:
    /// encoder.userInfo[.linkDepth] = 1
    /// ```
    ///
    /// Objects beyond that depth are written as their primary key, or as null if they have none.
    /// With 0, all links are. Embedded objects are parts of their object and do not count. The
    /// default is 4 for objects of a realm, and no limit for unmanaged ones. A link to an object
    /// that is already being written is always written as its key.
    public static let linkDepth = {
        guard let key = CodingUserInfoKey(rawValue: "freehold.linkDepth") else {
            preconditionFailure("A key is any text.")
        }
        return key
    }()
}

extension Encoder {
    /// Returns the depth of links to which an object is written as an object.
    func linkDepth(for object: ObjectBase) -> Int {
        if let limit = userInfo[.linkDepth] as? Int { return limit }
        return object._isManaged ? 4 : .max
    }
}
