/// Values that an index is asked for.
struct ScanLookup {
    let column: ColumnID
    let values: [ScanValue]
}
