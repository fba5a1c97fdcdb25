/** Values of JanusGraph's format that have no type of their own in the Gremlin language. */

/** Elements of a Java array that a {@link JavaArray} may hold; byte[] is a Uint8Array instead. */
export type ElementType = "short" | "int" | "long" | "float" | "double" | "char" | "boolean" | "String"

/** A Java array: a list to clients, which knows what it was made of so that it can be stored as that again. */
export class JavaArray extends Array<unknown> {
  readonly elementType: ElementType
  constructor(elementType: ElementType, elements: Iterable<unknown> = []) {
    super()
    this.elementType = elementType
    for (const element of elements) this.push(element)
  }
  /** What map() and the like make of it is an ordinary list. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array
  }
}

/** A JSON document (`JsonNode`), as its text. */
export class JsonText {
  readonly kind: "object" | "array"
  readonly text: string
  constructor(kind: "object" | "array", text: string) {
    this.kind = kind
    this.text = text
  }
}

/** A constant of one of JanusGraph's own enumerations, by its name. */
export class JavaEnum {
  readonly type: string
  readonly name: string
  constructor(type: string, name: string) {
    this.type = type
    this.name = name
  }
}

/** A named setting of an index field. */
export class Parameter {
  readonly key: string
  readonly value: unknown
  constructor(key: string, value: unknown) {
    this.key = key
    this.value = value
  }
}

/** What a definition property or schema edge of a type defines. */
export class TypeDescription {
  readonly category: string
  readonly modifier: unknown
  constructor(category: string, modifier: unknown) {
    this.category = category
    this.modifier = modifier
  }
}

/** A data type as a value, by the name of its {@link Attribute}. */
export class JavaClass {
  readonly attribute: string
  constructor(attribute: string) {
    this.attribute = attribute
  }
}

/** Which transaction wrote a log entry. */
export class TransactionId {
  readonly instance: string
  readonly transaction: bigint
  readonly begin: unknown
  constructor(instance: string, transaction: bigint, begin: unknown) {
    this.instance = instance
    this.transaction = transaction
    this.begin = begin
  }
}
