extension CodingUserInfoKey {
    /// How many links deep an encoder writes linked objects as objects: an `Int` in its `userInfo`.
    ///
    /// ```swift
    /// let encoder = JSONEncoder()
    /// encoder.userInfo[.linkDepth] = 1      // the dogs of a person, but only the keys of their vets
    /// ```
    ///
    /// Objects beyond that depth are written as their primary key, or as null if they have
    /// none. With 0, all links are. Embedded objects are a part of their object and do not
    /// count. The default is 4 for objects of a realm, and no limit for unmanaged ones. An
    /// object that links back to one that is being written is written as its key in any case.
    public static let linkDepth = {
        guard let key = CodingUserInfoKey(rawValue: "freehold.linkDepth") else {
            preconditionFailure("A key is any text.")
        }
        return key
    }()
}

extension Encoder {
    /// How many links deep an object is written as one.
    func linkDepth(for object: ObjectBase) -> Int {
        if let limit = userInfo[.linkDepth] as? Int { return limit }
        return object._isManaged ? 4 : .max
    }
}
