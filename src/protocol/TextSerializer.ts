import { text } from "../structure/Text.ts"
import type { WriteProgress } from "./LongWrites.ts"
import type { RequestMessage, ResponseMessage, ResultData } from "./Messages.ts"
import { ProtocolError } from "./ProtocolError.ts"
import { type ResponseStream, resultCount, type Serializer } from "./Serializer.ts"

/** The console's view, for people with a terminal: `==>v[1]`, a line for each result. Answers HTTP only. */
export class TextSerializer implements Serializer {
  readonly mime = "text/plain"
  readonly binary = false

  readMessage(): RequestMessage {
    throw new ProtocolError("A request cannot be sent as text/plain; send JSON.")
  }

  writeResponse(response: ResponseMessage): string {
    return response.data === null ? response.message : lines(response.data)
  }

  /** Lines have no slices: true at once. */
  writeLong(): boolean {
    return true
  }

  stream(): ResponseStream {
    return new TextStream()
  }
}

const lines = ({ values, length, bulks }: ResultData): string => {
  const found: Array<string> = []
  for (let i = 0; i < length; i++) {
    const line = `==>${text(values[i])}`
    for (let n = bulks === null ? 1 : bulks[i]!; n > 0; n--) found.push(line)
  }
  return found.join("\n")
}

class TextStream implements ResponseStream {
  readonly countsFirst = false
  count = 0
  head(_count: number): string {
    return ""
  }
  items(data: ResultData, progress?: WriteProgress): string {
    if (progress !== undefined) progress.row = data.length
    const first = this.count === 0
    const repeated = resultCount({ ...data, asTraversers: false })
    this.count += repeated
    return first || repeated === 0 ? lines(data) : `\n${lines(data)}`
  }
  tail(): string {
    return ""
  }
}
