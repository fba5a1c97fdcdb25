import type { GraphAccess } from "../../services/Authorizer.ts"
import { ScriptObject } from "./ScriptObject.ts"

/** An object of a graph whose methods only read. */
export class ReadingObject extends ScriptObject {
  override readonly access: GraphAccess = "read"
}

/** An object of a graph whose methods read and write data. */
export class WritingObject extends ScriptObject {
  override readonly access: GraphAccess = "write"
}
