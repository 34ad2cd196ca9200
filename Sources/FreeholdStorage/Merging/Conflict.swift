/// What two sides did that cannot both stand.
package struct Conflict: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// One value, or one key of a map, was set to two new values. Or one side removed what the
        /// other one set.
        case value
        /// Edits of a list that overlap.
        case list
        /// One side deleted a row that the other one changed.
        case deletedAndChanged(by: Side)
        /// One side deleted a row to which the other one set a link.
        case linkToDeleted(by: Side)
        /// Both sides added a row with the same primary key.
        case createdTwice
        /// The merged version would have two rows with one primary key.
        case notUnique
        /// Both sides moved an owned row, to two owners.
        case movedTwice
        /// A table or a column that my side changed does not exist in theirs.
        case missing
    }

    package enum Side: Hashable, Sendable {
        case mine, theirs
    }

    /// A step into a map or a nested collection.
    package enum Step: Hashable, Sendable {
        /// UTF-8.
        case key(ContiguousArray<UInt8>)
        /// An index of the base's list.
        case index(Int)
    }

    /// A value that the other side changed, of a row that one side deleted.
    package struct Place: Hashable, Sendable {
        package let table: TableID
        package let row: Int64
        package let column: ColumnID

        package init(table: TableID, row: Int64, column: ColumnID) {
            self.table = table
            self.row = row
            self.column = column
        }
    }

    package var kind: Kind
    package var table: TableID
    /// As the base has it; a row that both sides added as theirs has it. Nil for a table.
    package var row: Int64?
    /// Nil for a whole row.
    package var column: ColumnID?
    /// The way from the column's value to the part of it that is in conflict.
    package var path: [Step]
    /// What the other side changed, where one side deleted the row. For owned rows inside of it,
    /// too.
    package var places: [Place]
    /// Nil where there is no value, as of a deleted row.
    package var base: StoredValue?
    package var mine: StoredValue?
    package var theirs: StoredValue?

    package init(
        kind: Kind, table: TableID, row: Int64? = nil, column: ColumnID? = nil, path: [Step] = [],
        places: [Place] = [], base: StoredValue? = nil, mine: StoredValue? = nil,
        theirs: StoredValue? = nil
    ) {
        self.kind = kind
        self.table = table
        self.row = row
        self.column = column
        self.path = path
        self.places = places
        self.base = base
        self.mine = mine
        self.theirs = theirs
    }
}

/// How a conflict is settled.
package enum Resolution: Hashable, Sendable {
    case mine, theirs
    /// Another value, for a conflict of values and of lists.
    case value(StoredValue)
}
