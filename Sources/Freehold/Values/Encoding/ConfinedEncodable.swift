/// An object, projection or collection in encodable form: ``ThreadConfined/encodable``.
///
/// ```swift
/// let json = try JSONEncoder().encode(dog.encodable)
/// let all = try JSONEncoder().encode(Array(dogs).map(\.encodable))
/// ```
///
/// The encoded form:
///
/// | | |
/// |---|---|
/// | an object whose class is `Encodable` | what its `encode(to:)` writes |
/// | any other object | all its properties by their names, but `LinkingObjects` |
/// | a projection | its projected properties by their names |
/// | numbers, booleans, texts | themselves; nil is null |
/// | `Date`, `Data` | as the encoder's strategies say |
/// | `ObjectId`, `Decimal128`, `UUID` | texts |
/// | enums, ``CustomPersistable`` types | as their `encode(to:)` writes them, else as stored |
/// | embedded objects | objects |
/// | links | objects, up to `userInfo[.linkDepth]` links deep, else the primary key or null |
/// | a link to an object that is being written | its primary key, or null if it has none |
/// | lists, sets, results, linking objects | arrays |
/// | maps | dictionaries |
/// | ``AnyRealmValue`` | what it holds |
/// | ``SectionedResults`` | an array of objects with `key` and `elements` |
///
/// An `encode(to:)` that the compiler synthesises writes the properties of managed objects, too.
///
/// A class that declares `Encodable` and writes its own `encode(to:)` can add to what the
/// library writes:
///
/// ```swift
/// class Puppy: Object, Encodable {
///     @Persisted var age = 0
///
///     enum ExtraKeys: CodingKey { case humanAge }
///
///     func encode(to encoder: any Encoder) throws {
///         try encodable.encode(to: encoder)
///         var container = encoder.container(keyedBy: ExtraKeys.self)
///         try container.encode(age * 7, forKey: .humanAge)
///     }
/// }
/// ```
///
/// Encoding throws where the encoder does. It also throws if more than 128 objects and
/// collections of ``AnyRealmValue``s are nested, or fewer on a thread with a small stack. The
/// time is proportional to the output.
///
/// Thread rule: that of the value; traps off its thread, queue or actor. ``Frozen`` is
/// `Encodable` itself, and encodes on any thread.
public struct ConfinedEncodable<Value: ThreadConfined>: Encodable {
    let value: Value

    /// Encodes the value as the table above says.
    ///
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        try EncodedValue(value).encode(to: encoder)
    }
}

@available(
    *, unavailable,
    message:
        "It belongs to the thread, queue or actor of the value: encode Frozen values elsewhere."
)
extension ConfinedEncodable: Sendable {}

extension ThreadConfined {
    /// The value in encodable form, even if its class is not `Encodable`. See
    /// ``ConfinedEncodable``.
    public var encodable: ConfinedEncodable<Self> { ConfinedEncodable(value: self) }
}
