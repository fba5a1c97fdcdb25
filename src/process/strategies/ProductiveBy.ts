import { ModulatedStep } from "../ModulatedStep.ts"
import { stringsOf } from "./Reading.ts"
import type { Strategy } from "./Strategy.ts"

/** ProductiveByStrategy: by() gives null where it would give nothing; productiveKeys name keys that always give something. */
export const productiveBy: Strategy = {
  name: "ProductiveByStrategy",
  kind: "decoration",
  apply: (traversal, configuration) => {
    const known = new Set(stringsOf("ProductiveByStrategy", configuration, "productiveKeys"))
    traversal.visit((step) => {
      if (!(step instanceof ModulatedStep)) return
      for (const by of step.bys()) {
        if (by.function.kind === "key" && known.has(by.function.key)) continue
        step.replaceBy(by, by.productive())
      }
    })
  }
}
