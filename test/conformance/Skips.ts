import type { Scenario } from "./Feature.ts"

/** What a run is set up with that decides about skipped scenarios. */
export interface Setting {
  /** whether the empty graph stores null as a property value */
  readonly allowNull: boolean
}

interface Rule {
  readonly applies: (scenario: Scenario, setting: Setting) => boolean
  readonly reason: string
}

/** Every reason for which a scenario does not run. A scenario whose parameters cannot travel is skipped by Connection.ts. */
const rules: ReadonlyArray<Rule> = [
  {
    applies: (scenario) => scenario.steps.some((step) => step.text === "an unsupported test"),
    reason: "the suite itself marks the scenario as one that Gherkin cannot express"
  },
  {
    applies: (scenario, setting) => scenario.tags.includes("@AllowNullPropertyValues") && !setting.allowNull,
    reason: "needs a graph that stores null as a property value; run with --allow-null"
  },
  {
    applies: (scenario, setting) => scenario.tags.includes("@DisallowNullPropertyValues") && setting.allowNull,
    reason: "needs a graph that does not store null as a property value; run without --allow-null"
  }
]

/** The reason to skip a scenario, or undefined when it is to run. */
export const skipReason = (scenario: Scenario, setting: Setting): string | undefined =>
  rules.find((rule) => rule.applies(scenario, setting))?.reason
