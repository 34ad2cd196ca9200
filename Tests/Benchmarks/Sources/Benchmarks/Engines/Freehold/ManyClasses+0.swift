import Foundation
import Freehold

// Classes 0 to 49 of those that ManyClasses.swift says how to make.

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
