import FreeholdStorage

/// Numbers the results of all objects.
struct ResultsIdentity {
    /// The numbers of all frozen realms. Protected by its lock.
    static let ofFrozen = Locked(processWide: ResultsIdentity())

    private var last: UInt64 = 0

    @inline(__always)
    mutating func next() -> UInt64 {
        last &+= 1
        return last
    }
}
