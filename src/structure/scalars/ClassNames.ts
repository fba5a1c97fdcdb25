/** The part of a dotted name after its last dot. */
export const lastPart = (name: string): string => name.slice(name.lastIndexOf(".") + 1)

/** Java's codes of primitive types in the names of array classes. */
const primitiveCodes: ReadonlyMap<string, string> = new Map([
  ["byte", "B"],
  ["short", "S"],
  ["int", "I"],
  ["long", "J"],
  ["float", "F"],
  ["double", "D"],
  ["char", "C"],
  ["boolean", "Z"]
])

/** Java's name of the class of arrays whose members have this class: `[I` for `int`, `[Ljava.lang.String;` for String. */
export const arrayClassName = (memberClass: string): string =>
  `[${primitiveCodes.get(memberClass) ?? `L${memberClass};`}`

/** The name of a Java class without its packages and enclosing classes. An array has the name of its members and brackets: `int[]`. */
export const simpleName = (className: string): string => {
  if (className.startsWith("[")) return `${simpleName(memberClassOf(className))}[]`
  const name = lastPart(className)
  return name.slice(name.lastIndexOf("$") + 1)
}

const memberClassOf = (arrayClass: string): string => {
  const code = arrayClass.slice(1)
  for (const [primitive, letter] of primitiveCodes) if (letter === code) return primitive
  return code.startsWith("L") && code.endsWith(";") ? code.slice(1, -1) : code
}

const interfaces: ReadonlySet<string> = new Set([
  ...["java.lang.CharSequence", "java.lang.Comparable", "java.lang.Iterable"],
  ...[
    "java.util.Collection",
    "java.util.Iterator",
    "java.util.List",
    "java.util.Map",
    "java.util.Map$Entry",
    "java.util.Set"
  ],
  ...["Edge", "Element", "Graph", "Property", "Transaction", "Vertex"].map(
    (name) => `org.apache.tinkerpop.gremlin.structure.${name}`
  )
])

/** The text of a class as Java's toString() writes it: `class java.lang.String`, `interface java.util.List`, `int`. */
export const classText = (name: string): string => {
  if (primitiveCodes.has(name)) return name
  return `${interfaces.has(name) ? "interface" : "class"} ${name}`
}

/** java.lang.Class, by its full name. */
export class ClassName {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
  /** The name without packages and enclosing classes. */
  get simpleName(): string {
    return simpleName(this.name)
  }
}
