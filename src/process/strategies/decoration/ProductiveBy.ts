import type { Strategy } from "../../plan/Strategy.ts"
import { ModulatedStep } from "../../steps/shared/ModulatedStep.ts"
import { stringsOf } from "../StrategyConfiguration.ts"

/** ProductiveByStrategy: a by() without a result returns null. productiveKeys are keys that always have a value. */
export const productiveBy: Strategy = {
  name: "ProductiveByStrategy",
  kind: "decoration",
  apply: (traversal, configuration) => {
    const known = new Set(stringsOf("ProductiveByStrategy", configuration, "productiveKeys"))
    traversal.visit((step) => {
      if (!(step instanceof ModulatedStep)) return
      const bys = step.bys().map((by, at) => {
        // When group() collects the values of a key, it skips elements without one.
        if (step.collects(at) && by.function.kind !== "traversal") return by
        return by.function.kind === "key" && known.has(by.function.key) ? by : by.productive()
      })
      step.replaceBys(bys)
    })
  }
}
