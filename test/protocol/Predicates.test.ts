import { describe, expect, it } from "vitest"
import { Binding, Bytecode, Instruction } from "../../src/process/language/Bytecode.ts"
import { P } from "../../src/process/language/Predicate.ts"
import { predicateOfArguments, predicateOfValue } from "../../src/protocol/Predicates.ts"
import { results, toy } from "../process/run.ts"

/** Which of the numbers 1, 2 and 3 a predicate keeps. */
const kept = (predicate: unknown) =>
  results(toy(), new Bytecode([], [new Instruction("inject", [1, 2, 3]), new Instruction("is", [predicate])]))

describe("within() from a driver", () => {
  it("compares with the members of a list that has a name, as within(x) does", () => {
    const binding = new Binding("x", [1, 2])
    expect(kept(predicateOfArguments("within", [binding]))).toEqual(["1", "2"])
    expect(kept(predicateOfValue("without", binding))).toEqual(["3"])
    expect(kept(predicateOfArguments("within", [new Binding("x", 3)]))).toEqual(["3"])
    expect(kept(predicateOfArguments("within", [new Binding("x", 3), 1]))).toEqual(["1", "3"])
    expect(predicateOfValue("within", [1])).toEqual(new P("within", [1]))
  })
})
