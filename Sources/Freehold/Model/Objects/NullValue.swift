import Foundation

/// Whether a value is what JSON and Foundation's collections hold in place of nil.
func isNull(_ value: Any) -> Bool { value is NSNull }
