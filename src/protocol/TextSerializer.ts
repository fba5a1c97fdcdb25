import { ChunkedMessage } from "./ChunkedMessage.ts"
import type { RequestMessage, ResponseMessage, ResultData, WriteOptions } from "./Messages.ts"
import { ProtocolError } from "./ProtocolError.ts"
import { resultTexts, writeLongText } from "./ResultTexts.ts"
import type { ResumableWrite } from "./ResumableWrite.ts"
import type { ResponseStream, Serializer } from "./Serializer.ts"
import type { WriteProgress } from "./WriteProgress.ts"

/** Plain text as the Gremlin Console shows it: `==>v[1]`, one line for each result. For responses over HTTP only. */
export class TextSerializer implements Serializer {
  readonly mime = "text/plain"
  readonly binary = false
  readonly traversers = false

  readMessage(): RequestMessage {
    throw new ProtocolError("A request cannot be sent as text/plain; send JSON.")
  }

  writeResponse(response: ResponseMessage, _options?: WriteOptions, progress?: WriteProgress): string {
    return response.data === null ? response.message : joined(resultTexts(response.data, progress))
  }

  writeLong(data: ResultData, row: number, long: ResumableWrite, isOver: () => boolean): boolean {
    return writeLongText(data, row, long, isOver)
  }

  writeLongResponse(_response: Omit<ResponseMessage, "data">, long: ResumableWrite): ChunkedMessage {
    return new ChunkedMessage([Buffer.from("==>"), ...long.buffers])
  }

  responseHead(): string {
    return ""
  }

  stream(): ResponseStream {
    return new TextStream()
  }
}

const joined = (texts: ReadonlyArray<string>): string => texts.map((text) => `==>${text}`).join("\n")

class TextStream implements ResponseStream {
  readonly countsFirst = false
  count = 0
  head(): string {
    return ""
  }
  items(data: ResultData, progress?: WriteProgress): string {
    const texts = resultTexts(data, progress)
    const isFirst = this.count === 0
    this.count += texts.length
    return isFirst || texts.length === 0 ? joined(texts) : `\n${joined(texts)}`
  }
  longItem(long: ResumableWrite): ReadonlyArray<Buffer> {
    return [Buffer.from(this.count++ === 0 ? "==>" : "\n==>"), ...long.buffers]
  }
  tail(): string {
    return ""
  }
}
