import type { ComponentChildren } from "preact"
import { durationOf } from "../shell/Format.ts"
import { texts } from "../texts.ts"
import { Mapping, Other, textOf, type Value } from "../wire/Values.ts"

const words = texts.results

const mapOf = (value: Value | undefined): Mapping | undefined =>
  value instanceof Other ? mapOf(value.value) : value instanceof Mapping ? value : undefined

const listOf = (value: Value | undefined): ReadonlyArray<Value> => (Array.isArray(value) ? value : [])

/** The result of profile() or explain(); undefined for other results. */
export const planOf = (values: ReadonlyArray<Value>): Mapping | undefined => {
  const [value] = values
  const isPlan =
    values.length === 1 && value instanceof Other && /^g:Traversal(?:Metrics|Explanation)$/.test(value.type)
  return isPlan ? mapOf(value) : undefined
}

/** A plan as a tree: with times after profile(), and the rewriting of the traversal after explain(). */
export const Plan = ({ plain, plan }: { readonly plan: Mapping; readonly plain: number | undefined }) =>
  plan.get("original") === undefined ? <Profile plan={plan} plain={plain} /> : <Explanation plan={plan} />

const Profile = ({ plain, plan }: { readonly plan: Mapping; readonly plain: number | undefined }) => (
  <section class="plan" aria-label={words.profile}>
    {plain !== undefined && <p class="note">{words.withoutProfile(durationOf(plain))}</p>}
    <table>
      <thead>
        <tr>
          {[words.step, words.index, words.time, words.share, words.elements, words.traversers].map((name) => (
            <th scope="col" key={name}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{listOf(plan.get("metrics")).flatMap((metric, at) => stepRows(mapOf(metric), 0, String(at)))}</tbody>
    </table>
  </section>
)

const stepRows = (metric: Mapping | undefined, depth: number, key: string): Array<ComponentChildren> => {
  if (metric === undefined) return []
  const children = listOf(metric.get("metrics")).flatMap((child, at) =>
    stepRows(mapOf(child), depth + 1, `${key}.${at}`)
  )
  return [<StepRow key={key} metric={metric} depth={depth} />, ...children]
}

const StepRow = ({ depth, metric }: { readonly metric: Mapping; readonly depth: number }) => {
  const counts = mapOf(metric.get("counts"))
  const notes = mapOf(metric.get("annotations"))
  const share = Number(notes?.get("percentDur") ?? 0)
  const index = textOf(notes?.get("index") ?? "")
  const isScan = index.includes(words.fullScan)
  return (
    <tr>
      <th scope="row" class="step" style={{ paddingLeft: `${8 + depth * 20}px` }}>
        {textOf(metric.get("name") ?? "")}
      </th>
      <td class={isScan ? "scan" : undefined}>{index}</td>
      <td class="number">{durationOf(Number(metric.get("dur") ?? 0))}</td>
      <td>
        {share > 0 && (
          <span class="share">
            <span style={{ width: `${Math.max(1, share)}%` }} />
            <em>{share.toFixed(1)} %</em>
          </span>
        )}
      </td>
      <td class="number">{textOf(counts?.get("elementCount") ?? "")}</td>
      <td class="number">{textOf(counts?.get("traverserCount") ?? "")}</td>
    </tr>
  )
}

const Explanation = ({ plan }: { readonly plan: Mapping }) => {
  const stages = listOf(plan.get("intermediate")).map(mapOf)
  let before = steps(plan.get("original"))
  const changes = stages.filter((stage) => {
    const now = steps(stage?.get("traversal"))
    const isChange = now !== before
    before = now
    return isChange
  })
  return (
    <section class="plan" aria-label={words.profile}>
      <ol class="stages">
        <Stage name={words.original} value={plan.get("original")} />
        {changes.map((stage, at) => (
          <Stage key={at} name={textOf(stage?.get("strategy") ?? "")} value={stage?.get("traversal")} />
        ))}
        <Stage name={words.final} value={plan.get("final")} />
      </ol>
    </section>
  )
}

const steps = (value: Value | undefined): string => listOf(value).map(textOf).join("\n")

const Stage = ({ name, value }: { readonly name: string; readonly value: Value | undefined }) => (
  <li>
    <h2>{name}</h2>
    <ul>
      {listOf(value).map((step, at) => (
        <li key={at} class={textOf(step).includes(words.fullScan) ? "scan" : undefined}>
          <code>{textOf(step)}</code>
        </li>
      ))}
    </ul>
  </li>
)
