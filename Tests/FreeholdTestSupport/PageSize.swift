import FreeholdTestStart

/// Makes the files that `body` creates in this process have pages of another size, as on another machine. For processes of exit tests: all threads see it.
package func withPagesOfNewFiles<Result>(of size: Int, _ body: () throws -> Result) rethrows -> Result {
    freehold_set_test_page_size(size)
    defer { freehold_set_test_page_size(0) }
    return try body()
}
