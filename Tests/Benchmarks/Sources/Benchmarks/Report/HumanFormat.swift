import Foundation

/// Figures as people read them.
enum HumanFormat {
    static func value(_ value: Double, _ unit: Work.Unit) -> String {
        switch unit {
        case .nanoseconds: nanoseconds(value)
        case .bytes: bytes(Int(value))
        case .pages: "\(Int(value)) pages"
        }
    }

    static func nanoseconds(_ value: Double) -> String {
        switch value {
        case ..<10: String(format: "%.2f ns", value)
        case ..<100: String(format: "%.1f ns", value)
        case ..<100_000: String(format: "%.0f ns", value)
        default: String(format: "%.3f ms", value / 1e6)
        }
    }

    static func fixed(_ value: Double, digits: Int) -> String {
        String(format: "%.\(digits)f", value)
    }

    static func bytes(_ value: Int) -> String {
        String(format: "%.1f MB", Double(value) / 1e6)
    }

    static func ratio(_ value: Double) -> String {
        String(format: value < 0.1 ? "%.4f" : "%.3f", value)
    }
}
