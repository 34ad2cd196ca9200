import Foundation
import Testing

@testable import PackageIndex

@Suite("The realm's place")
struct IndexRealmTests {
    @Test(
        "the directory for caches comes from the environment, and only as an absolute path",
        arguments: [
            (["XDG_CACHE_HOME": "/c", "HOME": "/h"], "/c"),
            (["XDG_CACHE_HOME": "c", "HOME": "/h"], "/h/.cache"),
            (["XDG_CACHE_HOME": "", "HOME": "/h"], "/h/.cache"),
            (["HOME": "h"], NSHomeDirectory() + "/.cache"),
            ([:], NSHomeDirectory() + "/.cache"),
        ])
    func defaultPath(environment: [String: String], caches: String) {
        #expect(
            IndexRealm.defaultPath(environment: environment) == caches
                + "/freehold-examples/package-index.realm")
    }
}
