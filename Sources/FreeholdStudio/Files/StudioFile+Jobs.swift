import Foundation
import Freehold
import FreeholdInspection
import FreeholdStorage

// Long work: on threads of its own, with a version of its own, beside all other requests.

extension StudioFile {
    // MARK: Reports

    /// Who reads which version. Any thread.
    func versions() throws -> [UInt8] {
        struct Pin: Encodable {
            let version: UInt64
            let holder: String
            let processID: Int32
            let isStudio: Bool
            let place: String?
            let age: Double?
            let byteCount: Int
        }
        struct Answer: Encodable {
            let newestVersion: UInt64
            let activeVersionCount: Int
            let usedByteCount: Int
            let pins: [Pin]
        }
        let report = VersionsDescription(try view().realm.versionReport())
        let own = ProcessInfo.processInfo.processIdentifier
        return try Reply.encoded(
            Answer(
                newestVersion: report.newestVersion, activeVersionCount: report.activeVersionCount,
                usedByteCount: report.usedByteCount,
                pins: report.pins.map { pin in
                    Pin(
                        version: pin.version, holder: pin.holder, processID: pin.processID,
                        isStudio: pin.processID == own, place: pin.place ?? pin.processName,
                        age: pin.seconds, byteCount: pin.byteCount)
                }))
    }

    /// A line of JSON while long work goes on.
    private struct Progress: Encodable {
        /// From 0 to 1.
        let part: Double

        static func post(_ part: Double, to chunks: Chunks) {
            guard let json = try? Reply.encoded(Progress(part: part)) else { return }
            _ = chunks.post(json + [0x0A])
        }
    }

    /// Adds up the newest version; lines of JSON tell how far it is, and the last has the answer.
    nonisolated func space() -> Chunks {
        struct Failure: Encodable { let problem: String }
        let inspected = inspected
        return Chunks.made { chunks in
            do {
                let answer = try Self.space(of: inspected) { Progress.post($0, to: chunks) }
                _ = chunks.send(answer + [0x0A])
            } catch {
                let message = (error as? StorageError)?.message ?? "\(error)"
                _ = chunks.send(
                    ((try? Reply.encoded(Failure(problem: message))) ?? []) + [0x0A])
            }
        }
    }

    private struct Part: Encodable {
        let name: String
        let kind: String
        let byteCount: Int
        var parts: [Part]?
    }

    private static func space(of file: InspectedFile, progress: (Double) -> Void) throws -> [UInt8]
    {
        struct Answer: Encodable {
            let version: UInt64
            let byteCount: Int
            let usedByteCount: Int
            let parts: [Part]
        }
        let report = try SpaceDescription(file, file.snapshot(), progress: progress)
        var parts = report.classes.map { found in
            var inner: [Part] = []
            for column in found.columns {
                let name = column.name == "$key" ? "row keys" : column.name
                let values = column.values + column.longValues + column.elements
                if values > 0 { inner.append(Part(name: name, kind: "column", byteCount: values)) }
                if column.index > 0 {
                    inner.append(
                        Part(name: "\(name) index", kind: "index", byteCount: column.index))
                }
            }
            if found.directory > 0 {
                inner.append(Part(name: "directory", kind: "other", byteCount: found.directory))
            }
            return Part(name: found.name, kind: "class", byteCount: found.total, parts: inner)
        }
        parts.append(
            Part(name: "page overhead", kind: "other", byteCount: report.overheadByteCount))
        parts.append(Part(name: "catalog", kind: "other", byteCount: report.metaByteCount))
        parts.append(Part(name: "free", kind: "free", byteCount: report.freeByteCount))
        return try Reply.encoded(
            Answer(
                version: report.version, byteCount: report.fileByteCount,
                usedByteCount: report.usedByteCount, parts: parts.filter { $0.byteCount > 0 }))
    }

    // MARK: Check

    /// Checks the newest version; lines of JSON tell how far it is.
    nonisolated func check() -> Chunks {
        struct Answer: Encodable {
            let done = true
            let version: UInt64
            let rows: Int
            let problems: [String]
        }
        let inspected = inspected
        return Chunks.made { chunks in
            do {
                let snapshot = try inspected.snapshot()
                let problems = try inspected.store.check(snapshot) {
                    Progress.post($0, to: chunks)
                }
                let rows = snapshot.catalog.classTables.reduce(0) {
                    $0 + snapshot.table($1.id).count
                }
                let answer = Answer(version: snapshot.version, rows: rows, problems: problems)
                _ = chunks.send(try Reply.encoded(answer) + [0x0A])
            } catch {
                let answer = Answer(version: 0, rows: 0, problems: ["\(error)"])
                _ = chunks.send(((try? Reply.encoded(answer)) ?? []) + [0x0A])
            }
        }
    }

    // MARK: Salvage

    /// Writes what can be read into a new file.
    nonisolated func salvage(to target: String, key: Data?) throws -> Chunks {
        struct Line: Encodable {
            var done = false
            var rows = 0
            /// Of all rows that were found, while rows are written.
            var part: Double?
            var lost = 0
            var isComplete = false
            var problems: [String] = []
        }
        guard isWritable else {
            throw RequestError(403, "Studio was started without --write, so nothing is written.")
        }
        guard !target.isEmpty, !target.utf8.contains(0) else {
            throw RequestError.missing("target")
        }
        let path = path
        return Chunks.made { chunks in
            do {
                let report = try Salvage.run(
                    from: path, to: target, key: key.flatMap { EncryptionKey($0) }
                ) { count, total in
                    let line = Line(rows: count, part: Double(count) / Double(max(1, total)))
                    if let json = try? Reply.encoded(line) { _ = chunks.post(json + [0x0A]) }
                }
                let line = Line(
                    done: true, rows: report.tables.reduce(0) { $0 + $1.rowCount },
                    lost: report.tables.reduce(0) { $0 + $1.lostRowCount },
                    isComplete: report.isComplete, problems: report.problems)
                _ = chunks.send(try Reply.encoded(line) + [0x0A])
            } catch {
                let message = (error as? StorageError)?.message ?? "\(error)"
                let line = Line(done: true, problems: [message])
                _ = chunks.send(((try? Reply.encoded(line)) ?? []) + [0x0A])
            }
        }
    }
}
