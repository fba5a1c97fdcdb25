/** Values of JanusGraph's format for which the Gremlin language has no type. */

/** The element types of a {@link StoredArray}. A byte[] is a Uint8Array instead. */
export type ElementType = "short" | "int" | "long" | "float" | "double" | "char" | "boolean" | "String"

/**
 * A stored array of Java. Clients and scripts see a list: it is not the array that a script makes, which a method takes apart. The element
 * type is kept so that the value can be stored as the same array type.
 */
export class StoredArray extends Array<unknown> {
  readonly elementType: ElementType
  constructor(elementType: ElementType, elements: Iterable<unknown> = []) {
    super()
    this.elementType = elementType
    for (const element of elements) this.push(element)
  }
  /** map() and similar methods return an ordinary list. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array
  }
}

/** A JSON document (`JsonNode`) as text. */
export class JsonText {
  readonly kind: "object" | "array"
  readonly text: string
  constructor(kind: "object" | "array", text: string) {
    this.kind = kind
    this.text = text
  }
}

/** A constant of one of JanusGraph's enumerations. */
export class JavaEnum {
  readonly type: string
  readonly name: string
  constructor(type: string, name: string) {
    this.type = type
    this.name = name
  }
}

/** A named parameter of a field of an index. */
export class Parameter {
  readonly key: string
  readonly value: unknown
  constructor(key: string, value: unknown) {
    this.key = key
    this.value = value
  }
}

/** The description of a definition property or an edge of a schema vertex (TypeDefinitionDescription). */
export class TypeDescription {
  readonly category: string
  readonly modifier: unknown
  constructor(category: string, modifier: unknown) {
    this.category = category
    this.modifier = modifier
  }
}

/** A data type (java.lang.Class) as a value, by the name of its {@link Attribute}. */
export class JavaClass {
  readonly attribute: string
  constructor(attribute: string) {
    this.attribute = attribute
  }
}

/** The transaction that wrote a log entry. */
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
