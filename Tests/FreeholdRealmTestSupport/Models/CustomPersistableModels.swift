package import Foundation
package import Freehold

/// Kelvin, stored as a number.
package struct Temperature: CustomPersistable {
    package var kelvin: Double
    package typealias PersistedType = Double
    package init(persistedValue: Double) { kelvin = persistedValue }
    package init(_ kelvin: Double) { self.kelvin = kelvin }
    package var persistableValue: Double { kelvin }
}

/// Four characters, stored as text.
package struct Code: FailableCustomPersistable {
    package let text: String
    package typealias PersistedType = String
    package init?(persistedValue: String) {
        guard persistedValue.count == 4 else { return nil }
        text = persistedValue
    }
    package var persistableValue: String { text }
}

/// Its persisted default differs each time.
package struct Ticket: CustomPersistable {
    package let id: UUID
    package init(persistedValue: UUID) { id = persistedValue }
    package var persistableValue: UUID { id }
}

package enum CustomModels {
    package final class Reading: Object {
        @Persisted(primaryKey: true) package var code = Code(persistedValue: "0000")!
        @Persisted(indexed: true) package var ticket: Ticket
        @Persisted package var inside: Temperature
        @Persisted package var outside: Temperature?
        @Persisted package var note: Code?

        package convenience init(_ code: String, inside: Double = 0, outside: Double? = nil) {
            self.init()
            self.code = Code(persistedValue: code)!
            self.inside = Temperature(inside)
            self.outside = outside.map { Temperature($0) }
        }
    }

    package final class WithoutDefault: Object {
        @Persisted package var code: Code
        package override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    /// The same class of the file, with a plain property.
    package final class PlainText: Object {
        @Persisted package var code = ""
        package override class func className() -> String { "CustomModels_WithoutDefault" }
        package override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}
