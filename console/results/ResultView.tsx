import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { GraphView } from "../graph/GraphView.tsx"
import { type Run, run } from "../query/Query.ts"
import { CopyButton } from "../shell/CopyButton.tsx"
import { durationOf } from "../shell/Format.ts"
import { texts } from "../texts.ts"
import { JSON_INDENT, writeJson } from "../wire/Decode.ts"
import { plainOf, type Value } from "../wire/Values.ts"
import { Chart, pointsOf, singleNumber } from "./Chart.tsx"
import { type ExportFormat, elementsOf, exportResults, tabbedOf } from "./Exports.ts"
import { chosen, type Form } from "./Form.ts"
import { Json } from "./Json.tsx"
import { Plan, planOf } from "./Plans.tsx"
import { Table } from "./Table.tsx"

const words = texts.results

/** Number of results that decide which forms fit. */
const INSPECTED_RESULTS = 1_000

const formsOf = (values: ReadonlyArray<Value>): ReadonlyArray<Form> => {
  if (planOf(values) !== undefined) return ["profile", "json"]
  const { edges, vertices } = elementsOf(values.slice(0, INSPECTED_RESULTS))
  const hasGraph = vertices.size + edges.size > 0
  const hasChart = singleNumber(values) !== undefined || pointsOf(values) !== undefined
  return [...(hasGraph ? (["graph"] as const) : []), ...(hasChart ? (["chart"] as const) : []), "table", "json"]
}

/** The results of the last run. */
export const ResultView = () => {
  const last = run.value
  if (last === null) return null
  const isPlain = last.state === "failed" || last.count === 0
  const forms = isPlain ? [] : formsOf(last.values)
  const form = forms.includes(chosen.value) ? chosen.value : (forms[0] ?? "table")
  return (
    <section class="results" aria-label={words.label}>
      <div class="toolbar">
        <Status last={last} />
        <span class="space" />
        {forms.length > 0 && (
          <>
            <fieldset class="forms" aria-label={words.label}>
              {forms.map((name) => (
                <button
                  type="button"
                  key={name}
                  aria-pressed={name === form}
                  onClick={() => {
                    chosen.value = name
                  }}
                >
                  {words[name]}
                </button>
              ))}
            </fieldset>
            <Exports values={last.values} form={form} />
          </>
        )}
      </div>
      {last.dropped > 0 && (
        <p class="note" role="note">
          {words.dropped(last.count)}
        </p>
      )}
      {last.error !== "" && (
        <p class="error" role="alert">
          {last.error}
        </p>
      )}
      {isPlain ? last.state === "done" && <p class="note">{words.none}</p> : <Shown last={last} form={form} />}
    </section>
  )
}

const Status = ({ last }: { readonly last: Run }) => {
  const ends = last.state === "stopped" || last.state === "failed" ? `, ${words[last.state]}` : ""
  const isWaiting = last.state === "running" && last.count === 0
  // A query that has failed at once has no number of results.
  const isRefused = last.state === "failed" && last.count === 0
  const said = isRefused ? words.refused : `${words.count(last.count + last.dropped)}${ends}`
  return (
    <p class={`status ${last.state}`}>
      {last.state === "running" && <span class="spinner" aria-hidden="true" />}
      <span role="status" aria-live="polite">
        {isWaiting ? words.waiting : said}
      </span>
      <span class="note"> {durationOf(last.elapsed)}</span>
    </p>
  )
}

/** Copies the results as the form shows them: a table goes into a spreadsheet. Saves them in any format. */
const Exports = ({ form, values }: { readonly values: ReadonlyArray<Value>; readonly form: Form }) => {
  const note = useSignal("")
  useEffect(() => {
    note.value = ""
  }, [values])
  return (
    <>
      <CopyButton text={() => (form === "table" ? tabbedOf(values) : writeJson(values.map(plainOf), JSON_INDENT))} />
      <select
        aria-label={words.export}
        value=""
        onChange={(event) => {
          const format = event.currentTarget.value as ExportFormat | ""
          if (format !== "") note.value = exportResults(values, format)
          event.currentTarget.value = ""
        }}
      >
        <option value="">{words.export}</option>
        <option value="csv">CSV</option>
        <option value="json">JSON</option>
        <option value="graphml">GraphML</option>
      </select>
      <span class="note" role="status">
        {note.value}
      </span>
    </>
  )
}

const Shown = ({ form, last }: { readonly last: Run; readonly form: Form }) => {
  const { count, values } = last
  if (form === "json") return <Json values={values} count={count} />
  if (form === "graph") return <GraphView values={values} isDone={last.state !== "running"} />
  if (form === "profile") {
    const plan = planOf(values)
    return plan === undefined ? null : <Plan plan={plan} plain={last.plain} />
  }
  if (form === "chart") {
    const number = singleNumber(values)
    if (number !== undefined) return <p class="big-number">{number}</p>
    return (
      <div class="chart-view">
        <Chart points={pointsOf(values) ?? []} />
      </div>
    )
  }
  return <Table values={values} count={count} />
}
