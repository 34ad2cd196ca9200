/// Every engine there is, in the order of the table's columns.
enum EngineRegistry {
    static var engines: [any Engine.Type] {
        [
            FreeholdEngine.self,
            GRDBEngine.self,
            RawLMDBEngine.self,
        ]
    }
}
