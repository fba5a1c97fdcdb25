import { Unavailable } from "./OperandErrors.ts"

/** The list that subList() gives. In Java it is a view of its list, which scripts do not have: it cannot be changed. */
export class SubList extends Array<unknown> {
  /** Methods such as slice() make lists that can be changed. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array
  }

  static copy(members: readonly unknown[]): SubList {
    const list = new SubList()
    for (const member of members) list.push(member)
    return list
  }
}

/** The error for a change of a list that subList() gave. */
export const unchangeableSubList = (): Unavailable =>
  new Unavailable(
    "the list of subList() cannot be changed in scripts, because in Java this changes the whole list: change the whole list, or write " +
      "subList(...).toList() for a list of its own"
  )
