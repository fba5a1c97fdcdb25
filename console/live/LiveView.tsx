import { useEffect } from "preact/hooks"
import { durationOf } from "../shell/Format.ts"
import { about, cancelRequest, messageOf } from "../shell/Server.ts"
import { texts } from "../texts.ts"
import { LogLevel } from "./LogLevel.tsx"
import { byOp, type Figure, type Moment } from "./Metrics.ts"
import { look, moments, problem, queries, type RunningQuery, type SlowQuery, seen, slow, watch } from "./Watch.ts"

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
      {queries.value.length === 0 ? <p class="note">{words.nothing}</p> : <Queries list={queries.value} />}
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
          <SlowQueries list={slow.value} />
        </>
      )}
      <LogLevel />
    </section>
  )
}

/** Requests by op of the last ten minutes. */
const Ops = () => {
  const found = byOp(moments.value)
  if (found.length === 0) return null
  return (
    <div class="scroll panel">
      <table>
        <Heads names={[words.op, words.requests, words.latency, words.total, words.course]} />
        <tbody>
          {found.map(({ count, mean, op, rate }) => (
            <tr key={op}>
              <th scope="row">{op}</th>
              <td class="number">{rate.toFixed(2)}</td>
              <td class="number">{mean.toFixed(2)}</td>
              <td class="number">{count.toLocaleString("en")}</td>
              <td>
                <Line
                  name="course"
                  points={pointsOf(moments.value, ({ requests, span }) => rateOf(requests.get(op)?.count, span))}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Requests a second. Undefined for a moment without a length. */
const rateOf = (count = 0, span: number): number | undefined => (span === 0 ? undefined : count / (span / 1_000))

const Heads = ({ names }: { readonly names: ReadonlyArray<string> }) => (
  <thead>
    <tr>
      {names.map((name) => (
        <th scope="col" key={name}>
          {name}
        </th>
      ))}
    </tr>
  </thead>
)

const kill = async (requestId: string): Promise<void> => {
  try {
    await cancelRequest(requestId)
  } catch (error) {
    problem.value = messageOf(error)
    return
  }
  await look()
}

const Queries = ({ list }: { readonly list: ReadonlyArray<RunningQuery> }) => (
  <div class="scroll panel">
    <table>
      <Heads names={[words.elapsed, words.user, words.state, words.step, words.query, words.kill]} />
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
            <td>
              <button type="button" aria-label={words.killOf(request)} onClick={() => void kill(requestId)}>
                {words.kill}
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const SlowQueries = ({ list }: { readonly list: ReadonlyArray<SlowQuery> }) => (
  <div class="scroll panel">
    <table>
      <Heads names={[words.ended, words.elapsed, words.user, words.status, words.rows, words.query]} />
      <tbody>
        {list.map(({ elapsed, endedAt, request, requestId, rows, status, user }) => (
          <tr key={`${requestId} ${endedAt}`}>
            <td>{new Date(endedAt).toLocaleTimeString("en-GB")}</td>
            <td class="number">{durationOf(elapsed)}</td>
            <td>{user}</td>
            <td>{status === 0 ? words.left : status}</td>
            <td class="number">{rows.toLocaleString("en")}</td>
            <td title={request}>
              <code>{request}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const WIDTH = 240
const HEIGHT = 48

const Card = ({ figure }: { readonly figure: Figure }) => {
  const all = figure === "lag" ? seen.value : moments.value
  const points = pointsOf(all, ({ values }) => values[figure])
  const last = points.at(-1)?.value
  return (
    <div class="card panel">
      <h3>{words[figure]}</h3>
      <div class="figure">
        {last === undefined ? "–" : last.toLocaleString("en", { maximumFractionDigits: last < 10 ? 2 : 0 })}
      </div>
      <Line points={points} />
    </div>
  )
}

interface Point {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly value: number
}

/** A figure over time. Moments in which it is not known are left out. */
const pointsOf = (all: ReadonlyArray<Moment>, read: (moment: Moment) => number | undefined): ReadonlyArray<Point> =>
  all.flatMap((moment) => {
    const value = read(moment)
    return value === undefined ? [] : [{ at: moment.at, value }]
  })

const Line = ({ name, points }: { readonly points: ReadonlyArray<Point>; readonly name?: string }) => (
  <svg class={name} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
    <path d={pathOf(points)} />
  </svg>
)

const pathOf = (points: ReadonlyArray<Point>): string => {
  const first = points[0]
  const last = points.at(-1)
  if (first === undefined || last === undefined) return ""
  const span = Math.max(60_000, last.at - first.at)
  const most = Math.max(1e-9, ...points.map(({ value }) => value))
  return points
    .map(({ at, value }, index) => {
      const x = WIDTH - ((last.at - at) / span) * WIDTH
      const y = HEIGHT - 2 - (value / most) * (HEIGHT - 6)
      return `${index === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`
    })
    .join("")
}
