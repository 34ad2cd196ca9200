extension Projection: CustomStringConvertible {
    /// The class, the object's class, and the projected properties with their key paths:
    ///
    ///     PersonProjection<Person> <0x00007f0a1c00> {
    ///             firstName(\.name) = Ada;
    ///         city(\.address.city) = Optional("London");
    ///     }
    ///
    /// Traps off the object's thread, queue or actor, and if the object was deleted.
    public var description: String {
        let address = String(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()), radix: 16)
        let lines = projectedProperties.map { property in
            let value = rootObject[keyPath: property.keyPath]
            // Behind a collection's `projectTo` the path continues in the objects.
            let inner = (value as? any ProjectedCollectionOfAnyType)?.elementNames.count ?? 0
            let path = property.path.dropLast(inner).joined(separator: ".")
            let shownValue = value.map { "\($0)" } ?? "nil"
            return "\(property.name)(\\.\(path)) = \(shownValue)"
        }
        return "\(type(of: self))<\(Root.className())> <0x\(address)> {\n\t\t"
            + lines.joined(separator: ";\n\t") + ";\n}"
    }
}
