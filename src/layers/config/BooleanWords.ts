const words: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  false: false,
  no: false,
  off: false
}

/** The boolean that a text stands for in the files of Gremlin Server and JanusGraph. Undefined if it is none. */
export const booleanOf = (text: string): boolean | undefined => {
  const word = text.trim().toLowerCase()
  return Object.hasOwn(words, word) ? words[word] : undefined
}
