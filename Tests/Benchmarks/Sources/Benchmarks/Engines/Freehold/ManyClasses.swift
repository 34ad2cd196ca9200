import Foundation
import Freehold

// 200 classes of 20 properties, 50 of them in each of the files ManyClasses000 to ManyClasses150.
// Made by this, in Python, and formatted:
//
//     types = "Int String Double Bool Date String? Int? Data UUID Float".split()
//     properties = "; ".join(f"@Persisted var p{i}: {types[i % 10]}" for i in range(20))
//     for number in range(200): print(f"final class Many{number}: Many {{ {properties} }}")

/// Not one of the classes of other stores.
class Many: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
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
