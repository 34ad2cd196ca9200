import Foundation

/// The file that `--json` writes, for programs that follow the figures over time.
struct JSONReport: Encodable {
    struct Result: Encodable {
        let work: String
        let engine: String
        /// Nanoseconds for one operation, bytes or pages: see `Work.unit`.
        let value: Double
    }

    let results: [Result]

    init(_ measurements: [Measurement]) {
        results = measurements.map {
            Result(work: $0.work.rawValue, engine: $0.engine.rawValue, value: $0.value)
        }
    }

    func write(to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(self).write(to: file, options: .atomic)
    }
}
