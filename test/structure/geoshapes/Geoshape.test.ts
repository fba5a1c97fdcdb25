import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { Geoshape } from "../../../src/structure/geoshapes/Geoshape.ts"
import { boundsOf, distance, type Shape } from "../../../src/structure/geoshapes/Shape.ts"
import { comparable, intersects as meet, isWithin as within } from "../../../src/structure/geoshapes/ShapeRelations.ts"

const intersects = (a: Shape, b: Shape) => meet(comparable(a), comparable(b))
const isWithin = (a: Shape, b: Shape) => within(comparable(a), comparable(b))

const latitude = FastCheck.integer({ min: -18, max: 18 }).map((n) => n * 5)
const longitude = FastCheck.integer({ min: -36, max: 36 }).map((n) => n * 5)
const points = FastCheck.tuple(latitude, longitude).map(([lat, lon]) => Geoshape.point(lat, lon))
const boxes = FastCheck.tuple(latitude, longitude, latitude, longitude).map(([a, west, b, east]) =>
  Geoshape.box(Math.min(a, b), west, Math.max(a, b), east)
)
const circles = FastCheck.tuple(latitude, longitude, FastCheck.integer({ min: 1, max: 40 })).map(([lat, lon, size]) =>
  Geoshape.circle(lat, lon, size * 150)
)
const shapes = FastCheck.oneof(points, boxes, circles)

const point = (lat: number, lon: number) => Geoshape.point(lat, lon).shape

describe("shapes on the earth", () => {
  it("are within a shape that has all of their points, and intersect one that shares a point", () => {
    FastCheck.assert(
      FastCheck.property(shapes, shapes, points, (a, b, place) => {
        const inside = isWithin(place.shape, a.shape)
        if (isWithin(a.shape, b.shape)) {
          expect(intersects(a.shape, b.shape)).toBe(true)
          if (inside) expect(isWithin(place.shape, b.shape)).toBe(true)
        }
        if (inside && isWithin(place.shape, b.shape)) expect(intersects(a.shape, b.shape)).toBe(true)
        expect(intersects(a.shape, b.shape)).toBe(intersects(b.shape, a.shape))
        expect(isWithin(a.shape, a.shape)).toBe(true)
      }),
      { numRuns: 5000 }
    )
  })

  it("are inside the box around them", () => {
    FastCheck.assert(
      FastCheck.property(shapes, points, (shape, place) => {
        const around = { kind: "box", ...boundsOf(shape.shape)! } as const
        if (isWithin(place.shape, shape.shape)) expect(isWithin(place.shape, around)).toBe(true)
      }),
      { numRuns: 5000 }
    )
  })

  it("are measured on a sphere", () => {
    // Bern to Basel: 69 km.
    const bern = [46.948, 7.4474] as const
    const basel = [47.5596, 7.5886] as const
    const circle = (km: number) => Geoshape.circle(...bern, km).shape
    expect(isWithin(point(...basel), circle(68))).toBe(false)
    expect(isWithin(point(...basel), circle(70))).toBe(true)
    expect(distance(0, 179, 0, -179)).toBeCloseTo(2, 9)
    expect(Geoshape.circle(10, 20, 5).kilometres).toBe(5)
  })

  it("can cross the 180th meridian and the poles", () => {
    const fiji = Geoshape.box(-20, 177, -15, -178).shape
    expect([179, -179, 0, 170].map((lon) => isWithin(point(-17, lon), fiji))).toEqual([true, true, false, false])
    const arctic = Geoshape.circle(89, 0, 500).shape
    expect(isWithin(point(88, 180), arctic)).toBe(true)
    expect(boundsOf(arctic)).toMatchObject({ west: -180, east: 180, north: 90 })
  })

  it("are refused for coordinates out of range", () => {
    expect(() => Geoshape.point(91, 0)).toThrow("a latitude is from -90 to 90, not 91")
    expect(() => Geoshape.point(0, 181)).toThrow("longitude")
    expect(() => Geoshape.circle(0, 0, -1)).toThrow("radius")
    expect(() => Geoshape.box(2, 0, 1, 1)).toThrow("north of")
    expect(() => Geoshape.line([[1, 2]])).toThrow("a line has at least two places")
    expect(() =>
      Geoshape.polygon([
        [0, 0],
        [4, 4],
        [4, 0],
        [0, 4],
        [0, 0]
      ])
    ).toThrow("does not meet itself")
  })

  it("have at most 100,000 places with those of all parts", () => {
    const points = Array.from({ length: 40_000 }, (_, at) => [at / 1000, 1] as const)
    const line: Shape = { kind: "line", points }
    expect(Geoshape.of({ kind: "collection", shapes: [line, line] }).places).toBe(80_001)
    for (const shape of [
      { kind: "collection", shapes: [line, { kind: "collection", shapes: [line, line] }] },
      { kind: "multiline", lines: [points, points, points] }
    ] as ReadonlyArray<Shape>) {
      expect(() => Geoshape.of(shape)).toThrow("at most 100000 places, not 12000")
    }
  })

  it("refuse more comparisons of holes with a border, and of edges, than one check may make", () => {
    const border = Array.from({ length: 20_001 }, (_, at) => {
      const angle = ((at % 20_000) / 20_000) * 2 * Math.PI
      return [40 * Math.cos(angle), 40 * Math.sin(angle)] as const
    })
    const holes = (count: number) =>
      Array.from({ length: count }, (_, at) => {
        const west = -30 + (60 * at) / count
        return [
          [west, 0],
          [west + 20 / count, 0],
          [west + 20 / count, 1],
          [west, 0]
        ] as const
      })
    const shape = (count: number): Shape => ({ kind: "polygon", rings: [border, ...holes(count)] })
    expect(Geoshape.of(shape(20)).places).toBe(20_081)
    expect(() => Geoshape.of(shape(5_000))).toThrow("pairs of edges near each other")
    const parts = Array.from({ length: 4 }, () => shape(80))
    expect(() => Geoshape.of({ kind: "collection", shapes: parts })).toThrow("pairs of edges near each other")
  })
})
