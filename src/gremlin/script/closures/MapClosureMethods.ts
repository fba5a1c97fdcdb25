import type { GremlinMap } from "../../../structure/collections/Collections.ts"
import type { ScriptRun } from "../../HostCall.ts"
import type { ScriptClosure } from "../../ScriptClosure.ts"
import { type Caller, ended } from "../methods/MemberCalls.ts"
import { DefaultMap } from "../values/DefaultMap.ts"
import { OperandError } from "../values/OperandErrors.ts"

/** A method of maps that calls a closure for values. `count` is the number of arguments before the closure. */
interface MapMethod {
  readonly count: number
  readonly run: (value: GremlinMap, closure: ScriptClosure, args: readonly unknown[], caller: Caller) => ScriptRun
}

/** Stores what a closure gave for a key. As in Java, null removes the key. */
const store = (map: GremlinMap, key: unknown, value: unknown, { budget }: Caller): unknown => {
  if (value === null) map.delete(budget.key(key))
  else map.set(budget.keyMember(key), budget.member(value, map))
  return value
}

/** Methods of maps with a closure that other collections do not have, by name. */
export const mapClosureMethods: { readonly [name: string]: MapMethod } = {
  computeIfAbsent: {
    count: 1,
    *run(map, closure, [key], caller) {
      const found = map.get(caller.budget.key(key)) ?? null
      if (found !== null) return found
      const made = yield* ended(caller.attemptCall(closure, [key]))
      return made === null ? null : store(map, key, made, caller)
    }
  },
  computeIfPresent: {
    count: 1,
    *run(map, closure, [key], caller) {
      const found = map.get(caller.budget.key(key)) ?? null
      return found === null ? null : store(map, key, yield* ended(caller.attemptCall(closure, [key, found])), caller)
    }
  },
  compute: {
    count: 1,
    *run(map, closure, [key], caller) {
      const found = map.get(caller.budget.key(key)) ?? null
      return store(map, key, yield* ended(caller.attemptCall(closure, [key, found])), caller)
    }
  },
  merge: {
    count: 2,
    *run(map, closure, [key, value], caller) {
      if (value === null) throw new OperandError("merge() takes a value that is not null", "NullPointerException")
      const found = map.get(caller.budget.key(key)) ?? null
      return store(map, key, found === null ? value : yield* ended(caller.attemptCall(closure, [found, value])), caller)
    }
  },
  replaceAll: {
    count: 0,
    *run(map, closure, _, caller) {
      for (const [key, value] of caller.budget.list([...map]) as Array<[unknown, unknown]>) {
        const made = yield* ended(caller.attemptCall(closure, [key, value]))
        map.set(key, caller.budget.member(made, map))
      }
      return null
    }
  },
  withDefault: {
    count: 0,
    // biome-ignore lint/correctness/useYield: it calls the closure later
    *run(map, closure) {
      return new DefaultMap(map, closure)
    }
  }
}
