import Foundation
package import Freehold

package final class LimitNode: Object {
    @Persisted(primaryKey: true) package var id: Int
    @Persisted package var name: String
    @Persisted package var next: LimitNode?
    @Persisted package var other: LimitNode?
    @Persisted package var nodes: List<LimitNode>
    @Persisted package var any: AnyRealmValue
}
