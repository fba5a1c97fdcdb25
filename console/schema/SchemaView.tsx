import { useEffect } from "preact/hooks"
import { colourOf } from "../graph/Style.ts"
import { texts } from "../texts.ts"
import { type Connection, type GraphSchema, problem, type Row, readProgress, readSchema, schema } from "./Schema.ts"

const words = texts.schema

/** Time between two looks at the progress of an index, ms. */
const BUILDING_INTERVAL_MS = 1_000

/** The labels, keys and indexes of the graph. */
export const SchemaView = () => {
  useEffect(() => void readSchema(), [])
  const found = schema.value
  const isBuilding = found !== null && found.building.size > 0
  useEffect(() => {
    if (!isBuilding) return
    let isOpen = true
    let timer = 0
    // The next read waits for the answer to this one.
    const next = () => {
      timer = window.setTimeout(() => {
        void readProgress().finally(() => {
          if (isOpen) next()
        })
      }, BUILDING_INTERVAL_MS)
    }
    next()
    return () => {
      isOpen = false
      window.clearTimeout(timer)
    }
  }, [isBuilding])
  return (
    <section class="page" aria-label={texts.views.schema}>
      <div class="toolbar flush">
        <button type="button" onClick={() => void readSchema()}>
          {words.refresh}
        </button>
        {isBuilding && <span role="status">{words.building([...found.building.keys()])}</span>}
        {found?.isKept === false && <span class="note">{words.noSchema}</span>}
        {found?.notes.map((note) => (
          <span class="note" key={note}>
            {note}
          </span>
        ))}
      </div>
      {problem.value !== "" && (
        <p class="error" role="alert">
          {problem.value}
        </p>
      )}
      {found !== null && <Tables found={found} />}
    </section>
  )
}

const Tables = ({ found }: { readonly found: GraphSchema }) => (
  <div class="columns">
    {found.connections.length > 0 && <Drawing connections={found.connections} />}
    <Listing title={words.vertexLabels} rows={found.vertexLabels} columns={{ name: words.name, count: words.count }} />
    <Listing
      title={words.edgeLabels}
      rows={found.edgeLabels}
      columns={{ name: words.name, multiplicity: words.multiplicity, count: words.count }}
    />
    <Listing
      title={words.keys}
      rows={found.keys}
      columns={{ name: words.name, type: words.type, cardinality: words.cardinality }}
    />
    <Listing
      title={words.indexes}
      rows={withProgress(found)}
      columns={{
        name: words.name,
        kind: words.kind,
        on: words.on,
        unique: words.unique,
        state: words.state,
        progress: words.progress
      }}
    />
  </div>
)

/** The indexes, with the progress of those that are being built. */
const withProgress = ({ building, indexes, vertices }: GraphSchema): ReadonlyArray<Row> =>
  building.size === 0
    ? indexes
    : indexes.map((index) => {
        const examined = building.get(index.name ?? "")
        return { ...index, progress: examined === undefined ? "" : words.examined(examined, vertices) }
      })

interface ListingProps {
  readonly title: string
  readonly rows: ReadonlyArray<Row>
  readonly columns: Readonly<Record<string, string>>
}

const Listing = ({ columns, rows, title }: ListingProps) => {
  const used = Object.entries(columns).filter(([key]) => key === "name" || rows.some((row) => row[key] !== undefined))
  return (
    <section class="panel" aria-label={title}>
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p class="note">{words.none}</p>
      ) : (
        <div class="scroll">
          <table>
            <thead>
              <tr>
                {used.map(([key, name]) => (
                  <th scope="col" key={key}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.name}>
                  {used.map(([key]) => (
                    <td key={key}>{row[key] ?? ""}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

const SIZE = 360
const RADIUS = 120
/** The height of one label, with the edges that lead back to it. */
const SINGLE_HEIGHT = 200

/** The vertex labels in a circle, and an arrow for each kind of edge between them. */
const Drawing = ({ connections }: { readonly connections: ReadonlyArray<Connection> }) => {
  const labels = [...new Set(connections.flatMap(({ from, to }) => [from, to]))]
  const placeOf = (label: string): readonly [number, number] => {
    const turn = (labels.indexOf(label) / labels.length) * 2 * Math.PI - Math.PI / 2
    const radius = labels.length === 1 ? 0 : RADIUS
    return [
      SIZE / 2 + Math.cos(turn) * radius * 1.2,
      (radius === 0 ? SINGLE_HEIGHT * 0.7 : SIZE / 2) + Math.sin(turn) * radius
    ]
  }
  const between = new Map<string, number>()
  return (
    <section class="panel" aria-label={words.drawing}>
      <h2>{words.drawing}</h2>
      <svg
        class="schema-drawing"
        viewBox={`0 0 ${SIZE} ${labels.length === 1 ? SINGLE_HEIGHT : SIZE}`}
        role="img"
        aria-label={connections.map(({ from, label, to }) => `${from} ${label} ${to}`).join(", ")}
      >
        {connections.map(({ from, label, to }) => {
          const pair = [from, to].sort().join("\0")
          const nth = between.get(pair) ?? 0
          between.set(pair, nth + 1)
          return <Arrow key={`${from} ${label} ${to}`} ends={[placeOf(from), placeOf(to)]} label={label} nth={nth} />
        })}
        {labels.map((label) => {
          const [x, y] = placeOf(label)
          return (
            <g key={label}>
              <circle cx={x} cy={y} r="18" fill={colourOf(label)} />
              <text x={x} y={y + 32} text-anchor="middle">
                {label}
              </text>
            </g>
          )
        })}
      </svg>
    </section>
  )
}

interface ArrowProps {
  readonly ends: readonly [readonly [number, number], readonly [number, number]]
  readonly label: string
  /** How many edges between the same labels are drawn already. */
  readonly nth: number
}

const Arrow = ({ ends: [[x1, y1], [x2, y2]], label, nth }: ArrowProps) => {
  if (x1 === x2 && y1 === y2) {
    return (
      <>
        <circle cx={x1} cy={y1 - 26 - nth * 5} r={14 + nth * 5} class="edge" />
        <text x={x1} y={y1 - 44 - nth * 14} text-anchor="middle" class="edge-name">
          {label}
        </text>
      </>
    )
  }
  const length = Math.hypot(x2 - x1, y2 - y1)
  const bend = 18 + nth * 26
  const [mx, my] = [(x1 + x2) / 2 - ((y2 - y1) / length) * bend, (y1 + y2) / 2 + ((x2 - x1) / length) * bend]
  const back = Math.hypot(x2 - mx, y2 - my)
  const [ex, ey] = [x2 - ((x2 - mx) / back) * 20, y2 - ((y2 - my) / back) * 20]
  const angle = Math.atan2(ey - my, ex - mx)
  const corner = (turn: number): string => `${ex + Math.cos(angle + turn) * 8},${ey + Math.sin(angle + turn) * 8}`
  return (
    <>
      <path d={`M${x1} ${y1}Q${mx} ${my} ${ex} ${ey}`} class="edge" />
      <polygon points={`${ex},${ey} ${corner(2.6)} ${corner(-2.6)}`} class="edge-end" />
      <text x={(x1 + 2 * mx + x2) / 4} y={(y1 + 2 * my + y2) / 4} text-anchor="middle" class="edge-name">
        {label}
      </text>
    </>
  )
}
