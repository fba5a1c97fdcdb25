import { Mapping, shortOf, type Value } from "../wire/Values.ts"

/** A value that belongs to a name, or to a time. */
interface Point {
  readonly name: string
  readonly value: number
  /** The value with all its digits, which a number may not have. */
  readonly text: string
}

const pointOf = (name: Value, value: Value): Point | undefined => {
  if (typeof value !== "bigint" && !(typeof value === "number" && Number.isFinite(value))) return undefined
  return { name: shortOf(name), value: Number(value), text: digitsOf(value) }
}

/** A number with all its digits. By default, browsers show three decimals. */
const digitsOf = (value: number | bigint): string =>
  typeof value === "bigint" ? value.toLocaleString("en") : value.toLocaleString("en", { maximumSignificantDigits: 17 })

/** The one number that a result is; undefined for other results. */
export const singleNumber = (values: ReadonlyArray<Value>): string | undefined => {
  const value = values.length === 1 ? values[0] : undefined
  return typeof value === "number" || typeof value === "bigint" ? digitsOf(value) : undefined
}

/** Bars or points of a result: a map of numbers, or rows of a name and a number. Undefined for other results. */
export const pointsOf = (values: ReadonlyArray<Value>): ReadonlyArray<Point> | undefined => {
  const [first] = values
  if (values.length === 1 && first instanceof Mapping && first.entries.length > 1) return fromEntries(first.entries)
  const isSeries = values.length > 1 && values.length <= 2_000
  if (!isSeries) return undefined
  const rows = values.map((value) =>
    value instanceof Mapping && value.entries.length === 2 ? value.entries : undefined
  )
  if (rows.some((row) => row === undefined)) return undefined
  return fromEntries(rows.map((row) => [row?.[0]?.[1] ?? null, row?.[1]?.[1] ?? null] as const))
}

const fromEntries = (entries: ReadonlyArray<readonly [Value, Value]>): ReadonlyArray<Point> | undefined => {
  const points = entries.map(([name, value]) => pointOf(name, value))
  return points.every((point) => point !== undefined) ? points : undefined
}

const isTime = (name: string): boolean => /^\d{4}(?:-\d{2}(?:-\d{2}.*)?)?$/.test(name)

const MAX_BARS = 60
const BAR_PIXELS = 26
const WIDTH = 760
const NAME_PIXELS = 180
const DIGIT_PIXELS = 9

/** Numbers by name as bars, and numbers over time as a line. */
export const Chart = ({ points }: { readonly points: ReadonlyArray<Point> }) =>
  points.length > 2 && points.every(({ name }) => isTime(name)) ? <Line points={points} /> : <Bars points={points} />

const Bars = ({ points }: { readonly points: ReadonlyArray<Point> }) => {
  const sorted = [...points].sort((a, b) => b.value - a.value).slice(0, MAX_BARS)
  const most = Math.max(1e-9, ...sorted.map(({ value }) => Math.abs(value)))
  const longest = Math.max(0, ...sorted.map(({ text }) => text.length))
  const space = WIDTH - NAME_PIXELS - Math.max(90, longest * DIGIT_PIXELS)
  return (
    <svg
      class="chart"
      viewBox={`0 0 ${WIDTH} ${sorted.length * BAR_PIXELS + 8}`}
      role="img"
      aria-label={spoken(sorted)}
    >
      {sorted.map(({ name, text, value }, at) => (
        <g key={at} transform={`translate(0 ${at * BAR_PIXELS + 4})`}>
          <text x={NAME_PIXELS - 8} y="17" text-anchor="end">
            {name.length > 26 ? `${name.slice(0, 25)}…` : name}
          </text>
          <rect
            x={NAME_PIXELS}
            y="3"
            height={BAR_PIXELS - 6}
            rx="3"
            width={Math.max(1, (Math.abs(value) / most) * space)}
          />
          <text x={NAME_PIXELS + (Math.abs(value) / most) * space + 8} y="17">
            {text}
          </text>
        </g>
      ))}
    </svg>
  )
}

const spoken = (points: ReadonlyArray<Point>): string =>
  points
    .slice(0, 20)
    .map(({ name, text }) => `${name}: ${text}`)
    .join(", ")

const Line = ({ points }: { readonly points: ReadonlyArray<Point> }) => {
  const sorted = [...points].sort((a, b) => (a.name < b.name ? -1 : 1))
  const numbers = sorted.map(({ value }) => value)
  const low = Math.min(0, ...numbers)
  const high = Math.max(low + 1e-9, ...numbers)
  const x = (at: number): number => 60 + (at / Math.max(1, sorted.length - 1)) * (WIDTH - 80)
  const y = (value: number): number => 240 - ((value - low) / (high - low)) * 220
  const path = sorted
    .map(({ value }, at) => `${at === 0 ? "M" : "L"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`)
    .join("")
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} 270`} role="img" aria-label={spoken(sorted)}>
      <path d={path} class="line" />
      {sorted.length <= 200 && sorted.map(({ value }, at) => <circle key={at} cx={x(at)} cy={y(value)} r="3" />)}
      <text x="52" y="24" text-anchor="end">
        {high.toLocaleString("en")}
      </text>
      <text x="52" y="244" text-anchor="end">
        {low.toLocaleString("en")}
      </text>
      <text x="60" y="264">
        {sorted[0]?.name}
      </text>
      <text x={WIDTH - 20} y="264" text-anchor="end">
        {sorted.at(-1)?.name}
      </text>
    </svg>
  )
}
