import { describe, expect, it } from "vitest"
import { TimeSlice } from "../../../src/scheduling/TimeSlice.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { programOf, programText } from "../../differential/programs/Program.ts"
import { Random } from "../../fuzz/Random.ts"
import { seedOf } from "../../fuzz/Seeds.ts"
import { FakeHost } from "../FakeHost.ts"

/** A time slice that is over at some of the questions. */
class UnevenSlice extends TimeSlice {
  readonly #random: Random
  constructor(random: Random) {
    super()
    this.#random = random
  }
  override isOver(): boolean {
    return this.#random.chance(0.3)
  }
  override isOverNow(): boolean {
    return this.isOver()
  }
}

const outcome = (script: string, slice?: TimeSlice): string => {
  const host = new FakeHost((call) => (call.kind === "traversal" ? [4] : undefined))
  const calls = (): string => host.calls.filter((call) => call !== "pause").join("\n")
  try {
    return `${text(host.run(script, slice))}\n${calls()}`
  } catch (error) {
    return `${(error as Error).message}\n${calls()}`
  }
}

describe("A program that pauses", () => {
  it("has the result, the error and the traversals of one that does not", () => {
    const seed = seedOf("PAUSES_SEED")
    for (let number = 0; number < 300; number++) {
      const script = programText(programOf(seed, number))
      const paused = outcome(script, new UnevenSlice(new Random(seed, number)))
      expect(paused, `PAUSES_SEED=${seed}, program ${number}:\n${script}`).toBe(outcome(script))
    }
  })

  it("evaluates nothing twice", () => {
    const scripts = [
      "n = 0; def f(x) { n++; g.V().next() + x }; def a = [f(1), f(2), f(3)]; [a, n]",
      "n = 0; def f(x) { n++; x }; def m = [a: 1]; m[f('a')] += f(2); def s = 'ab'.replace(f('a'), f('b')); [m, s, n]",
      "n = 1; x = n++ + n++ * g.V().next(); y = -(n--) ; [x, y, n]",
      "n = 0; if (n++ > 5) { n = 100 } else if (n++ == g.V().next() - 3) { n += 10 }; n",
      'n = 0; def f() { n++ }; def t = "${f()}-${f()}-${g.V().next()}"; [t, n, f() instanceof Integer, f() > 2 ? f() : 0]'
    ]
    for (const script of scripts) {
      for (let number = 0; number < 50; number++) {
        expect(outcome(script, new UnevenSlice(new Random(number, 1))), script).toBe(outcome(script))
      }
    }
  })
})
