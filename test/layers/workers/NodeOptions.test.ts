import { describe, expect, it } from "vitest"
import { optionsForWorkers } from "../../../src/layers/workers/NodeOptions.ts"

describe("The options of Node.js of a program that starts workers", () => {
  it.each([
    [
      ["--max-old-space-size=512", "--stack-size", "2000"],
      ["--max-old-space-size=512", "--stack-size", "2000"]
    ],
    [["--import", "./hook.mjs", "--expose-gc"], ["--expose-gc"]],
    [["--import=./hook.mjs", "-r", "./a.cjs", "--require=./b.cjs"], []],
    [["--input-type=module", "-e", "start()", "--expose-gc"], ["--expose-gc"]],
    [["-p", "-e", "1+1", "--expose-gc"], ["--expose-gc"]],
    [["--inspect-port", "9230", "--expose-gc", "--watch-path", "src", "--test-reporter", "spec"], ["--expose-gc"]],
    [
      ["-i", "--snapshot-blob", "program.blob", "--title", "server"],
      ["--title", "server"]
    ],
    [["--inspect=0", "--inspect-brk", "--debug-port=9230", "--watch", "--test", "--env-file=.env"], []]
  ])("%j become %j in a worker", (all, kept) => {
    expect(optionsForWorkers(all)).toEqual(kept)
  })
})
