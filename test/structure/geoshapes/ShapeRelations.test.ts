import { describe, expect, it } from "vitest"
import { Geoshape } from "../../../src/structure/geoshapes/Geoshape.ts"
import type { Line } from "../../../src/structure/geoshapes/Shape.ts"
import { type Comparable, comparable, intersects, isWithin } from "../../../src/structure/geoshapes/ShapeRelations.ts"
import { shapeOfText } from "../../../src/structure/geoshapes/WellKnownText.ts"
import { janusGraphRelations } from "../../fixtures/JanusGraphShapes.ts"

const shape = (text: string): Comparable => comparable(Geoshape.of(shapeOfText(text)).shape)

/** A polygon with this number of places on a circle around 0, 0. */
const round = (places: number, radius: number): Comparable => {
  const ring: Array<readonly [number, number]> = []
  for (let i = 0; i < places; i++) {
    const angle = (i / places) * 2 * Math.PI
    ring.push([radius * Math.cos(angle), radius * Math.sin(angle)])
  }
  return comparable(Geoshape.polygon([...ring, ring[0]!] satisfies Line).shape)
}

describe("Lines, polygons and multi-shapes", () => {
  const all = janusGraphRelations()
  /** A line without length is a place here; JanusGraph's library gives it different answers. */
  const isComparable = (text: string): boolean =>
    text !== "LINESTRING (1 1, 1 1)" && text !== "MULTIPOLYGON (((0 0, 4 4, 4 0, 0 4, 0 0)))"
  const shapes = all.map(({ text }) => (isComparable(text) ? shape(text) : undefined))

  it("intersect and contain each other as in JanusGraph", () => {
    let compared = 0
    all.forEach(({ relations, text }, i) => {
      all.forEach((other, j) => {
        const [a, b, relation] = [shapes[i], shapes[j], relations[j]!]
        if (a === undefined || b === undefined || relation === "x") return
        compared++
        const name = `${text} and ${other.text}`
        expect(intersects(a, b), name).toBe(relation !== "D")
        const [within, contains] = [isWithin(a, b), isWithin(b, a)]
        // JanusGraph reports one relation for equal shapes, and only intersections for collections.
        if (i === j || (within && contains) || /COLLECTION/.test(name)) return
        // JanusGraph looks only at the places of a polygon, so it misses that an edge is near the centre.
        if (/BUFFER \(POINT \(0 60\), 8\)/.test(name) && /-30 40/.test(name)) return
        expect({ within, contains }, name).toEqual({ within: relation === "W", contains: relation === "C" })
      })
    })
    expect(compared).toBeGreaterThan(3000)
  })

  it("are measured on the sphere when a circle is compared with an edge", () => {
    // The great circle from the pole to the edge: the edge along 80 degrees north is 10 degrees away at every place.
    const edge = shape("LINESTRING (-170 80, 170 80)")
    expect(intersects(shape("BUFFER (POINT (0 90), 10.001)"), edge)).toBe(true)
    expect(intersects(shape("BUFFER (POINT (0 90), 9.999)"), edge)).toBe(false)
    expect(isWithin(edge, shape("BUFFER (POINT (0 90), 10.001)"))).toBe(true)
    expect(isWithin(edge, shape("BUFFER (POINT (0 90), 9.999)"))).toBe(false)
  })

  it("are not within a shape that has their border but a hole inside it", () => {
    const ring = shape("POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0), (3 3, 6 3, 6 6, 3 6, 3 3))")
    expect(isWithin(shape("POLYGON ((3 3, 6 3, 6 6, 3 6, 3 3))"), ring)).toBe(false)
    expect(isWithin(shape("POLYGON ((1 1, 8 1, 8 8, 1 8, 1 2, 1 1))"), ring)).toBe(false)
    expect(isWithin(shape("LINESTRING (3 3, 6 3, 6 6)"), ring)).toBe(true)
    expect(isWithin(shape("LINESTRING (1 4, 8 4)"), ring)).toBe(false)
  })

  it("are covered by neighbours that share an edge", () => {
    const two = shape("MULTIPOLYGON (((0 0, 5 0, 5 9, 0 9, 0 0)), ((5 0, 9 0, 9 9, 5 9, 5 0)))")
    expect(isWithin(shape("POLYGON ((1 1, 8 2, 8 8, 1 8, 1 1))"), two)).toBe(true)
    expect(isWithin(shape("POLYGON ((1 1, 10 2, 8 8, 1 8, 1 1))"), two)).toBe(false)
  })

  it("are refused when comparing them would take too long", () => {
    const [small, large] = [round(4, 1), round(20_000, 2)]
    expect(isWithin(small, large)).toBe(true)
    expect(intersects(large, round(20_000, 2.5))).toBe(true)
    expect(() => isWithin(large, round(20_000, 2.5))).toThrow("are not compared")
  })
})
