import Foundation
import Testing

@testable import Freehold
import FreeholdRealmTestSupport

@Suite struct DiscoveryTests {
    private var found: Set<ObjectIdentifier> {
        Set(ClassDiscovery.modelClasses().map { ObjectIdentifier($0) })
    }

    @Test func findsModelClassesWhereverTheyAreDeclared() {
        class Local: Object {
            @Persisted var text = ""
            override class func shouldIncludeInDefaultSchema() -> Bool { false }
        }
        for type in [
            ObjectModels.Person.self, ObjectModels.Employee.self, RenamedModel.self,
            InstanceOfGenericModel.self, privateModel(),
            localModel(), Local.self, Fixture.Room.self,
        ] as [ObjectBase.Type] {
            #expect(found.contains(ObjectIdentifier(type)), "\(type)")
        }
    }

    @Test func findsNothingElse() {
        #expect(!found.contains(ObjectIdentifier(Object.self)))
        #expect(!found.contains(ObjectIdentifier(ObjectBase.self)))
        #expect(!found.contains(ObjectIdentifier(EmbeddedObject.self)))
        #expect(!found.contains(ObjectIdentifier(GenericModel<Int>.self)))
        #expect(ClassDiscovery.modelClasses().count == found.count)
    }

    @Test func classNames() {
        #expect(ObjectModels.Person.className() == "ObjectModels_Person")
        #expect(privateModel().className() == "PrivateModel")
        #expect(localModel().className() == "LocalModel")
        #expect(RenamedModel.className() == "Renamed")
        #expect(GenericModel<Int>.className() == "GenericModel<Swift.Int>")
    }
}
