import type { Strategy } from "../../plan/Strategy.ts"
import { ModulatedStep } from "../../steps/shared/ModulatedStep.ts"
import { stringsOf } from "../StrategyConfiguration.ts"

/** ProductiveByStrategy: by() gives null where it would give nothing; productiveKeys name keys that always give something. */
export const productiveBy: Strategy = {
  name: "ProductiveByStrategy",
  kind: "decoration",
  apply: (traversal, configuration) => {
    const known = new Set(stringsOf("ProductiveByStrategy", configuration, "productiveKeys"))
    traversal.visit((step) => {
      if (!(step instanceof ModulatedStep)) return
      const bys = step.bys().map((by, at) => {
        // What group() collects of a key leaves out what has none.
        if (step.collects(at) && by.function.kind !== "traversal") return by
        return by.function.kind === "key" && known.has(by.function.key) ? by : by.productive()
      })
      step.replaceBys(bys)
    })
  }
}
