// Whoever takes this product shares realms: one import, as one product, is enough.
@_exported public import FreeholdSharing
