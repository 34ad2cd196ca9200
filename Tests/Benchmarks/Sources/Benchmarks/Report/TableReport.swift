import Foundation

/// The table for the terminal: a line for each work with the value of every engine, Freehold's
/// ratio to the peer of the bar, the bar, and whether it is passed. A ratio needs both values;
/// without them the line shows the values alone.
struct TableReport {
    /// How wide a column of values is.
    private static let width = 11

    let engines: [EngineName]

    var header: String {
        let values = engines.map { pad($0.rawValue) }.joined()
        return "work                  \(values)\(pad("ratio"))  bar                   verdict"
    }

    /// - Parameter earlier: The values of the works before.
    func line(_ work: Work, _ measurements: [Measurement], earlier: [Work: [EngineName: Double]])
        -> String
    {
        let values = Dictionary(uniqueKeysWithValues: measurements.map { ($0.engine, $0.value) })
        let columns = engines.map { pad(values[$0].map { HumanFormat.value($0, work.unit) } ?? "") }
            .joined()
        let bar = work.bar
        let reference: Double? =
            switch bar?.reference {
            case .peer(let peer): values[peer]
            case .own(let work): earlier[work]?[.freehold]
            case .peerIn(let work, let peer): earlier[work]?[peer]
            case .nanosecond, .byte, .page: 1
            case nil: nil
            }
        var ratio: Double?
        if let own = values[.freehold], let reference { ratio = own / reference }
        let verdict = bar.flatMap { bar in ratio.map { $0 <= bar.limit ? "pass" : "MISS" } } ?? ""
        switch bar?.reference {
        case .nanosecond, .byte, .page: ratio = nil
        default: break
        }
        let name = work.rawValue.padding(toLength: 22, withPad: " ", startingAt: 0)
        let limit = (bar?.description ?? "").padding(toLength: 20, withPad: " ", startingAt: 0)
        return "\(name)\(columns)\(pad(ratio.map(HumanFormat.ratio) ?? ""))  \(limit)  \(verdict)"
    }

    /// The line below `bulk-insert`, or nil where no peak is known.
    func memoryLine(_ measurements: [Measurement]) -> String? {
        let peaks = Dictionary(
            uniqueKeysWithValues: measurements.compactMap { measurement in
                measurement.peakMemory.map { (measurement.engine, $0) }
            })
        guard !peaks.isEmpty else { return nil }
        let columns = engines.map { pad(peaks[$0].map(HumanFormat.bytes) ?? "") }.joined()
        return "  peak memory     \(columns)"
    }

    private func pad(_ text: String) -> String {
        String(repeating: " ", count: max(1, Self.width - text.count)) + text
    }
}
