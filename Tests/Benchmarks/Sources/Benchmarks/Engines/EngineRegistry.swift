/// Every engine there is, in the order of the table's columns.
enum EngineRegistry {
    static var engines: [any Engine.Type] { [
        GRDBEngine.self,
        RawLMDBEngine.self,
    ] }
}
