/** An operator that modifies the step before it and makes no step. */
interface Modulator {
  /** Which of its arguments are parameters of a plan. */
  readonly parameters: "none" | "all" | "as the step says"
  /** Whether it may stand before its repeat(). */
  readonly precedesRepeat: boolean
}

const modulators: ReadonlyMap<string, Modulator> = new Map<string, Modulator>([
  ["by", { parameters: "none", precedesRepeat: false }],
  ["from", { parameters: "none", precedesRepeat: false }],
  ["to", { parameters: "none", precedesRepeat: false }],
  ["with", { parameters: "as the step says", precedesRepeat: false }],
  ["option", { parameters: "all", precedesRepeat: false }],
  ["times", { parameters: "none", precedesRepeat: true }],
  ["until", { parameters: "none", precedesRepeat: true }],
  ["emit", { parameters: "none", precedesRepeat: true }],
  ["through", { parameters: "none", precedesRepeat: false }],
  ["read", { parameters: "none", precedesRepeat: false }],
  ["write", { parameters: "none", precedesRepeat: false }]
])

/** The modulator of this name; undefined for other operators. to() is a step as well. */
export const modulatorOf = (operator: string): Modulator | undefined => modulators.get(operator)
