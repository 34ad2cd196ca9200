import Foundation
import FreeholdSharing
import Testing

extension CheckRoom {
    /// Names that no realm can have.
    package static let unfitNames = [
        "", "\0", "a\0b", String(repeating: "x", count: 1025), String(repeating: "é", count: 513),
        String(repeating: "x", count: 100_000),
    ]

    func unfitNames() async throws {
        for name in Self.unfitNames {
            await expectError(.unfitName) { try await upstream.create(name) }
            await expectError(.unfitName) {
                _ = try await upstream.connect(to: name, as: .random())
            }
        }
    }

    /// All others are names, and differ if their bytes do.
    func longNames() async throws {
        // Different in each run, and incompressible.
        let long = String(
            (0..<1024).map { _ in "abcdefghijklmnopqrstuvwxyz0123456789".randomElement() ?? "a" })
        let names = [
            long, String(long.dropLast()), "\(name) Zoë", "\(name) Zoe\u{308}", "\(name) ZOË",
            "\(name) '\"\\;--$1 %s 🐟\n\u{1}", "\(name) ", " \(name)",
        ]
        for name in names { try await upstream.create(name) }
        for (index, name) in names.enumerated() {
            await expectError(.nameTaken) { try await upstream.create(name) }
            let connection = try await upstream.connect(to: name, as: .random())
            #expect(try await connection.state().head == 0, "\(name)")
            try await connection.push(1...Int64(index + 1))
            await connection.close()
        }
    }
}
