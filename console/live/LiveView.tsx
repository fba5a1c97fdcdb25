import { useEffect } from "preact/hooks"
import { durationOf } from "../shell/Format.ts"
import { about, cancelRequest, messageOf } from "../shell/Server.ts"
import { texts } from "../texts.ts"
import { LogLevel } from "./LogLevel.tsx"
import { byOp, type Figure, type Moment } from "./Metrics.ts"
import { look, moments, problem, queries, type RunningQuery, slow, watch } from "./Watch.ts"

const words = texts.live

const figures: ReadonlyArray<Figure> = [
  "requests",
  "latency",
  "running",
  "queued",
  "lanes",
  "runQueue",
  "sessions",
  "connections",
  "memory",
  "heap",
  "lag"
]

/** What the server does now, and its running queries. */
export const LiveView = () => {
  useEffect(watch, [])
  return (
    <section class="page" aria-label={texts.views.live}>
      <h2>{words.now}</h2>
      {problem.value !== "" && (
        <p class="error" role="alert">
          {problem.value}
        </p>
      )}
      {queries.value.length === 0 ? <p class="note">{words.nothing}</p> : <Queries list={queries.value} hasKill />}
      {about.value?.operates === false && <p class="note">{words.own}</p>}
      <h2>{words.minutes}</h2>
      <div class="cards">
        {figures.map((figure) => (
          <Card key={figure} figure={figure} />
        ))}
      </div>
      <Ops />
      {slow.value.length > 0 && (
        <>
          <h2>{words.slow}</h2>
          <Queries list={slow.value} />
        </>
      )}
      <LogLevel />
    </section>
  )
}

/** Requests by op, over the time that the page watched. */
const Ops = () => {
  const found = byOp(moments.value)
  if (found.length === 0) return null
  return (
    <div class="scroll panel">
      <table>
        <thead>
          <tr>
            {[words.op, words.requests, words.latency, words.total].map((name) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {found.map(({ count, mean, op, rate }) => (
            <tr key={op}>
              <th scope="row">{op}</th>
              <td class="number">{rate.toFixed(2)}</td>
              <td class="number">{mean.toFixed(2)}</td>
              <td class="number">{count.toLocaleString("en")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const kill = async (requestId: string): Promise<void> => {
  try {
    await cancelRequest(requestId)
  } catch (error) {
    problem.value = messageOf(error)
    return
  }
  await look()
}

const Queries = ({
  hasKill = false,
  list
}: {
  readonly list: ReadonlyArray<RunningQuery>
  readonly hasKill?: boolean
}) => (
  <div class="scroll panel">
    <table>
      <thead>
        <tr>
          {[words.elapsed, words.user, words.state, words.step, words.query, ...(hasKill ? [words.kill] : [])].map(
            (name) => (
              <th scope="col" key={name}>
                {name}
              </th>
            )
          )}
        </tr>
      </thead>
      <tbody>
        {list.map(({ elapsed, request, requestId, state, step, user }) => (
          <tr key={requestId}>
            <td class="number">{durationOf(elapsed)}</td>
            <td>{user}</td>
            <td>{state}</td>
            <td>{step}</td>
            <td title={request}>
              <code>{request}</code>
            </td>
            {hasKill && (
              <td>
                <button type="button" onClick={() => void kill(requestId)}>
                  {words.kill}
                </button>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const WIDTH = 240
const HEIGHT = 48

const Card = ({ figure }: { readonly figure: Figure }) => {
  const last = moments.value.at(-1)?.values[figure]
  return (
    <div class="card panel">
      <h3>{words[figure]}</h3>
      <div class="figure">
        {last === undefined ? "–" : last.toLocaleString("en", { maximumFractionDigits: last < 10 ? 2 : 0 })}
      </div>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path d={lineOf(moments.value, figure)} />
      </svg>
    </div>
  )
}

const lineOf = (all: ReadonlyArray<Moment>, figure: Figure): string => {
  const first = all[0]
  const last = all.at(-1)
  if (first === undefined || last === undefined) return ""
  const span = Math.max(60_000, last.at - first.at)
  const most = Math.max(1e-9, ...all.map(({ values }) => values[figure]))
  return all
    .map(({ at, values }, index) => {
      const x = WIDTH - ((last.at - at) / span) * WIDTH
      const y = HEIGHT - 2 - (values[figure] / most) * (HEIGHT - 6)
      return `${index === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`
    })
    .join("")
}
