import Foundation
import Testing

// Added to each test target by Tests/arm64, for a Swift Testing whose exit tests capture no values.

/// Passes values to the body of an exit test, by the environment.
func passing(
    _ condition: ExitTest.Condition, _ values: (String, any Encodable & Sendable)...
) -> ExitTest.Condition {
    for (name, value) in values {
        // An array: a lone value is no JSON document everywhere.
        let data = try! JSONEncoder().encode([Passed(value: value)])
        setenv("FREEHOLD_EXIT_" + name, String(decoding: data, as: UTF8.self), 1)
    }
    return condition
}

/// What was passed, in the process of the exit test.
func passed<Value: Decodable>(_ name: String, as type: Value.Type) -> Value {
    let text = String(cString: getenv("FREEHOLD_EXIT_" + name))
    return try! JSONDecoder().decode([Value].self, from: Data(text.utf8))[0]
}

private struct Passed: Encodable {
    let value: any Encodable & Sendable

    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
