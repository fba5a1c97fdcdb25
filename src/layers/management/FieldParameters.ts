import { HostObject } from "../../gremlin/ScriptObjects.ts"
import { TraversalError } from "../../process/language/Errors.ts"
import { Parameter } from "../../storage/janusgraph/format/JavaValues.ts"
import type { FieldOptions } from "../../storage/janusgraph/management/IndexDefinition.ts"
import { constantOf, ScriptObject } from "./ScriptObject.ts"

/** A parameter of an index field, such as `Mapping.TEXT.asParameter()` or `Parameter.of('mapping', ...)`. */
interface FieldParameter {
  readonly parameter: string
  readonly value: unknown
}

/** The Mapping and the other parameters of a field. */
export const fieldOptionsOf = (parameters: ReadonlyArray<unknown>): FieldOptions => {
  let mapping = "DEFAULT"
  const others: Array<Parameter> = []
  for (const given of parameters) {
    const object = given instanceof HostObject ? given.handle : undefined
    const subject = object instanceof ScriptObject ? (object.subject as FieldParameter | null) : null
    if (subject === null || typeof subject !== "object" || !("parameter" in subject)) {
      throw new TraversalError("addKey() takes a property key and parameters, such as Mapping.STRING.asParameter().")
    }
    const { parameter, value } = subject
    if (parameter === "mapping") mapping = constantOf(value, ["Mapping"], "Parameter.of")
    else others.push(new Parameter(parameter, value))
  }
  return { mapping, parameters: others }
}

/** A parameter as a script sees it. */
export const parameterObject = (parameter: string, value: unknown): ScriptObject =>
  new ScriptObject(
    "parameter",
    "",
    { parameter, value } satisfies FieldParameter,
    { key: () => parameter, value: () => value },
    `${parameter}->${String(value)}`
  )
