import Foundation
import FreeholdStorage

/// A built-in type whose values storage keeps as ``FixedValue``s: it knows their bytes and their
/// order only.
///
/// A conformance is all that the library has to know of such a type, apart from the list in
/// ``PropertyType/scalars`` and a case each of ``PropertyType``, ``AnyRealmValue`` and
/// ``AnyFrozenValue``.
protocol FixedScalar: ScalarValue, Sendable {
    init(stored: FixedValue)
    var stored: FixedValue { get }
    /// What literals begin with, as `oid(…)` in predicate strings and `$oid` in extended JSON.
    static var literalName: String { get }
    /// What a text has to be to stand for a value, for messages.
    static var literalDescription: String { get }
    /// The value of a literal; nil where the text stands for none.
    init?(literal: String)
    /// The text of a literal.
    var literal: String { get }
}

extension FixedScalar {
    var literal: String { "\(self)" }

    static func indexKey(for value: Self) -> IndexKey? { .fixed(value.stored) }

    /// Values of the type itself.
    static func converted(from value: Any) -> Self? { value as? Self }
}

extension FixedValue {
    /// The value in the type that properties have.
    var value: any FixedScalar {
        guard let type = kind.scalar as? any FixedScalar.Type else {
            preconditionFailure("\(kind) has no type.")
        }
        return type.init(stored: self)
    }

    /// The value in a predicate string: `oid(…)`.
    var literal: String {
        func literal<Value: FixedScalar>(_ value: Value) -> String {
            "\(Value.literalName)(\(value.literal))"
        }
        return literal(value)
    }
}

// MARK: - Types of properties

extension PropertyType {
    /// The types of the values that are stored, of integers the widest one.
    private static let scalars: [any ScalarValue.Type] = [
        Int.self, Bool.self, Float.self, Double.self, String.self, Data.self, Date.self,
        ObjectId.self, Decimal128.self, Foundation.UUID.self,
    ]

    /// By the raw value of property types.
    private static let byPropertyType = table { $0._rlmType.rawValue }
    /// By the raw value of column types.
    fileprivate static let byColumnType = table { Int($0.columnType.rawValue) }

    private static func table(_ position: (any ScalarValue.Type) -> Int) -> [(
        any ScalarValue.Type
    )?] {
        var table: [(any ScalarValue.Type)?] = []
        for scalar in scalars {
            let position = position(scalar)
            while table.count <= position { table.append(nil) }
            table[position] = scalar
        }
        return table
    }

    /// The type of the values that are stored, in any width; nil for objects and
    /// ``AnyRealmValue``s.
    var storedScalar: (any ScalarValue.Type)? {
        rawValue < PropertyType.byPropertyType.count ? PropertyType.byPropertyType[rawValue] : nil
    }

    /// The type of ``FixedScalar``s whose literals have a name.
    package init?(literalName: String) {
        guard let type = PropertyType.fixedScalars.first(where: { $0.literalName == literalName })
        else { return nil }
        self = type._rlmType
    }

    /// The names of the literals of ``FixedScalar``s.
    static var literalNames: [String] { fixedScalars.map { $0.literalName } }

    private static let fixedScalars = scalars.compactMap { $0 as? any FixedScalar.Type }

    private var fixedScalar: (any FixedScalar.Type)? { storedScalar as? any FixedScalar.Type }

    /// What a text has to be to stand for a value of the type; nil but for ``FixedScalar``s.
    package var literalDescription: String? { fixedScalar?.literalDescription }

    /// The value that a text stands for; nil but for ``FixedScalar``s, and where it is none.
    package func value(ofLiteral text: String) -> Any? {
        fixedValue(ofLiteral: text).map { $0.value }
    }

    /// ``value(ofLiteral:)`` as storage has it.
    func fixedValue(ofLiteral text: String) -> FixedValue? {
        fixedScalar.flatMap { $0.init(literal: text)?.stored }
    }
}

extension ColumnType {
    /// The type of the values, of integers the widest one; nil for links and mixed values.
    var scalar: (any ScalarValue.Type)? {
        let table = PropertyType.byColumnType
        return Int(rawValue) < table.count ? table[Int(rawValue)] : nil
    }
}
