/** With more names than this, a set finds a name faster than a search through the list, and is worth its construction. */
const FEW_NAMES = 16

/** A test for the names of a list, which takes the same time for a long list. Null stands for all names. */
export const isAmong = (names: ReadonlyArray<string> | null): ((name: string) => boolean) => {
  if (names === null) return () => true
  if (names.length <= FEW_NAMES) return (name) => names.includes(name)
  const set = new Set(names)
  return (name) => set.has(name)
}
