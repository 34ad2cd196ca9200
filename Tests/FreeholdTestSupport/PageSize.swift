import FreeholdTestStart
import Glibc

/// Makes the files that `body` creates in this process have pages of another size, as on
/// another machine. For processes of exit tests: all threads see it.
package func withPagesOfNewFiles<Result>(of size: Int, _ body: () throws -> Result) rethrows
    -> Result
{
    freehold_set_test_page_size(size)
    defer { freehold_set_test_page_size(0) }
    return try body()
}

/// The size of the pages that LMDB gives files made on this system: the system's, up to 32 KiB.
package let pageSizeOfNewFiles = min(Int(getpagesize()), 32_768)
