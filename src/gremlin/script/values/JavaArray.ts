/** An array of Java. It has the methods of a list. As the only argument of a method that takes any number, it stands for its members. */
export class JavaArray extends Array<unknown> {
  /** Methods such as slice() make lists, which are no arrays. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array
  }
  /** The simple name of the type of the members, such as `int` or `Object`. */
  readonly type: string

  constructor(type: string, members: readonly unknown[]) {
    super(members.length)
    this.type = type
    for (let at = 0; at < members.length; at++) this[at] = members[at]
  }
}
