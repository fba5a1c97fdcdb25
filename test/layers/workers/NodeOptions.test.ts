import { describe, expect, it } from "vitest"
import {
  hasDebugger,
  heapShareNote,
  optionsForWorkers,
  ownOptionsForWorkers,
  variableForWorkers,
  withHeapShare
} from "../../../src/layers/workers/NodeOptions.ts"

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

describe("The variable NODE_OPTIONS", () => {
  it.each([
    [undefined, undefined, undefined],
    ["", undefined, undefined],
    ["--import ./otel.mjs", undefined, "--import ./otel.mjs"],
    [
      '--require "./my hook.cjs" --max-old-space-size=512',
      "--max-old-space-size=512",
      '--require "./my hook.cjs" --max-old-space-size=512'
    ],
    ["--inspect --expose-gc --inspect=127.0.0.1:9229", "--expose-gc", "--expose-gc"],
    [
      "--expose-gc --inspect-port 9230 --stack-size=2000",
      "--expose-gc --stack-size=2000",
      "--expose-gc --stack-size=2000"
    ],
    ['"--inspect-port" "9230" "--expose-gc"', '"--expose-gc"', '"--expose-gc"'],
    ['"--inspect=9230" --"require" "./my hook.cjs"', undefined, '--"require" "./my hook.cjs"'],
    ["--inspect-port 0 --debug-port 127.0.0.1:0", undefined, "--inspect-port 0 --debug-port 127.0.0.1:0"],
    ["--inspect_port 9230", undefined, undefined],
    ["--inspect=0 --inspect-brk=127.0.0.1:0", undefined, "--inspect=0 --inspect-brk=127.0.0.1:0"]
  ])("%j is %j in a worker of a program, and %j in one of the server program", (text, ofProgram, own) => {
    expect(variableForWorkers(text, optionsForWorkers)).toBe(ofProgram)
    expect(variableForWorkers(text, ownOptionsForWorkers)).toBe(own)
  })
})

describe("A debugger", () => {
  it.each([
    [["--expose-gc"], "", false],
    [["--inspect=0"], "", true],
    [[], '"--inspect-brk=0"', true],
    [[], '--inspect"-brk"', true],
    [["--inspect-port", "0"], "--inspect-port=0", false],
    [[], "--title=--inspect", false]
  ])("is opened by %j and %j: %j", (options, variable, isOpened) => {
    expect(hasDebugger(options, variable)).toBe(isOpened)
  })
})

describe("The heap of a worker", () => {
  const environment = { SERVICE_HEAP_MEGABYTES: "1000" }

  it("has its share of the memory for all heaps, if its limit is greater", () => {
    const options = ["--max-old-space-size=900", "--expose-gc", "--max_old_space_size=800"]
    expect(withHeapShare(options, 2, environment)).toEqual(["--expose-gc", "--max-old-space-size=452"])
    expect(withHeapShare([], 3, environment)).toEqual(["--max-old-space-size=285"])
    expect(withHeapShare(options, 1, environment)).toEqual(options)
    expect(withHeapShare(["--max-old-space-size=400"], 2, environment)).toEqual(["--max-old-space-size=400"])
  })

  it("and its young generation have together the share, of which the young one has at most a quarter", () => {
    const options = ["--max-semi-space-size=32", "--max-old-space-size=4096"]
    const large = ["--max-semi-space-size=32", "--max-old-space-size=404"]
    expect(withHeapShare(options, 2, environment)).toEqual(large)
    expect(withHeapShare(options, 4, environment)).toEqual(["--max-old-space-size=202", "--max-semi-space-size=16"])
    expect(withHeapShare(options, 1, { SERVICE_HEAP_MEGABYTES: "2" })).toEqual([
      "--max-old-space-size=1",
      "--max-semi-space-size=1"
    ])
  })

  it("is in the log when it is smaller than the options say", () => {
    const note = heapShareNote(["--max-old-space-size=4096"], 8, { SERVICE_HEAP_MEGABYTES: "12000" })
    expect(note).toContain("each of 8 workers has at most 1452 MB instead of 4096 MB: they divide 12000 MB")
    expect(heapShareNote([], 2, environment)).toContain("at most 452 MB: they divide")
    expect(heapShareNote(["--max-old-space-size=400"], 2, environment)).toBeUndefined()
    expect(heapShareNote(["--max-old-space-size=900"], 2, {})).toBeUndefined()
  })

  it("has its own limit where the memory for all heaps is not limited", () => {
    for (const unlimited of [{}, { SERVICE_HEAP_MEGABYTES: "" }, { SERVICE_HEAP_MEGABYTES: "all" }]) {
      expect(withHeapShare(["--max-old-space-size=900"], 2, unlimited)).toEqual(["--max-old-space-size=900"])
    }
  })
})
