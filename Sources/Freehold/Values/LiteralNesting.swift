import Foundation
import Synchronization

/// Limits the nesting of the program's values from which objects and collections are made.
///
/// Swift's arrays and dictionaries can be as deep as memory allows, and Foundation's can contain
/// themselves. Objects and collections are made from them by recursion.
enum LiteralNesting {
    /// How many objects, and how many collections in ``AnyRealmValue``s, may be nested.
    static let maximumDepth = AnyRealmValue.maximumDepth
    /// How many containers are inspected before a value counts as too deep. A container that
    /// contains itself twice grows without end within any depth.
    private static let maximumCount = 1_000_000

    /// Records that an object is being made from a literal inside of another one. The caller
    /// calls ``leave()`` afterwards, unless this throws.
    static func enter() throws(InvalidValueError) {
        let thread = ThreadIdentity.current
        if thread.literalDepth.load(ordering: .relaxed) >= maximumDepth {
            throw InvalidValueError(
                message: """
                    Max nesting level reached: objects in a literal nest at most \
                    \(maximumDepth) deep
                    """)
        }
        thread.literalDepth.add(1, ordering: .relaxed)
    }

    static func leave() {
        let thread = ThreadIdentity.current
        thread.literalDepth.subtract(1, ordering: .relaxed)
    }

    /// Throws if a container of Foundation is nested too deep. Must come before any cast: casts
    /// bridge the whole content by recursion, which never ends if a container contains itself.
    @inline(__always)
    static func checkFoundationContainer(_ value: Any) throws(InvalidValueError) {
        if type(of: value) is AnyClass, value is NSObject, isTooDeep(value) {
            throw InvalidValueError(
                message: """
                    Max nesting level reached: the value of type '\(type(of: value))' is \
                    nested too deep, or contains itself
                    """)
        }
    }

    /// Throws if a literal for an ``AnyRealmValue`` is nested too deep. Casts of Swift's arrays
    /// and dictionaries to other types may also recurse through the whole content.
    @inline(__always)
    static func checkAnyValue(_ value: Any) throws(InvalidValueError) {
        try checkFoundationContainer(value)
        let type = type(of: value)
        if type == [Any].self || type == [String: Any].self, isTooDeep(value) {
            throw InvalidValueError(message: "Max nesting level reached")
        }
    }

    /// Whether a value nests containers beyond the maximum depth. O(size), without recursion.
    @inline(never)
    static func isTooDeep(_ value: Any) -> Bool {
        var rest: [(value: Any, depth: Int)] = [(value, 0)]
        var count = 0
        while let (value, depth) = rest.popLast() {
            guard let value = flattened(value), let elements = elements(of: value) else { continue }
            count += 1
            if depth > maximumDepth || count > maximumCount { return true }
            for element in elements { rest.append((element, depth + 1)) }
        }
        return false
    }

    /// Returns the content of a container, without values that cannot be containers; nil for
    /// other values.
    private static func elements(of value: Any) -> [Any]? {
        if type(of: value) is AnyClass {
            // Read by reflection, because Foundation's own accessors bridge what they return.
            if value is NSArray || value is NSSet {
                return Mirror(reflecting: value).children.map(\.value)
            }
            if value is NSDictionary {
                return Mirror(reflecting: value).children.compactMap {
                    ($0.value as? (key: NSObject, value: AnyObject))?.value
                }
            }
            switch value {
            case let list as List<AnyRealmValue>: return Array(list)
            case let map as Map<String, AnyRealmValue>: return map.values
            default: return nil
            }
        }
        switch value {
        case is String, is any BinaryInteger, is Data: return nil
        case let held as AnyRealmValue: return held.held.flatMap { elements(of: $0) }
        case let array as [Any]: return array
        case let dictionary as [AnyHashable: Any]: return Array(dictionary.values)
        default: return nil
        }
    }
}
