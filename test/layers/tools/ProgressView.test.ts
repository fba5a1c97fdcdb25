import { PassThrough } from "node:stream"
import { assert, describe, it } from "vitest"
import { progressView } from "../../../src/layers/tools/ProgressView.ts"
import type { ProgressState } from "../../../src/layers/tools/Report.ts"

const state = (stage: string, done: number, total: number | undefined = 1000, note = ""): ProgressState => ({
  stage,
  done,
  total,
  unit: "vertex",
  note
})

describe("Progress", () => {
  it("is written as lines at an interval without a terminal, and at the end of each stage", () => {
    let written = ""
    let now = 0
    const view = progressView({ write: (text) => (written += text) }, () => now)
    for (let done = 0; done <= 1000; done++) {
      now += 10
      view.report(state("first", done))
    }
    view.report({ ...state("second", 5), total: undefined, note: "5 found" })
    view.report({ ...state("second", 12), total: undefined, note: "12 found" })
    view.end()
    assert.deepEqual(written.split("\n"), [
      "first: 0% of 1,000 vertices",
      "first: 50% of 1,000 vertices",
      "first: 100% of 1,000 vertices",
      "second: 5 vertices, 5 found",
      "second: 12 vertices, 12 found",
      ""
    ])
    assert.notInclude(written, "\u001b")
  })

  it("is a bar on a terminal", () => {
    const terminal = Object.assign(new PassThrough(), {
      isTTY: true,
      columns: 100,
      cursorTo: () => true,
      clearLine: () => true,
      moveCursor: () => true
    })
    let written = ""
    terminal.on("data", (data: Buffer) => {
      written += data.toString()
    })
    const view = progressView(terminal)
    view.report(state("edges", 0))
    view.report(state("edges", 1000, 1000, "all"))
    view.end()
    terminal.read()
    assert.match(written, /edges \[-{24}\] 0%/)
    assert.match(written, /edges \[={24}\] 100%/)
  })
})
