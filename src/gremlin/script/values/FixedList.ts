import { OperandError, Unavailable } from "./OperandErrors.ts"

/** A list that a script cannot change. */
abstract class FixedList extends Array<unknown> {
  /** Methods such as slice() make lists that can be changed. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array
  }

  /** A list of this class with the members. */
  static holding<List extends FixedList>(this: new () => List, members: readonly unknown[]): List {
    const list = new this()
    for (const member of members) list.push(member)
    return list
  }

  /** The error for a change. */
  abstract unchangeable(): Error
}

/** The list that subList() gives. In Java it is a view of its list, which scripts do not have: it cannot be changed. */
export class SubList extends FixedList {
  unchangeable(): Error {
    return new Unavailable(
      "the list of subList() cannot be changed in scripts, because in Java this changes the whole list: change the whole list, or write " +
        "subList(...).toList() for a list of its own"
    )
  }
}

/** A list that cannot be changed in Java either, such as those of List.of() and Collections.nCopies(). */
export class ConstantList extends FixedList {
  unchangeable(): Error {
    return new OperandError(
      "a constant list, such as List.of() or asImmutable() gives, cannot be changed: write [] + list for a list of its own",
      "UnsupportedOperationException"
    )
  }
}

/** The list of Arrays.asList(), which keeps its length. Its members can be replaced. */
export class SizedList extends FixedList {
  unchangeable(): Error {
    return new OperandError(
      "the list of Arrays.asList() keeps its length: write [] + list for a list of its own",
      "UnsupportedOperationException"
    )
  }
}

/** Fails for a list that a script cannot change. */
export const assertChangeable = (value: unknown): void => {
  if (value instanceof FixedList) throw value.unchangeable()
}
