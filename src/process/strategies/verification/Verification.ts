import { LONG_MAX, LONG_MIN } from "../../../structure/numbers/Numbers.ts"
import { text } from "../../../structure/texts/Text.ts"
import { nameOf } from "../../language/Arguments.ts"
import { TraversalInvalid, VerificationFailed } from "../../language/Errors.ts"
import type { Strategy } from "../../plan/Strategy.ts"
import { VertexStep } from "../../steps/flatmap/VertexStep.ts"
import { AddElementStep } from "../../steps/mutation/AddElementStep.ts"
import { PropertyStep } from "../../steps/mutation/PropertyStep.ts"
import { booleanOf, stringsOf } from "../StrategyConfiguration.ts"

/** ReadOnlyStrategy: refuses traversals that change the graph. */
export const readOnly: Strategy = {
  name: "ReadOnlyStrategy",
  kind: "verification",
  apply: (traversal) => {
    traversal.visit((step) => {
      if (step.traits.access === "writes") {
        throw new VerificationFailed(
          `The provided traversal has a mutating step and thus is not read only: ${step.operator}()`
        )
      }
    })
  }
}

const EDGE_LABELS = "EdgeLabelVerificationStrategy"
const RESERVED_KEYS = "ReservedKeysVerificationStrategy"

/** EdgeLabelVerificationStrategy: with throwException, refuses steps over edges of all labels. */
export const edgeLabelVerification: Strategy = {
  name: EDGE_LABELS,
  kind: "verification",
  apply: (traversal, configuration) => {
    if (!booleanOf(EDGE_LABELS, configuration, "throwException", false)) return
    traversal.visit((step) => {
      if (step instanceof VertexStep && step.edgeLabels === null) {
        throw new VerificationFailed(
          `The provided traversal contains a vertex step without any specified edge label: ${step}. Always specify edge labels which restrict traversal paths ensuring optimal performance`
        )
      }
    })
  }
}

/** ReservedKeysVerificationStrategy: with throwException, refuses properties with reserved keys. */
export const reservedKeysVerification: Strategy = {
  name: RESERVED_KEYS,
  kind: "verification",
  apply: (traversal, configuration) => {
    if (!booleanOf(RESERVED_KEYS, configuration, "throwException", false)) return
    const reserved = new Set(
      configuration.has("keys") ? stringsOf(RESERVED_KEYS, configuration, "keys") : ["id", "label"]
    )
    traversal.visit((step) => {
      if (!(step instanceof AddElementStep || step instanceof PropertyStep)) return
      for (const { key, meta } of step.writes) {
        const metaKeys = meta.filter((_argument, at) => at % 2 === 0)
        const bad = [key, ...metaKeys].find(({ value }) => typeof value === "string" && reserved.has(value))
        if (bad === undefined) continue
        throw new VerificationFailed(
          `The provided traversal contains a ${step} that is setting a property key to a reserved word: ${bad.value}`
        )
      }
    })
  }
}

/** LambdaRestrictionStrategy: refuses closures. */
export const lambdaRestriction: Strategy = {
  name: "LambdaRestrictionStrategy",
  kind: "verification",
  apply: (traversal) => {
    traversal.visit((step) => {
      if (step.callsClosure) {
        throw new VerificationFailed(`The provided traversal contains a lambda step: ${step}`)
      }
    })
  }
}

/** SeedStrategy: makes coin(), sample() and shuffle repeatable. */
export const seed: Strategy = {
  name: "SeedStrategy",
  kind: "decoration",
  apply: (_traversal, configuration, compiler) => {
    const value = configuration.get("seed")
    // As in TinkerPop, the text of an integer is a seed, too.
    const digits = value === undefined || value === null ? "" : text(value)
    const integer = /^[+-]?\d{1,20}$/.test(digits) ? BigInt(digits.replace("+", "")) : undefined
    if (integer === undefined || integer < LONG_MIN || integer > LONG_MAX) {
      throw new TraversalInvalid(`SeedStrategy needs an integer of 64 bits as seed, but was given ${nameOf(value)}`)
    }
    compiler.seed = integer
  }
}
