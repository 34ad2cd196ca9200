import Foundation
package import Freehold
import FreeholdTestSupport

/// Runs `body` while another thread is inside of a write block of the same file.
package func whileAnotherThreadWrites(
    _ configuration: Realm.Configuration, _ body: () throws -> Void
) throws {
    let (begun, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let other = startThread {
        let realm = try Realm(configuration: configuration)
        try realm.write {
            begun.signal()
            done.wait()
        }
    }
    begun.wait()
    defer { done.signal() }
    try body()
    done.signal()
    try other.join()
}
