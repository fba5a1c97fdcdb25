import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

const TRIANGLE = "Geoshape.polygon([[0, 0], [0, 5], [5, 5], [0, 0]])"

describe("A shape of a script has the methods of Geoshape", () => {
  it.each([
    ["Geoshape.point(1.5, 2.5).getPoint()", "POINT (2.5 1.5)"],
    ["Geoshape.point(1.5, 2.5).getPoint().getLatitude()", "1.5"],
    ["Geoshape.circle(1, 2, 3).getPoint(0).getLongitude()", "2.0"],
    ["Geoshape.circle(1, 2, 3).getRadius()", "3.0"],
    ["Geoshape.box(1, 2, 3, 4).size()", "2"],
    ["Geoshape.box(1, 2, 3, 4).getPoint(1)", "POINT (4 3)"],
    ["Geoshape.line([[1, 2], [3, 4], [5, 6]]).size()", "3"],
    [`${TRIANGLE}.getPoint(2)`, "POINT (5 5)"],
    ["Geoshape.point(1.5, 2.5).toGeoJson()", '{"type":"Point","coordinates":[2.5,1.5]}'],
    [`Geoshape.point(4, 1).within(${TRIANGLE})`, "true"],
    [`Geoshape.point(1, 4).within(${TRIANGLE})`, "false"],
    [`${TRIANGLE}.contains(Geoshape.point(4, 1))`, "true"],
    [`${TRIANGLE}.intersect(Geoshape.line([[4, 0], [0, 4]]))`, "true"],
    [`${TRIANGLE}.disjoint(Geoshape.line([[4, 0], [5, 4]]))`, "true"]
  ])("%s", (script, expected) => {
    expect(text(resultOf(script))).toBe(expected)
  })

  it.each([
    ["Geoshape.box(1, 2, 3, 4).getPoint()", "does not have a single point"],
    ["Geoshape.box(1, 2, 3, 4).getPoint(2)", "the shape has 2 points"],
    ["Geoshape.box(1, 2, 3, 4).getRadius()", "This shape is not a circle"],
    ["Geoshape.box(1, 2, 3, 4).getLatitude()", "only a point has a latitude"],
    ["Geoshape.point(1, 2).within('x')", "within() takes a shape, not String"],
    ["Geoshape.line([])", "a line has at least two places"]
  ])("%s is refused", (script, reason) => {
    expect(() => resultOf(script)).toThrow(reason)
  })
})
