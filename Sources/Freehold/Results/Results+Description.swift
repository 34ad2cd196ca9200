extension Results {
    /// The class, and up to 100 objects with their properties:
    ///
    ///     Results<Dog> <0x00007f0a1c00> (
    ///         [0] Dog {
    ///             name = Rex;
    ///         }
    ///     )
    public var description: String {
        state.check("description")
        let shown = 100
        let address = String(UInt(bitPattern: Unmanaged.passUnretained(state).toOpaque()), radix: 16)
        var lines: [String] = []
        for (index, element) in self.enumerated() {
            if index == shown { break }
            lines.append("\t[\(index)] " + String(describing: element).replacing("\n", with: "\n\t"))
        }
        var text = "Results<\(state.className)> <0x\(address)> (\n" + lines.joined(separator: ",\n")
        if count > shown { text += "\n\t... \(count - shown) objects skipped." }
        return text + "\n)"
    }
}
