@_spi(Reflection) import Swift
import Synchronization

/// Whether a loop may hand out one accessor again and again, moved from row to row.
///
/// It may if nobody can tell: the class stores nothing but persisted properties, so that an accessor is nothing but a
/// place, and the loop's body did not keep the accessor in any way, weak and unowned references included.
enum AccessorReuse {
    /// Protects the answers, by class.
    private static let answers = Mutex<[ObjectIdentifier: Bool]>([:])

    /// Whether accessors of a class are nothing but places. Reflects on the class once, then O(1).
    static func isPossible(for type: ObjectBase.Type) -> Bool {
        answers.withLock { answers in
            if let answer = answers[ObjectIdentifier(type)] { return answer }
            let answer = storesOnlyPersistedProperties(type)
            answers[ObjectIdentifier(type)] = answer
            return answer
        }
    }

    /// `_EachFieldOptions.classType`, which is a variable and hence not for use here.
    private static let fieldsOfClass = _EachFieldOptions(rawValue: 1)

    private static func storesOnlyPersistedProperties(_ type: ObjectBase.Type) -> Bool {
        guard let schema = try? ClassSchema.shared(for: type) else { return false }
        var known = Set(schema.properties.map(\.offset))
        _ = _forEachField(of: Object.self, options: fieldsOfClass) { _, offset, _, _ in
            known.insert(offset)
            return true
        }
        return _forEachField(of: type, options: fieldsOfClass) { _, offset, _, _ in known.contains(offset) }
    }

    /// Whether the caller's reference is the only one of any kind. Constant time.
    @inline(__always)
    static func isUnshared(_ object: inout ObjectBase?) -> Bool {
        guard object != nil, isKnownUniquelyReferenced(&object) else { return false }
        return hasNoWeakOrUnownedReferences(object.unsafelyUnwrapped)
    }

    /// `isKnownUniquelyReferenced` counts strong references only. The object's header, its second word, has the rest: in an
    /// object that nobody but its one owner refers to, the word is exactly 3 (the object's own unowned reference, and the
    /// flag of pure Swift objects); a weak reference replaces the word by a pointer to a side table.
    ///
    /// A runtime with another layout would at worst answer false each time, which costs an allocation; a test would notice.
    @inline(__always)
    private static func hasNoWeakOrUnownedReferences(_ object: ObjectBase) -> Bool {
        Unmanaged.passUnretained(object).toOpaque().load(fromByteOffset: 8, as: UInt.self) == 3
    }
}
