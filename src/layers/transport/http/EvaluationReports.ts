import type { ResultData } from "../../../protocol/Messages.ts"
import { resultTexts } from "../../../protocol/ResultTexts.ts"
import type { ResumableWrite } from "../../../protocol/ResumableWrite.ts"
import type { ResponseStream } from "../../../protocol/Serializer.ts"
import { TextSerializer } from "../../../protocol/TextSerializer.ts"
import type { WriteProgress } from "../../../protocol/WriteProgress.ts"
import { TraversalMetrics } from "../../../structure/profiles/Metrics.ts"
import type { AcceptedFormat } from "../shared/Formats.ts"

/** What the answer has instead of results: how a traversal would run, or how it ran. */
export type Report = "explain" | "profile"

/** The paths where a traversal is reported on. */
export const reports: ReadonlyMap<string, Report> = new Map([
  ["/gremlin/explain", "explain"],
  ["/gremlin/profile", "profile"]
])

/** graph-notebook shows a report only when it has these words. */
const titles: Readonly<Record<Report, string>> = {
  explain: "Neptune Gremlin Explain, by engine-server",
  profile: "Neptune Gremlin Profile, by engine-server"
}

/** The format of a report: text for people, whatever the client accepts. */
export const reportFormat = (report: Report): AcceptedFormat => ({
  mime: "text/plain; charset=utf-8",
  serializer: new ReportSerializer(report)
})

class ReportSerializer extends TextSerializer {
  readonly #report: Report
  constructor(report: Report) {
    super()
    this.#report = report
  }
  override stream(): ResponseStream {
    return new ReportStream(this.#report)
  }
}

class ReportStream implements ResponseStream {
  readonly countsFirst = false
  readonly #report: Report
  count = 0
  constructor(report: Report) {
    this.#report = report
  }
  head(): string {
    const title = titles[this.#report]
    return `${title}\n${"=".repeat(title.length)}\n\n`
  }
  items(data: ResultData, progress?: WriteProgress): string {
    const measured = data.values[0] instanceof TraversalMetrics ? summary(data.values[0]) : ""
    const texts = resultTexts(data, progress)
    this.count += texts.length
    return measured + texts.join("\n")
  }
  longItem(long: ResumableWrite): ReadonlyArray<Buffer> {
    this.count++
    return long.buffers
  }
  tail(): string {
    return "\n"
  }
}

/** The lines that graph-notebook reads from a profile: milliseconds, and the number of results. */
const summary = ({ duration, metrics }: TraversalMetrics): string => {
  const count = metrics.at(-1)?.counts.get("elementCount") ?? 0n
  return `Query Execution: ${(Number(duration) / 1_000_000).toFixed(3)}\nCount: ${count}\n\n`
}
