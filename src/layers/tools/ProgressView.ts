import { type Options, Presets, SingleBar } from "cli-progress"
import { counted, type ProgressState, type Report, sized } from "./Report.ts"

/** The output of progress. */
export interface ProgressOutput {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** Shows progress: a bar on a terminal, otherwise lines at an interval. */
interface ProgressView {
  readonly report: Report
  /** Ends the display. */
  readonly end: () => void
}

/** Time between two lines. */
const LINE_INTERVAL_MS = 5000

const amount = (value: number, unit: ProgressState["unit"]): string =>
  unit === "bytes" ? sized(value) : counted(value, unit)

const line = ({ done, note, stage, total, unit }: ProgressState): string => {
  const share = total === undefined || total === 0 ? "" : `${Math.floor((100 * Math.min(done, total)) / total)}% of `
  return `${stage}: ${share}${amount(total ?? done, unit)}${note === "" ? "" : `, ${note}`}\n`
}

/** Writes lines at an interval, and always the first and last of each stage. */
const plainView = (output: ProgressOutput, now: () => number): ProgressView => {
  let last: ProgressState | undefined
  let shown = Number.NEGATIVE_INFINITY
  let isShown = true
  const show = (state: ProgressState): void => {
    output.write(line(state))
    shown = now()
    isShown = true
  }
  const finish = (): void => {
    if (last !== undefined && !isShown) show(last)
  }
  return {
    report: (state) => {
      if (last !== undefined && last.stage !== state.stage) finish()
      const begins = last?.stage !== state.stage
      last = state
      isShown = false
      if (begins || now() - shown >= LINE_INTERVAL_MS) show(state)
    },
    end: finish
  }
}

const barView = (output: NodeJS.WritableStream): ProgressView => {
  const options: Options = { stream: output, hideCursor: true, fps: 5, etaBuffer: 50, barsize: 24 }
  let bar: SingleBar | undefined
  let stage: string | undefined
  return {
    report: (state) => {
      const known = state.total !== undefined && state.total > 0
      const fields = { stage: state.stage, amount: amount(state.done, state.unit), note: state.note }
      if (stage !== state.stage) {
        bar?.stop()
        const format = known
          ? "{stage} [{bar}] {percentage}%, {eta_formatted} left, {amount}, {note}"
          : "{stage} {amount} {duration_formatted} {note}"
        bar = new SingleBar({ ...options, format }, Presets.legacy)
        stage = state.stage
        bar.start(state.total ?? state.done, state.done, fields)
      } else bar?.update(known ? Math.min(state.done, state.total!) : state.done, fields)
    },
    end: () => {
      bar?.stop()
      bar = undefined
      stage = undefined
    }
  }
}

/** A bar on a terminal, otherwise lines. */
export const progressView = (output: ProgressOutput, now: () => number = () => performance.now()): ProgressView =>
  output.isTTY === true ? barView(output as NodeJS.WritableStream) : plainView(output, now)
