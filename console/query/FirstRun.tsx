import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { NAMING_KEYS } from "../graph/Style.ts"
import { names } from "../schema/Names.ts"
import { CopyButton } from "../shell/CopyButton.tsx"
import { about, collect, source } from "../shell/Server.ts"
import { view } from "../shell/View.ts"
import { texts } from "../texts.ts"
import { run, start, text } from "./Query.ts"

const emptyQueries = [
  "g.addV('person').property('name', 'Ada').as('a').\n  addV('person').property('name', 'Grace').as('b').\n  addE('knows').from('a').to('b')",
  "g.V().hasLabel('person').values('name')",
  "g.V().has('name', 'Ada').outE().inV().path()"
]

const filledQueries = ["g.V().limit(25)", "g.V().groupCount().by(label)", "g.V().limit(10).outE().inV().path()"]

/** A query that finds vertices by a part of their name, if a key of the graph is a name. */
const searches = (keys: ReadonlyArray<string>): ReadonlyArray<string> => {
  const key = NAMING_KEYS.find((name) => keys.includes(name))
  return key === undefined ? [] : [`g.V().has('${key}', TextP.containing('a')).limit(25)`]
}

const driversOf = (): ReadonlyArray<readonly [string, string]> => {
  const scheme = location.protocol === "https:" ? "wss" : "ws"
  const address = `${scheme}://${location.host}/gremlin`
  const name = source.value
  return [
    ["JavaScript", `traversal().withRemote(new DriverRemoteConnection("${address}", { traversalSource: "${name}" }))`],
    ["Python", `traversal().with_remote(DriverRemoteConnection("${address}", "${name}"))`],
    ["HTTP", `curl -d '{"gremlin":"${name}.V().count()"}' ${location.protocol}//${location.host}/gremlin`]
  ]
}

/**
 * The next of the queries for an empty graph, below the one that ran. A press while that one runs would cancel it, and the graph would
 * stay empty. The button keeps the focus meanwhile, which a disabled one loses.
 */
export const NextTry = () => {
  const at = emptyQueries.indexOf(text.value)
  const next = emptyQueries[at + 1]
  const isRunning = run.value?.state === "running"
  if (at < 0 || next === undefined) return null
  return (
    <div class="toolbar">
      {texts.first.next}
      <button
        type="button"
        class="code"
        aria-disabled={isRunning}
        onClick={() => {
          if (isRunning) return
          text.value = next
          start()
        }}
      >
        {next}
      </button>
    </div>
  )
}

/** What the page shows before the first query: queries to try, and the addresses of drivers. */
export const FirstRun = () => {
  const isEmpty = useSignal(false)
  const known = about.value !== null
  useEffect(() => {
    if (!known) return
    collect("g.V().limit(1).count()").then(
      ([count]) => {
        isEmpty.value = count === 0
      },
      () => {}
    )
  }, [source.value, known])
  const queries = isEmpty.value ? emptyQueries : [...filledQueries, ...searches(names.value.keys)]
  return (
    <div class="first panel">
      <h2>{texts.first.title}</h2>
      <p>{isEmpty.value ? texts.first.empty : texts.first.try}</p>
      {isEmpty.value && (
        <p>
          <button
            type="button"
            onClick={() => {
              view.value = "data"
            }}
          >
            {texts.first.load}
          </button>
        </p>
      )}
      <ul class="tries">
        {queries.map((query) => (
          <li key={query}>
            <button
              type="button"
              class="code"
              onClick={() => {
                text.value = query
                start()
              }}
            >
              {query}
            </button>
          </li>
        ))}
      </ul>
      <h3>{texts.first.connect}</h3>
      <dl class="drivers">
        {driversOf().map(([name, code]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{code}</code> <CopyButton name={name} text={() => code} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
