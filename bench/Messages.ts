import { randomUUID } from "node:crypto"

/** True for the last frame of an answer in GraphSON. Throws when the frame is an error. */
export const final = (frame: Buffer): boolean => {
  const code = Number(/"code":(\d+)/.exec(frame.toString("latin1", 0, Math.min(frame.length, 400)))?.[1] ?? 0)
  if (code >= 300 || code === 0) throw new Error(frame.toString().slice(0, 500))
  return code !== 206
}

const MIME = "application/vnd.gremlin-v3.0+json"
/** A WebSocket message: the length of the MIME type, the MIME type, the payload. */
export const framed = (mime: string, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from([mime.length]), Buffer.from(mime), body])

/** A script, by default in gremlin-lang. `evaluationTimeout`: ms, 0 for none. */
export const evalMessage = (
  script: string,
  bindings: Record<string, unknown> = {},
  language = "gremlin-lang",
  evaluationTimeout?: number
): Buffer =>
  framed(
    MIME,
    Buffer.from(
      JSON.stringify({
        requestId: { "@type": "g:UUID", "@value": randomUUID() },
        op: "eval",
        processor: "",
        args: {
          "@type": "g:Map",
          "@value": [
            "gremlin",
            script,
            "bindings",
            { "@type": "g:Map", "@value": Object.entries(bindings).flat() },
            "language",
            language,
            ...(evaluationTimeout === undefined ? [] : ["evaluationTimeout", int32(evaluationTimeout)])
          ]
        }
      })
    )
  )

export const int32 = (value: number): unknown => ({ "@type": "g:Int32", "@value": value })

/** Bytecode in GraphSON 3, as the npm driver writes it. */
export const bytecodeMessage = (steps: ReadonlyArray<ReadonlyArray<unknown>>): Buffer =>
  framed(
    MIME,
    Buffer.from(
      JSON.stringify({
        requestId: { "@type": "g:UUID", "@value": randomUUID() },
        op: "bytecode",
        processor: "traversal",
        args: {
          "@type": "g:Map",
          "@value": [
            "gremlin",
            { "@type": "g:Bytecode", "@value": { step: steps } },
            "aliases",
            { "@type": "g:Map", "@value": ["g", "g"] }
          ]
        }
      })
    )
  )
