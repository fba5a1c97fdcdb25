import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { Ring } from "../../../src/structure/containers/Ring.ts"

describe("Ring", () => {
  it("behaves as an array that is pushed, shifted and filtered, in any order of operations", () => {
    const operation = FastCheck.oneof(
      FastCheck.record({ kind: FastCheck.constant("push" as const), count: FastCheck.nat(40) }),
      FastCheck.record({ kind: FastCheck.constant("shift" as const), count: FastCheck.nat(40) }),
      FastCheck.record({ kind: FastCheck.constant("keep" as const), count: FastCheck.integer({ min: 1, max: 5 }) })
    )
    FastCheck.assert(
      FastCheck.property(FastCheck.array(operation, { maxLength: 60 }), (operations) => {
        const ring = new Ring<number>()
        let model: Array<number> = []
        let next = 0
        for (const { count, kind } of operations) {
          if (kind === "keep") {
            ring.keep((item) => item % (count + 1) !== 0)
            model = model.filter((item) => item % (count + 1) !== 0)
          } else {
            for (let i = 0; i < count; i++) {
              if (kind === "push") {
                ring.push(next)
                model.push(next++)
              } else expect(ring.shift()).toBe(model.shift())
            }
          }
          expect([ring.length, ring.first]).toEqual([model.length, model[0]])
        }
        while (model.length > 0) expect(ring.shift()).toBe(model.shift())
        expect(ring.shift()).toBeUndefined()
      })
    )
  })
})
