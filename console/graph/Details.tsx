import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { cellText } from "../results/Columns.ts"
import { messageOf } from "../shell/Server.ts"
import { texts } from "../texts.ts"
import type { PropertyValue } from "../wire/Values.ts"
import { countText, type Neighbourhood, neighbourhoodsOf } from "./Expansion.ts"
import type { GraphLink, GraphNode } from "./Model.ts"

const words = texts.graph

interface DetailsProps {
  readonly node: GraphNode | undefined
  readonly link: GraphLink | undefined
  readonly onExpand: (neighbourhood: Neighbourhood) => void
}

/** The properties of the selected element, and the neighbours of a vertex. */
export const Details = ({ link, node, onExpand }: DetailsProps) => {
  const element = node?.vertex ?? link?.edge
  if (element === undefined) return <p class="note">{words.pick}</p>
  return (
    <div class="details">
      <h2>{element.label}</h2>
      <dl>
        <div>
          <dt>{words.id}</dt>
          <dd>{element.id.text}</dd>
        </div>
        {link !== undefined && (
          <div>
            <dt>{words.edges}</dt>
            <dd>
              {link.edge.from.id.text} → {link.edge.to.id.text}
            </dd>
          </div>
        )}
        {[...element.properties].map(([key, values]) => (
          <PropertyRow key={key} name={key} values={values} />
        ))}
      </dl>
      {node !== undefined && <Neighbours key={node.id} node={node} onExpand={onExpand} />}
    </div>
  )
}

const PropertyRow = ({ name, values }: { readonly name: string; readonly values: ReadonlyArray<PropertyValue> }) => (
  <div>
    <dt>{name}</dt>
    {values.map(({ meta, value }, at) => (
      <dd key={at}>
        {cellText(value)}
        {meta.size > 0 && (
          <ul class="meta" aria-label={words.meta(name)}>
            {Array.from(meta, ([key, own]) => (
              <li key={key}>
                <span class="note">{key}</span> {cellText(own)}
              </li>
            ))}
          </ul>
        )}
      </dd>
    ))}
  </div>
)

const Neighbours = ({ node, onExpand }: { readonly node: GraphNode; readonly onExpand: DetailsProps["onExpand"] }) => {
  const found = useSignal<ReadonlyArray<Neighbourhood> | null>(null)
  const problem = useSignal("")
  useEffect(() => {
    neighbourhoodsOf(node.vertex).then(
      (neighbourhoods) => {
        found.value = neighbourhoods
      },
      (error: unknown) => {
        problem.value = messageOf(error)
      }
    )
  }, [node])
  return (
    <>
      <h2>{words.expand}</h2>
      {problem.value !== "" && <p class="error">{problem.value}</p>}
      {found.value === null && problem.value === "" && <p class="note">{words.counting}</p>}
      {found.value?.length === 0 && <p class="note">{words.noNeighbours}</p>}
      <ul class="neighbours">
        {found.value?.map((neighbourhood) => (
          <li key={`${neighbourhood.direction}${neighbourhood.label}`}>
            <button type="button" onClick={() => onExpand(neighbourhood)}>
              {neighbourhood.direction} {neighbourhood.label}{" "}
              <span class="count">{countText(neighbourhood.count)}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
