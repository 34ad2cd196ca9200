// Signatures that the environment's branch replaces.
package struct StorageError: Error, Sendable, CustomStringConvertible {
    package struct Code: Hashable, Sendable { package let rawValue: Int; package init(rawValue: Int) { self.rawValue = rawValue }
        package static let corrupted = Code(rawValue: 1) }
    package let code: Code; package let message: String; package let path: String?
    package init(code: Code, message: String, path: String?) { self.code = code; self.message = message; self.path = path }
    package var description: String { message }
}
package final class ReadTransaction: @unchecked Sendable { package let version: UInt64 = 0 }
