import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { newFolder } from "../../Folders.ts"
import { modernSession } from "../support/DriverClient.ts"

describe("Calls that TinkerPop's reference and JanusGraph's manual show", () => {
  it("test a value with a predicate", async () => {
    const asked = await modernSession()
    const tests: ReadonlyArray<readonly [script: string, result: boolean]> = [
      ["not(within('a','b','c')).test('d')", true],
      ["not(within('a','b','c')).test('a')", false],
      ["within(1,2,3).and(not(eq(2))).test(3)", true],
      ["inside(1,4).or(eq(5)).test(3)", true],
      ["inside(1,4).or(eq(5)).test(5)", true],
      ["P.gt(3).test(3)", false],
      ["TextP.startingWith('ma').test('marko')", true],
      ["def p = lt(3); [1, 5].every { p.test(it) }", false]
    ]
    for (const [script, result] of tests) expect.soft(await asked(script), script).toEqual([result])
    await expect(asked("gt(3).test()")).rejects.toThrow("test")
  })

  it("read the objects of a tree by depth", async () => {
    const asked = await modernSession()
    await asked("tree = g.V().out().out().tree().by('name').next(); null")
    expect(await asked("tree.getObjectsAtDepth(1)")).toEqual(["marko"])
    expect(await asked("tree.getObjectsAtDepth(3).sort()")).toEqual(["lop", "ripple"])
    expect(await asked("tree.getLeafObjects().sort()")).toEqual(["lop", "ripple"])
    expect(await asked("tree.getObjectsAtDepth(9)")).toEqual([])
    expect(await asked("tree['marko'].isLeaf()")).toEqual([false])
  })

  it("fill a collection with the results of a traversal", async () => {
    const asked = await modernSession()
    expect(await asked("def l = [0]; g.V().values('age').fill(l); l.sort()")).toEqual([0, 27, 29, 32, 35])
    expect(await asked("def s = [] as Set; g.V().label().fill(s).size()")).toEqual([2])
    await expect(asked("g.V().fill(1)")).rejects.toThrow("takes a list or a set")
  })

  it("run a traversal that begins with inject() and no source", async () => {
    const asked = await modernSession()
    expect(await asked("inject(1,2)")).toEqual([1, 2])
    const script = "inject(1,2).map {it.get() + 1}.map {g.V(it.get()).next()}.values('name')"
    expect(await asked(script)).toEqual(["vadas", "lop"])
    await expect(asked("out('knows')")).rejects.toThrow("nothing to run on")
  })

  it("print to the output of Java, and make collections of one member", async () => {
    const asked = await modernSession()
    expect(await asked("System.out.println('x'); Collections.singleton(1) + Collections.singletonList(2)")).toEqual([
      1, 2
    ])
    await expect(asked("System.out")).rejects.toThrow("System has no constant out")
  })

  it("make shapes by a factory", async () => {
    const asked = await modernSession()
    const factory = "def f = Geoshape.getShapeFactory(); "
    const line = "f.lineString().pointXY(59.0, 60.0).pointXY(61.0, 60.0)"
    const ring = "f.polygon().pointXY(0, 0).pointXY(2, 0).pointXY(1, 2).pointXY(0, 0)"
    const shapes: ReadonlyArray<readonly [script: string, text: string]> = [
      ["f.pointXY(60.0, 61.0)", "POINT (60 61)"],
      [`${line}.build()`, "LINESTRING (59 60, 61 60)"],
      ["f.multiPoint().pointXY(60.0, 60.0).pointXY(120.0, 60.0).build()", "MULTIPOINT ((60 60), (120 60))"],
      [`f.multiLineString().add(${line}).build()`, "MULTILINESTRING ((59 60, 61 60))"],
      [`f.multiPolygon().add(${ring}).build()`, "MULTIPOLYGON (((0 0, 2 0, 1 2, 0 0)))"],
      [
        `Geoshape.getGeometryCollectionBuilder().add(f.pointXY(1, 2)).add(${line}.build()).build()`,
        "GEOMETRYCOLLECTION (POINT (1 2),LINESTRING (59 60, 61 60))"
      ]
    ]
    for (const [script, text] of shapes) {
      expect.soft(await asked(`${factory}Geoshape.geoshape(${script}).toString()`), script).toEqual([text])
    }
    await expect(asked(`${factory}f.multiPoint().pointXY(300, 0).build()`)).rejects.toThrow("build()")
    await expect(asked(`${factory}f.multiLineString().add(f.pointXY(1, 1)).build()`)).rejects.toThrow("has lines")
  })

  it("write and read files of the folder of io()", async () => {
    const folder = newFolder()
    const asked = await modernSession({ ioDirectory: folder })
    await asked("graph.io(graphson()).writeGraph('a.json'); graph.io(IoCore.graphml()).writeGraph('b.xml')")
    expect(existsSync(join(folder, "a.json"))).toBe(true)
    for (const read of ["graphson()).readGraph('a.json')", "IoCore.graphml()).readGraph('b.xml')"]) {
      expect(await asked(`other = TinkerGraph.open(); other.io(${read}; other.traversal().V().count()`)).toEqual([6])
    }
    await expect(asked("graph.io(graphson()).writeGraph('../a.json')")).rejects.toThrow("ioDirectory")
    await expect(asked("graph.io(gryo()).writeGraph('a.kryo')")).rejects.toThrow("cannot write the format gryo")
  })
})
