import { programSteps } from "./olap/ProgramSteps.ts"
import type { Language } from "./plan/Language.ts"
import { closureUses } from "./steps/closure/ClosureUses.ts"
import { stepOperators } from "./steps/index.ts"
import { strategies } from "./strategies/index.ts"

/** The Gremlin language: every step and strategy of this server. */
export const gremlin: Language = {
  operators: new Map([...stepOperators, ...Object.entries(programSteps)]),
  closures: closureUses,
  strategies
}
