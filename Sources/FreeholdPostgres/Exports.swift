// A program that imports this product need not import FreeholdSharing as well.
@_exported public import FreeholdSharing
