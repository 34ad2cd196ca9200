extension Realm {
    /// The classes that the realm manages. Any thread.
    public var schema: Schema { Schema(core.schema.classes.map(\.schema)) }
}
