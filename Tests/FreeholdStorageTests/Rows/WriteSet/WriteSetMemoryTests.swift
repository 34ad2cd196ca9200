import Foundation
import FreeholdStorage
import Testing

/// How much memory a write set takes.
@Suite struct WriteSetMemoryTests {
    /// A bulk insert of a million rows in one transaction fits into 600 MB; here a fifth of both.
    ///
    /// In a process of its own: the tests beside it would count. Not under sanitizers, which
    /// take several times the memory.
    @Test(.disabled(if: isThreadSanitized || isAddressSanitized))
    func aBulkInsertFitsIntoMemory() async {
        await #expect(processExitsWith: .success) {
            let rowCount = 200_000
            try withTemporaryStore { store in
                let before = try anonymousMemory()
                let writeSet = try store.beginWrite()
                let id = writeSet.createTable(named: "Person")
                let key = writeSet.addColumn(
                    to: id, named: "id", type: .integer, isNullable: false, isIndexed: false)
                let name = writeSet.addColumn(
                    to: id, named: "name", type: .text, isNullable: false, isIndexed: true)
                let age = writeSet.addColumn(
                    to: id, named: "age", type: .integer, isNullable: false, isIndexed: true)
                let score = writeSet.addColumn(
                    to: id, named: "score", type: .double, isNullable: true, isIndexed: false)
                let born = writeSet.addColumn(
                    to: id, named: "born", type: .timestamp, isNullable: false, isIndexed: false)
                writeSet.setPrimaryKey(key, of: id)
                let table = writeSet.mutableTable(id)
                for index in 0..<Int64(rowCount) {
                    let row = table.insertRow(RowKey(rawValue: index))
                    var text = "person number \(index % 50_000)"
                    text.withUTF8 { row.setBytes(name, UnsafeRawBufferPointer($0)) }
                    row.setInteger(age, index % 100)
                    row.setDouble(score, Double(index))
                    row.setDouble(born, Double(index) * 1000)
                }
                let filled = try anonymousMemory() - before
                #expect(filled < 120_000_000)
                let snapshot = try store.commit(writeSet)
                #expect(snapshot.table(id).count == rowCount)
                let committed = try anonymousMemory() - before
                #expect(committed < 120_000_000)
            }
        }
    }
}

/// The process's resident memory that is not of a file, in bytes.
private func anonymousMemory() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
    return try #require(line.split(separator: " ").compactMap { Int($0) }.first) * 1024
}
