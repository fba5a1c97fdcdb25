import type { NewEdge, NewVertex, ParsedFile } from "./ParsedFile.ts"
import { propertyOf } from "./TypedValue.ts"

/** A vertex of each sample, by its label and the key and the value of a property: a graph that has it has the sample. */
export const samples = {
  modern: { label: "software", key: "name", value: "ripple" },
  airRoutes: { label: "airport", key: "code", value: "ATL" }
} as const

/** TinkerPop's graph "modern". */
export const modern: ParsedFile = {
  columns: [],
  vertices: [
    ["marko", "person", 29],
    ["vadas", "person", 27],
    ["lop", "software", "java"],
    ["josh", "person", 32],
    ["ripple", "software", "java"],
    ["peter", "person", 35]
  ].map(([name, label, more]) => ({
    key: `modern ${name}`,
    label: String(label),
    properties: [
      propertyOf("name", String(name), "string"),
      label === "person" ? propertyOf("age", Number(more), "int") : propertyOf("lang", String(more), "string")
    ]
  })),
  edges: (
    [
      ["marko", "vadas", "knows", 0.5],
      ["marko", "josh", "knows", 1],
      ["marko", "lop", "created", 0.4],
      ["josh", "ripple", "created", 1],
      ["josh", "lop", "created", 0.4],
      ["peter", "lop", "created", 0.2]
    ] as const
  ).map(([from, to, label, weight]) => ({
    from: `modern ${from}`,
    to: `modern ${to}`,
    label,
    properties: [propertyOf("weight", weight, "double")]
  }))
}

/** Airports with their city, latitude and longitude in degrees. */
const AIRPORTS = `ATL Atlanta 33.64 -84.43|AMS Amsterdam 52.31 4.76|BCN Barcelona 41.3 2.08|BKK Bangkok 13.69 100.75|BOG Bogota 4.7 -74.15
CDG Paris 49.01 2.55|CPT Cape_Town -33.97 18.6|DEL Delhi 28.57 77.1|DXB Dubai 25.25 55.36|EZE Buenos_Aires -34.82 -58.54
FCO Rome 41.8 12.24|FRA Frankfurt 50.03 8.57|GRU Sao_Paulo -23.43 -46.47|HKG Hong_Kong 22.31 113.91|HND Tokyo 35.55 139.78
ICN Seoul 37.46 126.44|IST Istanbul 41.26 28.74|JFK New_York 40.64 -73.78|JNB Johannesburg -26.14 28.25|LAX Los_Angeles 33.94 -118.41
LHR London 51.47 -0.45|LIM Lima -12.02 -77.11|MAD Madrid 40.47 -3.56|MEX Mexico_City 19.44 -99.07|NBO Nairobi -1.32 36.93
ORD Chicago 41.98 -87.9|PEK Beijing 40.08 116.58|SEA Seattle 47.45 -122.31|SFO San_Francisco 37.62 -122.38|SIN Singapore 1.36 103.99
SYD Sydney -33.95 151.18|YYZ Toronto 43.68 -79.63`

const NEIGHBOURS = 4
const EARTH_KILOMETRES = 6_371

interface Airport {
  readonly code: string
  readonly city: string
  readonly latitude: number
  readonly longitude: number
}

const distance = (a: Airport, b: Airport): number => {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180
  const cosine =
    Math.sin(radians(a.latitude)) * Math.sin(radians(b.latitude)) +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * Math.cos(radians(a.longitude - b.longitude))
  return Math.round(EARTH_KILOMETRES * Math.acos(Math.min(1, cosine)))
}

const airports = (): ReadonlyArray<Airport> =>
  AIRPORTS.split(/[|\n]/).map((line) => {
    const [code = "", city = "", latitude, longitude] = line.split(" ")
    return { code, city: city.replaceAll("_", " "), latitude: Number(latitude), longitude: Number(longitude) }
  })

/** Real airports. The routes are made up: each airport has one to its nearest neighbours and to one far away. */
export const airRoutes = (): ParsedFile => {
  const all = airports()
  const vertices: ReadonlyArray<NewVertex> = all.map(({ city, code, latitude, longitude }) => ({
    key: `route ${code}`,
    label: "airport",
    properties: [
      propertyOf("code", code, "string"),
      propertyOf("city", city, "string"),
      propertyOf("latitude", latitude, "double"),
      propertyOf("longitude", longitude, "double")
    ]
  }))
  const edges = all.flatMap((from, at): ReadonlyArray<NewEdge> => {
    const nearest = all.filter((to) => to !== from).sort((a, b) => distance(from, a) - distance(from, b))
    const far = all[(at * 7 + 11) % all.length]
    const ends = new Set([...nearest.slice(0, NEIGHBOURS), ...(far === undefined || far === from ? [] : [far])])
    return [...ends].map((to) => ({
      from: `route ${from.code}`,
      to: `route ${to.code}`,
      label: "route",
      properties: [propertyOf("kilometres", distance(from, to), "int")]
    }))
  })
  return { vertices, edges, columns: [] }
}
