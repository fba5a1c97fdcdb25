/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** What the values of a properties file may refer to. */
interface Referable {
  /** Undefined where a client gives the values: it must not read the environment of the server. */
  readonly environment: Environment | undefined
  /** The value of another option of the file, as it is written. */
  readonly option: (key: string) => string | undefined
}

/** The text of a value, or why it has none. */
type Interpolated = { readonly text: string } | { readonly reason: string }

/** Options that refer to options. A longer chain refers to itself. */
const MAX_REFERENCES = 20

/** A reference; with a second `$` it is the text of one. */
const reference = /(\$?)\$\{([^{}]*)\}/g

/**
 * Replaces references in a value of a properties file: `${env:NAME}`, `${env:NAME:-default}` and `${other.option}`. `$${text}` is
 * the text `${text}`. JanusGraph reads its files with Apache Commons Configuration, which has these forms.
 */
export const interpolated = (value: string, known: Referable, references = 0): Interpolated => {
  let problem: string | undefined
  const text = value.replace(reference, (whole: string, dollar: string, inside: string) => {
    if (dollar !== "") return whole.slice(1)
    const found = referred(inside, known, references)
    if ("text" in found) return found.text
    problem ??= found.reason
    return whole
  })
  return problem === undefined ? { text } : { reason: problem }
}

const referred = (inside: string, known: Referable, references: number): Interpolated => {
  const at = inside.indexOf(":-")
  const name = at < 0 ? inside : inside.slice(0, at)
  const otherwise = at < 0 ? undefined : inside.slice(at + 2)
  const { lookup, variable } = /^(?:(?<lookup>\w+):)?(?<variable>.*)$/.exec(name)!.groups as {
    readonly lookup: string | undefined
    readonly variable: string
  }
  const orElse = (reason: string): Interpolated => (otherwise === undefined ? { reason } : { text: otherwise })
  switch (lookup) {
    case undefined: {
      const value = known.option(variable)
      if (value === undefined) {
        return orElse(
          `refers to '${variable}', which is no option of this file; write $\${${inside}} for this text itself`
        )
      }
      return references < MAX_REFERENCES
        ? interpolated(value, known, references + 1)
        : { reason: `refers to itself through '${variable}'` }
    }
    case "env": {
      if (known.environment === undefined) {
        return { reason: `refers to the environment variable ${variable}, which only the server's own files may do` }
      }
      const value = known.environment[variable]
      if (value !== undefined) return { text: value }
      return orElse(
        `refers to the environment variable ${variable}, which is not set; set it, or give a default: \${env:${variable}:-value}`
      )
    }
    case "sys":
      return orElse(`refers to a system property of Java, which this server does not have; use \${env:NAME}`)
    default:
      return {
        reason: `refers to '${lookup}:', which is not supported; use \${env:NAME} or the name of another option`
      }
  }
}
