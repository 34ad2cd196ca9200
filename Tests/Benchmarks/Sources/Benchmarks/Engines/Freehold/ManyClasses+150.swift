import Foundation
import Freehold

// Classes 150 to 199 of those that ManyClasses.swift says how to make.

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
