import Foundation

/// One row of the table every engine stores, as plain values. Each engine turns it into its own
/// form inside the timed region.
struct PersonRow {
    /// The primary key: the row's position, 0 to one less than the number of rows.
    let id: Int
    /// Indexed; ten rows share a name.
    let name: String
    /// 0 to 99, uniform.
    let age: Int
    /// 0 to below 1,024 in steps of 2^-20, so that a sum of millions of scores is exact
    /// whatever the order of the additions.
    let score: Double
    let active: Bool
    /// About 45 bytes of ASCII with a number of ten digits in it.
    let bio: String
    /// A whole second between 2001 and 2032.
    let joined: Date
}
