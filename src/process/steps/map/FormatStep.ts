import { isElement } from "../../../structure/elements/Element.ts"
import type { Reads } from "../../../structure/graph/GraphReads.ts"
import { stringArgument } from "../../language/Arguments.ts"
import type { Activation, Needs } from "../../plan/Activation.ts"
import { type Batch, VALUE } from "../../plan/Batch.ts"
import { noParameters, type Operators, stepOperator } from "../../plan/Operator.ts"
import { mapping } from "../../plan/StepTraits.ts"
import { byPlaceholder, type FormatTemplate, parseFormat } from "../../scalars/Format.ts"
import { checkLength } from "../../scalars/Texts.ts"
import { By, type ByColumn, onlyProperty } from "../shared/By.ts"
import { evaluateAll } from "../shared/Columns.ts"
import { ModulatedStep } from "../shared/ModulatedStep.ts"
import { objectReads, scopedValue } from "../shared/Scoping.ts"

const traits = mapping({ limits: "stay", labels: "processes", children: "asked" })

/**
 * format(template): a string for each object. A placeholder names a property of the object or, if there is no such
 * property, a label. Each placeholder `%{_}` takes the value of the next by() modulator. A row without a value for a
 * placeholder is filtered out.
 */
class FormatStep extends ModulatedStep {
  readonly operator = "format"
  readonly name = "FormatStep"
  readonly traits = traits
  readonly #format: string
  readonly #template: FormatTemplate

  constructor(format: string) {
    super()
    this.#format = format
    this.#template = parseFormat(format)
  }

  override require(needs: Needs): void {
    if (needs.path === 0 && this.#template.names.some((name) => name !== byPlaceholder)) needs.path = 1
  }

  override labelsRead(): readonly string[] {
    return this.#template.names.filter((name) => name !== byPlaceholder)
  }

  override reads(batch: Batch, activation: Activation): readonly Reads[] {
    return [...objectReads(batch, activation), ...super.reads(batch, activation)]
  }

  override run(batch: Batch, activation: Activation): undefined {
    const places = this.#template.names.filter((name) => name === byPlaceholder).length
    const count = this.modulators.length
    const bys = Array.from({ length: places }, (_, k) => (count === 0 ? By.identity : this.modulators[k % count]!))
    evaluateAll(bys, batch, activation, (columns) => this.#emit(batch, columns, activation))
  }

  #emit(batch: Batch, columns: ReadonlyArray<ByColumn>, activation: Activation): void {
    const rows: Array<number> = []
    const texts: Array<string> = []
    for (let row = 0; row < batch.length; row++) {
      const values = this.#values(batch, row, columns, activation)
      if (values === undefined) continue
      rows.push(row)
      const rendered = this.#template.render(values)
      checkLength("format", rendered.length)
      texts.push(rendered)
    }
    activation.emitData(this, batch, rows, VALUE, texts, rows.length)
  }

  /** One value for each placeholder; undefined when a value is missing. */
  #values(
    batch: Batch,
    row: number,
    columns: ReadonlyArray<ByColumn>,
    activation: Activation
  ): Array<unknown> | undefined {
    const object = batch.value(row, activation.transaction)
    const values: Array<unknown> = []
    let modulated = 0
    for (const name of this.#template.names) {
      if (name === byPlaceholder) {
        const { found, values: given } = columns[modulated++]!
        const value = found === null || found[row] === 1 ? given[row] : null
        if (value === null || value === undefined) return undefined
        values.push(value)
        continue
      }
      const property = isElement(object) ? onlyProperty(object, name, `%{${name}}`, "%{_} and ") : undefined
      const value = property === undefined ? scopedValue(batch, row, name, activation, false) : property.value
      if (value === undefined || (value === null && property === undefined)) return undefined
      values.push(value)
    }
    return values
  }

  override describe(): string {
    return this.#format
  }
}

/** The operator format(). */
export const formatSteps: Operators = {
  format: stepOperator(noParameters, (args) => new FormatStep(stringArgument("format", args[0], "template")))
}
