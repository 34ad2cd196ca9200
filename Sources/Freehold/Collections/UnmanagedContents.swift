/// The contents of a collection that no realm manages.
///
/// There are no contents if an assigned literal had a value that no element can represent and nil
/// cannot replace. Every read or change traps then, as in Realm, which finds the fault when the
/// element is read.
struct UnmanagedContents<Contents> {
    private final class Refusal {
        let error: InvalidValueError
        let count: Int

        init(_ error: InvalidValueError, _ count: Int) {
            self.error = error
            self.count = count
        }
    }

    private var contents: Contents
    private var refusal: Refusal?

    init(_ contents: Contents) { self.contents = contents }

    var value: Contents {
        @inline(__always) get {
            if refusal != nil { trap() }
            return contents
        }
        @inline(__always) _modify {
            if refusal != nil { trap() }
            yield &contents
        }
    }

    /// The number of elements of the refused literal; nil if none was refused.
    var refusedCount: Int? { refusal?.count }

    mutating func refuse(_ error: InvalidValueError, count: Int) { refusal = Refusal(error, count) }

    @inline(never)
    private func trap() -> Never {
        misuse(
            refusal?.error.message ?? "",
            remedy: """
                Assign values that the elements' type has, or declare the elements as \
                optionals, which are nil then.
                """)
    }
}
