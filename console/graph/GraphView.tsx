import { useEffect, useMemo, useRef } from "preact/hooks"
import { exportGraphml } from "../results/Graphml.ts"
import { download, isXmlText } from "../shell/Format.ts"
import { texts } from "../texts.ts"
import { idKeyOf, type Value } from "../wire/Values.ts"
import { Details } from "./Details.tsx"
import { GraphCanvas, themeOf } from "./GraphCanvas.tsx"
import type { Layout } from "./Layouts.ts"
import { type GraphModel, VERTICES_PER_CLICK } from "./Model.ts"
import { Stage } from "./Stage.ts"
import { captionOf, colourOf, setStyle, styles } from "./Style.ts"
import { namesOf, svgOf } from "./Svg.ts"

const words = texts.graph

interface GraphViewProps {
  readonly values: ReadonlyArray<Value>
  /** All results have arrived. The drawing begins then, or with the first results of a long run. */
  readonly isDone: boolean
}

/** Results as a graph. */
export const GraphView = ({ isDone, values }: GraphViewProps) => {
  const stage = useMemo(() => new Stage(values, isDone), [values, isDone])
  useEffect(() => () => stage.end(), [stage])
  const place = useRef<HTMLDivElement>(null)
  stage.version.value
  styles.value
  const { model } = stage
  const [selected] = stage.selection.value
  return (
    <div class="graph" ref={place}>
      <div class="toolbar">
        <GraphTools stage={stage} />
        <span class="note">{words.drawn(model.nodes.size, model.links.size)}</span>
        <span class="space" />
        <Pictures stage={stage} place={place} />
      </div>
      {stage.note.value !== "" && (
        <p class="note" role="status">
          {stage.note.value}
        </p>
      )}
      {stage.problem.value !== "" && (
        <p class="error" role="alert">
          {stage.problem.value}
        </p>
      )}
      <div class="graph-body">
        <GraphCanvas stage={stage} />
        <aside class="panel" aria-label={words.details}>
          <Details
            node={selected === undefined ? undefined : model.nodes.get(selected)}
            link={selected === undefined ? undefined : model.links.get(selected)}
            onExpand={(neighbourhood) => {
              const node = selected === undefined ? undefined : model.nodes.get(selected)
              if (node !== undefined) stage.expand(node, neighbourhood)
            }}
          />
          <Labels stage={stage} />
          <p class="note">{words.help}</p>
        </aside>
      </div>
      <VertexTable stage={stage} />
    </div>
  )
}

/** Vertices that one click draws, at most. */
const MAX_DRAWN = 20_000

/** Follows the changes of the model. A component whose properties stay equal is not drawn again without it. */
const follow = (stage: Stage): GraphModel => {
  stage.version.value
  return stage.model
}

const GraphTools = ({ stage }: { readonly stage: Stage }) => {
  const model = follow(stage)
  return (
    <>
      <label class="check">
        {words.layout}
        <select value={stage.layout.value} onChange={(event) => stage.setLayout(event.currentTarget.value as Layout)}>
          {(Object.keys(words.layouts) as ReadonlyArray<Layout>).map((name) => (
            <option key={name} value={name}>
              {words.layouts[name]}
            </option>
          ))}
        </select>
      </label>
      <button type="button" onClick={() => stage.fit()}>
        {words.fit}
      </button>
      <button type="button" disabled={stage.selection.value.size === 0} onClick={() => stage.hideSelected()}>
        {words.hide}
      </button>
      <button type="button" disabled={!model.canUndo} onClick={() => stage.undo()}>
        {words.undo}
      </button>
      {model.waiting > 0 && (
        <button type="button" onClick={() => void stage.drawMore()}>
          {words.more(Math.min(model.waiting, VERTICES_PER_CLICK), model.waiting)}
        </button>
      )}
      {model.waiting > VERTICES_PER_CLICK && model.waiting <= MAX_DRAWN && (
        <button type="button" onClick={() => void stage.drawMore(MAX_DRAWN)}>
          {words.all(model.waiting)}
        </button>
      )}
    </>
  )
}

const Pictures = ({
  place,
  stage
}: {
  readonly stage: Stage
  readonly place: { readonly current: HTMLDivElement | null }
}) => {
  const canvas = (): HTMLCanvasElement | null | undefined => place.current?.querySelector("canvas")
  const { model } = stage
  return (
    <>
      <button
        type="button"
        onClick={() => canvas()?.toBlob((blob) => blob !== null && download("graph.png", "image/png", blob))}
      >
        PNG
      </button>
      <button
        type="button"
        onClick={() => {
          const element = canvas()
          if (!element) return
          download("graph.svg", "image/svg+xml", svgOf(model, themeOf(element)))
          stage.note.value = namesOf(model).every(isXmlText) ? "" : texts.results.replaced
        }}
      >
        SVG
      </button>
      <button
        type="button"
        onClick={() => {
          // The properties of the others are not known.
          const known = [...model.nodes].filter(([id]) => !model.bare.has(id))
          const vertices = new Map(known.map(([, { vertex }]) => [idKeyOf(vertex.id), vertex]))
          const edges = new Map(Array.from(model.links.values(), ({ edge }) => [idKeyOf(edge.id), edge]))
          stage.note.value = exportGraphml("graph.graphml", vertices, edges)
        }}
      >
        GraphML
      </button>
    </>
  )
}

const Labels = ({ stage }: { readonly stage: Stage }) => {
  const model = follow(stage)
  return (
    <>
      <h2>{words.labels}</h2>
      <ul class="legend">
        {model.labels().map(([label, count]) => (
          <li key={label}>
            <input
              type="color"
              aria-label={`${words.colour}: ${label}`}
              value={colourOf(label)}
              onInput={(event) => {
                setStyle(label, { colour: event.currentTarget.value })
                stage.repaint()
              }}
            />
            <span class="label-name">{label}</span>
            <span class="count">{count}</span>
            <select
              aria-label={`${words.caption}: ${label}`}
              value={styles.value.get(label)?.caption ?? ""}
              onChange={(event) => {
                setStyle(label, { caption: event.currentTarget.value })
                stage.repaint()
              }}
            >
              <option value="">{words.caption}</option>
              {captionKeys(stage, label).map((key) => (
                <option key={key} value={key}>
                  {key}
                </option>
              ))}
            </select>
          </li>
        ))}
      </ul>
    </>
  )
}

const captionKeys = ({ model }: Stage, label: string): ReadonlyArray<string> => {
  const keys = new Set(["id", "label"])
  for (const { vertex } of model.nodes.values()) {
    if (vertex.label === label) for (const key of vertex.properties.keys()) keys.add(key)
  }
  return [...keys]
}

/** Maximum number of vertices in the table. The table of the results has all. */
const MAX_TABLE_ROWS = 300

/** The drawn vertices as a table, for people who do not see the drawing. */
const VertexTable = ({ stage }: { readonly stage: Stage }) => {
  const model = follow(stage)
  const degrees = model.degrees()
  return (
    <details class="vertex-table">
      <summary>{words.vertices}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.caption}</th>
            <th scope="col">{words.label}</th>
            <th scope="col">{words.id}</th>
            <th scope="col">{words.edges}</th>
          </tr>
        </thead>
        <tbody>
          {[...model.nodes.values()].slice(0, MAX_TABLE_ROWS).map(({ id, vertex }) => (
            <tr key={id}>
              <td>
                <button type="button" aria-pressed={stage.selection.value.has(id)} onClick={() => stage.select(id)}>
                  {captionOf(vertex)}
                </button>
              </td>
              <td>{vertex.label}</td>
              <td>{vertex.id.text}</td>
              <td>{degrees.get(id) ?? 0}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
