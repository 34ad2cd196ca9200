/// A collection operator in a path of names: "@sum".
enum KeyPathOperator: String {
    case count
    case sum, avg, min, max
    case unionOfObjects, distinctUnionOfObjects
    case unionOfArrays, distinctUnionOfArrays
    case allKeys, allValues

    /// Parses an operator. Traps if there is no such operator.
    ///
    /// - Parameter name: The name with the "@".
    init(_ name: Substring, in keyPath: String) {
        guard let found = KeyPathOperator(rawValue: String(name.dropFirst())) else {
            misuse(
                "Unsupported KVC collection operator found in key path '\(keyPath)'",
                remedy: """
                    '\(name)' is none. There are @count, @sum, @avg, @min, @max, \
                    @unionOfObjects, @distinctUnionOfObjects, @unionOfArrays and \
                    @distinctUnionOfArrays, and of maps @allKeys and @allValues.
                    """)
        }
        self = found
    }

    /// The aggregate, if the operator computes one number or date.
    var aggregate: Aggregate? {
        switch self {
        case .sum: .sum
        case .avg: .average
        case .min: .minimum
        case .max: .maximum
        default: nil
        }
    }

    /// Whether the operator applies the rest of the path to each element.
    var hasOperand: Bool {
        switch self {
        case .count, .allKeys, .allValues: false
        default: true
        }
    }
}
