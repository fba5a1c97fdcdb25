/** Edit distance with transpositions; stops counting above a bound. */
const distance = (a: string, b: string, bound: number): number => {
  if (Math.abs(a.length - b.length) > bound) return bound + 1
  let before: ReadonlyArray<number> = []
  let previous: ReadonlyArray<number> = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      let best = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1)
      )
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (swapped) best = Math.min(best, (before[column - 2] ?? 0) + 1)
      current.push(best)
    }
    before = previous
    previous = current
  }
  return previous[b.length] ?? 0
}

/** The known name that a wrong one most likely stands for: same letters in another case, or a few typing errors away. */
export const closest = (name: string, known: Iterable<string>): string | undefined => {
  const wanted = name.toLowerCase().replace(/[-_]/g, "")
  const bound = Math.max(1, Math.floor(wanted.length / 4))
  let best: { readonly name: string; readonly score: number } | undefined
  for (const candidate of known) {
    const score = distance(wanted, candidate.toLowerCase().replace(/[-_]/g, ""), bound)
    if (score <= bound && (best === undefined || score < best.score)) best = { name: candidate, score }
  }
  return best?.name
}

/** A sentence to put behind an error: a suggestion, or the whole choice when it is short. */
export const suggestion = (name: string, known: ReadonlyArray<string>): string => {
  const best = closest(name, known)
  if (best !== undefined) return `; did you mean '${best}'?`
  return known.length > 0 && known.length <= 12 ? `; one of ${known.join(", ")} is expected` : ""
}
