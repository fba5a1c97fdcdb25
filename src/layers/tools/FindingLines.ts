import { grouped } from "./Report.ts"

/** Findings of one kind that are listed. */
const LISTED_FINDINGS = 10

/** The findings by kind, with up to ten places of each, as lines of text. */
export const linesByKind = (
  findings: ReadonlyArray<{ readonly kind: string; readonly where: string }>
): ReadonlyArray<string> => {
  const kinds = new Map<string, Array<string>>()
  for (const { kind, where } of findings) {
    const known = kinds.get(kind)
    if (known === undefined) kinds.set(kind, [where])
    else known.push(where)
  }
  return [...kinds].flatMap(([kind, found]) => [
    `${grouped(found.length)} x ${kind}:`,
    ...found.slice(0, LISTED_FINDINGS).map((where) => `  ${where}`),
    ...(found.length > LISTED_FINDINGS ? [`  and ${grouped(found.length - LISTED_FINDINGS)} more`] : [])
  ])
}
