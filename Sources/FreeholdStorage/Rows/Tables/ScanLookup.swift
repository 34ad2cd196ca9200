/// Values to look up in an index.
struct ScanLookup {
    let column: ColumnID
    let values: [ScanValue]
}
