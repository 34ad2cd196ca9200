import Foundation
import Freehold

extension PropertyType {
    /// Returns a value of this type that is written as a text, as in CSV; nil if the text is not
    /// one.
    func value(ofCell text: String) -> Any? {
        switch self {
        case .string: return text
        case .int: return Int(text) ?? Double(text).flatMap { Int(exactly: $0) }
        case .bool:
            switch text.lowercased() {
            case "true", "1": return true
            case "false", "0": return false
            default: return nil
            }
        case .float:
            guard let number = Float(text), number.isFinite || !text.contains(where: \.isNumber)
            else { return nil }
            return number
        case .double:
            guard let number = Double(text), number.isFinite || !text.contains(where: \.isNumber)
            else { return nil }
            return number
        case .date: return Double(text).map { Date(milliseconds: $0) } ?? DateText.date(text)
        case .data: return Data(base64Encoded: text)
        case .decimal128: return try? Decimal128(string: text)
        default: return value(ofLiteral: text)
        }
    }
}
