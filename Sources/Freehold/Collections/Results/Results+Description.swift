extension Results {
    /// The class, and up to 100 objects with their properties, or values:
    ///
    ///     Results<Dog> <0x00007f0a1c00> (
    ///         [0] Dog {
    ///             name = Rex;
    ///         }
    ///     )
    public var description: String {
        state.check("description")
        if let values = state.values {
            return state.describe(state.elements(in: values) as [Element])
        }
        return state.describe()
    }
}

extension ResultsState {
    /// Returns the collection as text, in Realm's format. The caller has checked confinement.
    func describe() -> String {
        let shown = 100
        let address = String(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()), radix: 16)
        let count = count
        let lines = (0..<min(shown, count)).map { index in
            "\t[\(index)] " + object(at: index).description.withIndentedLines
        }
        var text = "\(name)<\(className)> <0x\(address)> (\n" + lines.joined(separator: ",\n")
        if count > shown { text += "\n\t... \(count - shown) objects skipped." }
        return text + "\n)"
    }
}
