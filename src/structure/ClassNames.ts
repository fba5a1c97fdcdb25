/** The part of a dotted name after its last dot. */
export const lastPart = (name: string): string => name.slice(name.lastIndexOf(".") + 1)

/** The name of a Java class without its packages and enclosing classes. */
export const simpleName = (className: string): string => {
  const name = lastPart(className)
  return name.slice(name.lastIndexOf("$") + 1)
}

/** Java's letters for the types of the members of arrays. */
const arrayLetters: ReadonlyMap<string, string> = new Map([
  ["byte", "B"],
  ["short", "S"],
  ["int", "I"],
  ["long", "J"],
  ["float", "F"],
  ["double", "D"],
  ["char", "C"],
  ["boolean", "Z"],
  ["String", "Ljava.lang.String;"]
])

/** The text of a class in Java: `class java.lang.String`, or `class [I` for `int[]`. */
export const classText = (name: string): string => {
  const letter = name.endsWith("[]") ? arrayLetters.get(lastPart(name.slice(0, -2))) : undefined
  return `class ${letter === undefined ? name : `[${letter}`}`
}
