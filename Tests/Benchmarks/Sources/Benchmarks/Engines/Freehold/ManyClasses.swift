import Foundation
import Freehold

// 200 classes of 20 properties. Made by this, in Python:
//
//     types = ["Int", "String", "Double", "Bool", "Date", "String?", "Int?", "Data", "UUID", "Float"]
//     properties = "; ".join(f"@Persisted var p{i}: {types[i % 10]}" for i in range(20))
//     for number in range(200): print(f"final class Many{number}: Many {{ {properties} }}")

/// Not one of the classes of other stores.
class Many: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class Many0: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many1: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many2: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many3: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many4: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many5: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many6: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many7: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many8: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many9: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many10: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many11: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many12: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many13: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many14: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many15: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many16: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many17: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many18: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many19: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many20: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many21: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many22: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many23: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many24: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many25: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many26: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many27: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many28: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many29: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many30: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many31: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many32: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many33: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many34: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many35: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many36: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many37: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many38: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many39: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many40: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many41: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many42: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many43: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many44: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many45: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many46: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many47: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many48: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many49: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many50: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many51: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many52: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many53: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many54: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many55: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many56: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many57: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many58: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many59: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many60: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many61: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many62: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many63: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many64: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many65: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many66: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many67: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many68: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many69: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many70: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many71: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many72: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many73: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many74: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many75: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many76: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many77: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many78: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many79: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many80: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many81: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many82: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many83: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many84: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many85: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many86: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many87: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many88: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many89: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many90: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many91: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many92: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many93: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many94: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many95: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many96: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many97: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many98: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many99: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many100: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many101: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many102: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many103: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many104: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many105: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many106: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many107: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many108: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many109: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many110: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many111: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many112: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many113: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many114: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many115: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many116: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many117: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many118: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many119: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many120: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many121: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many122: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many123: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many124: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many125: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many126: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many127: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many128: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many129: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many130: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many131: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many132: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many133: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many134: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many135: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many136: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many137: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many138: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many139: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many140: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many141: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many142: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many143: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many144: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many145: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many146: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many147: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many148: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many149: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many150: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many151: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many152: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many153: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many154: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many155: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many156: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many157: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many158: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many159: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many160: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many161: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many162: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many163: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many164: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many165: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many166: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many167: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many168: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many169: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many170: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many171: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many172: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many173: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many174: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many175: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many176: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many177: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many178: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many179: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many180: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many181: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many182: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many183: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many184: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many185: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many186: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many187: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many188: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many189: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many190: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many191: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many192: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many193: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many194: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many195: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many196: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many197: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many198: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}
final class Many199: Many {
    @Persisted var p0: Int; @Persisted var p1: String; @Persisted var p2: Double;
    @Persisted var p3: Bool; @Persisted var p4: Date; @Persisted var p5: String?;
    @Persisted var p6: Int?; @Persisted var p7: Data; @Persisted var p8: UUID;
    @Persisted var p9: Float; @Persisted var p10: Int; @Persisted var p11: String;
    @Persisted var p12: Double; @Persisted var p13: Bool; @Persisted var p14: Date;
    @Persisted var p15: String?; @Persisted var p16: Int?; @Persisted var p17: Data;
    @Persisted var p18: UUID; @Persisted var p19: Float
}

let manyClasses: [ObjectBase.Type] = [
    Many0.self, Many1.self, Many2.self, Many3.self, Many4.self, Many5.self, Many6.self, Many7.self,
    Many8.self, Many9.self,
    Many10.self, Many11.self, Many12.self, Many13.self, Many14.self, Many15.self, Many16.self,
    Many17.self, Many18.self, Many19.self,
    Many20.self, Many21.self, Many22.self, Many23.self, Many24.self, Many25.self, Many26.self,
    Many27.self, Many28.self, Many29.self,
    Many30.self, Many31.self, Many32.self, Many33.self, Many34.self, Many35.self, Many36.self,
    Many37.self, Many38.self, Many39.self,
    Many40.self, Many41.self, Many42.self, Many43.self, Many44.self, Many45.self, Many46.self,
    Many47.self, Many48.self, Many49.self,
    Many50.self, Many51.self, Many52.self, Many53.self, Many54.self, Many55.self, Many56.self,
    Many57.self, Many58.self, Many59.self,
    Many60.self, Many61.self, Many62.self, Many63.self, Many64.self, Many65.self, Many66.self,
    Many67.self, Many68.self, Many69.self,
    Many70.self, Many71.self, Many72.self, Many73.self, Many74.self, Many75.self, Many76.self,
    Many77.self, Many78.self, Many79.self,
    Many80.self, Many81.self, Many82.self, Many83.self, Many84.self, Many85.self, Many86.self,
    Many87.self, Many88.self, Many89.self,
    Many90.self, Many91.self, Many92.self, Many93.self, Many94.self, Many95.self, Many96.self,
    Many97.self, Many98.self, Many99.self,
    Many100.self, Many101.self, Many102.self, Many103.self, Many104.self, Many105.self,
    Many106.self, Many107.self, Many108.self, Many109.self,
    Many110.self, Many111.self, Many112.self, Many113.self, Many114.self, Many115.self,
    Many116.self, Many117.self, Many118.self, Many119.self,
    Many120.self, Many121.self, Many122.self, Many123.self, Many124.self, Many125.self,
    Many126.self, Many127.self, Many128.self, Many129.self,
    Many130.self, Many131.self, Many132.self, Many133.self, Many134.self, Many135.self,
    Many136.self, Many137.self, Many138.self, Many139.self,
    Many140.self, Many141.self, Many142.self, Many143.self, Many144.self, Many145.self,
    Many146.self, Many147.self, Many148.self, Many149.self,
    Many150.self, Many151.self, Many152.self, Many153.self, Many154.self, Many155.self,
    Many156.self, Many157.self, Many158.self, Many159.self,
    Many160.self, Many161.self, Many162.self, Many163.self, Many164.self, Many165.self,
    Many166.self, Many167.self, Many168.self, Many169.self,
    Many170.self, Many171.self, Many172.self, Many173.self, Many174.self, Many175.self,
    Many176.self, Many177.self, Many178.self, Many179.self,
    Many180.self, Many181.self, Many182.self, Many183.self, Many184.self, Many185.self,
    Many186.self, Many187.self, Many188.self, Many189.self,
    Many190.self, Many191.self, Many192.self, Many193.self, Many194.self, Many195.self,
    Many196.self, Many197.self, Many198.self, Many199.self,
]
