import Foundation

/// Whether a value represents nil in JSON and Foundation's collections.
func isNull(_ value: Any) -> Bool { value is NSNull }
