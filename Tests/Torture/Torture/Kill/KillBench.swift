import Foundation

/// The judge's process, and another one in its place when a file was its end.
final class KillBench {
    private var child: ChildProcess?
    private let directory: URL

    init(directory: URL) { self.directory = directory }

    /// - Parameter wait: Waits for the descriptor, and for what else there is to listen to.
    func ask(_ question: KillQuestion, wait: (Int32) -> Void) -> KillVerdict {
        let judge =
            child
            ?? ChildProcess(
                ["kill-judge"], errorPath: directory.appendingPathComponent("judge.txt").path)
        child = judge
        guard let data = try? JSONEncoder().encode(question) else {
            return KillVerdict(problems: ["The question cannot be asked."])
        }
        judge.send(String(decoding: data, as: UTF8.self))
        let limit = monotonicNanoseconds() + 180_000_000_000
        while judge.output >= 0 {
            if let line = judge.lines().first {
                return (try? JSONDecoder().decode(KillVerdict.self, from: Data(line.utf8)))
                    ?? KillVerdict(problems: ["The judge says: \(line)"])
            }
            if monotonicNanoseconds() > limit {
                judge.kill()
                break
            }
            wait(judge.output)
        }
        judge.reap()
        child = nil
        return KillVerdict(problems: ["Reading it was the end of the judge: \(judge.ending)"])
    }

    func close() {
        child?.stop()
        child?.reap()
        child = nil
    }
}
