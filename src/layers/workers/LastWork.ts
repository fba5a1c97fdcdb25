import type { RecordedRequest, WorkerReading } from "./WorkerRecords.ts"

/** Requests that a log line names. */
const MAX_NAMED_REQUESTS = 5

/**
 * What a worker was doing when it ended, as the end of a log line; empty when it evaluated nothing.
 *
 * @param scriptLogLength the setting: characters of a request in the log. Values of bindings are not logged
 */
export const lastWorkOf = ({ evaluated, onEventLoop }: WorkerReading, scriptLogLength: number): string => {
  const named = ({ kind, requestId, text, user }: RecordedRequest): string =>
    `${requestId}${user === "" ? "" : ` of ${user}`} (${kind} ${JSON.stringify(text.slice(0, scriptLogLength))})`
  const others = evaluated.filter((request) => request !== onEventLoop)
  const more = others.length > MAX_NAMED_REQUESTS ? ` and ${others.length - MAX_NAMED_REQUESTS} more` : ""
  const waited =
    others.length === 0
      ? ""
      : `while these requests waited: ${others.slice(0, MAX_NAMED_REQUESTS).map(named).join(", ")}${more}`
  if (onEventLoop === undefined) return waited === "" ? "" : ` ${waited}`
  return ` while it ran the request ${named(onEventLoop)}${waited === "" ? "" : `, and ${waited}`}`
}
