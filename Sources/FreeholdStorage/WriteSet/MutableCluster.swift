package final class MutableCluster: ClusterView, @unchecked Sendable {}
