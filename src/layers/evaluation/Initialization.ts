import type { StaticImports } from "../../gremlin/Parser.ts"
import { ScriptClosure } from "../../gremlin/ScriptClosure.ts"
import { HostObject, ScriptSource } from "../../gremlin/ScriptObjects.ts"
import { TraversalError } from "../../process/language/Errors.ts"
import type { RunEnvironment } from "../../process/plan/Run.ts"
import type { GraphRegistry, TraversalSource } from "../../services/GraphRegistry.ts"
import type { InitScriptSettings } from "../../services/Settings.ts"
import { GremlinMap } from "../../structure/collections/Collections.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"
import { text } from "../../structure/texts/Text.ts"
import { typeName } from "../../structure/texts/TypeNames.ts"
import { Held, storeOf } from "../management/GraphHandles.ts"
import { ScriptObject } from "../management/ScriptObject.ts"
import { consoleScript } from "./ConsoleScript.ts"
import { registeredSource, scriptGlobals } from "./GraphScripting.ts"
import { InitScripts } from "./InitScripts.ts"
import { reported } from "./LongScripts.ts"
import { escaped } from "./PrintedText.ts"
import type { ProgramContext } from "./ProgramContext.ts"

type Level = "info" | "warn" | "error"

/** What initialisation scripts need of the server. */
export interface InitializationParts {
  /** The graphs, and the sources of the configuration. */
  readonly registry: typeof GraphRegistry.Service
  readonly environment: RunEnvironment
  readonly maxNestingDepth: number
  /** Static methods that the scripts call without their class. */
  readonly imports: StaticImports
  readonly scriptLogLength: number
  /** The options of a graph of the configuration, without the values of secrets. */
  readonly optionsOf: (graph: string) => ReadonlyMap<string, string> | undefined
  /** Names of sources that the scripts may replace. */
  readonly defaultSources: ReadonlySet<string>
  /** True for a persistent graph with vertices. */
  readonly isFilled: (store: GraphStore) => Promise<boolean>
  /** Whether changes of graphs by {@link Initialization.define} are committed. */
  readonly commits: boolean
  /** Whether the start of the server was interrupted: then scripts end. */
  readonly isInterrupted: () => boolean
  readonly log: (level: Level, text: string) => void
}

/** A LifeCycleHook of a script. */
export interface LifeCycleHook {
  readonly file: string
  readonly closures: GremlinMap
}

/** Longest text of one call of a logger. */
const MAX_LOGGED_CHARS = 4_096

const HOOK_METHODS: ReadonlySet<unknown> = new Set(["onStartUp", "onShutDown"])

/** True for `[onStartUp: {...}, onShutDown: {...}] as LifeCycleHook`. */
const isHook = (value: unknown): value is GremlinMap =>
  value instanceof GremlinMap &&
  value.size > 0 &&
  [...value].every(([key, closure]) => HOOK_METHODS.has(key) && closure instanceof ScriptClosure)

/** Collects what the initialisation scripts of a server define. */
export class Initialization {
  readonly hooks: Array<LifeCycleHook> = []
  readonly #parts: InitializationParts
  readonly #scripts: InitScripts
  readonly #scriptContext: ProgramContext
  readonly #sources = new Map<string, TraversalSource>()
  readonly #values = new Map<string, unknown>()
  readonly #globals: Map<string, unknown>
  /** The registry that traversals of the scripts use: its sources grow. */
  readonly registry: typeof GraphRegistry.Service
  readonly #allSources: Map<string, TraversalSource>

  constructor(parts: InitializationParts) {
    const { environment, imports, isFilled, log, maxNestingDepth, registry, scriptLogLength } = parts
    this.#parts = parts
    this.#allSources = new Map(registry.sources)
    this.registry = { ...registry, sources: this.#allSources }
    this.#globals = scriptGlobals(registry)
    this.#globals.set("context", this.#context())
    this.#scriptContext = {
      registry: this.registry,
      environment,
      authorization: null,
      maxNestingDepth,
      allowsClosures: true,
      imports,
      scriptLogLength,
      printed: (file, _, printed) => log("info", `The initialisation script ${file} printed: ${printed}`),
      optionsOf: parts.optionsOf,
      starting: { isFilled, note: (note) => log("warn", note) }
    }
    this.#scripts = new InitScripts(this.#scriptContext, this.#globals, parts)
    this.registry = {
      ...this.registry,
      definitions: { values: this.#values, functions: this.#scripts.variables.functions }
    }
  }

  /** Runs a script, and takes what it defines. Throws when it fails, or defines what the server cannot have. */
  async define({ file, text: script }: InitScriptSettings): Promise<void> {
    const result = await this.#reported(file, this.#scripts.run(file, script))
    for (const [name, value] of this.#scripts.variables) this.#define(file, name, value)
    if (result instanceof GremlinMap) {
      for (const [name, value] of result) this.#define(file, String(name), value)
    } else if (result !== null) {
      this.#parts.log(
        "warn",
        `The initialisation script ${file} does not end with a map of names and values, but with ${typeName(result)}, which is not used`
      )
    }
    this.#bindSources()
  }

  /** Runs a script of `dataScripts`. What it defines ends with it. Throws when it fails. */
  async fill({ file, text: script }: InitScriptSettings): Promise<void> {
    const scripts = new InitScripts(this.#scriptContext, this.#globals, { ...this.#parts, commits: true })
    await this.#reported(file, scripts.run(file, consoleScript(script)))
    this.#parts.log("info", `The script ${file} of dataScripts is done`)
  }

  /** Runs `onStartUp` or `onShutDown` of a hook, if it has that closure. */
  async hook({ closures, file }: LifeCycleHook, method: "onStartUp" | "onShutDown"): Promise<void> {
    const closure = closures.get(method)
    if (closure instanceof ScriptClosure) {
      await this.#reported(file, this.#scripts.call(file, closure, [this.#hookContext()]))
    }
  }

  #reported<A>(file: string, work: Promise<A>): Promise<A> {
    return reported(file, work, (text) => this.#parts.log("warn", text))
  }

  #define(file: string, name: string, value: unknown): void {
    if (isHook(value)) {
      if (!this.hooks.some(({ closures }) => closures === value)) this.hooks.push({ file, closures: value })
      return
    }
    if (value instanceof ScriptSource) {
      this.#sources.set(name, this.#sourceOf(name, value))
      return
    }
    if (value instanceof HostObject) {
      if (this.registry.graphs.get(name) === value.handle) return
      throw new TraversalError(
        `${name} is a ${value.type}, which clients cannot share. Name a graph under graphs in the configuration, or bind a ` +
          `traversal source: [${name}: traversal().withEmbedded(graph)].`
      )
    }
    this.#values.set(name, value)
  }

  #sourceOf(name: string, source: ScriptSource): TraversalSource {
    if (source.handle instanceof Held) {
      throw new TraversalError(
        `${name} is a source of a graph that the script made, which ends with the script. Name the graph under graphs in the ` +
          "configuration."
      )
    }
    const { settings, store } = registeredSource(this.registry, source)
    const before = this.#parts.registry.sources.get(name)
    if (before !== undefined && before.store !== store && !this.#parts.defaultSources.has(name)) {
      throw new TraversalError(`'${name}' is bound to the graph '${before.store.name}' already`)
    }
    // Instructions of a source of the configuration come first.
    return { name, store, settings: { instructions: [...settings.instructions, ...source.instructions] } }
  }

  /** Replaces default sources by those of the scripts. A source that the configuration names takes precedence. */
  #bindSources(): void {
    const { defaultSources, registry } = this.#parts
    const all = this.#allSources
    all.clear()
    const bound = [...this.#sources.values()]
    for (const source of bound) all.set(source.name, source)
    for (const [name, source] of registry.sources) {
      if (!defaultSources.has(name)) all.set(name, source)
      else if (!all.has(name)) this.#keepDefault(name, source, bound)
    }
    for (const name of all.keys()) this.#globals.set(name, new ScriptSource(name))
  }

  /** A graph that a script binds needs no `g`; its source `<graph>_traversal` has the strategies of the script's source. */
  #keepDefault(name: string, source: TraversalSource, bound: ReadonlyArray<TraversalSource>): void {
    const first = bound.find(({ store }) => store === source.store)
    if (first === undefined) this.#allSources.set(name, source)
    else if (name === `${source.store.name}_traversal`) this.#allSources.set(name, { ...first, name })
    else this.#globals.delete(name)
  }

  /** The variable `context`, from which scripts read graphs that may not be configured. */
  #context(): HostObject {
    const bindings = new GremlinMap()
    for (const [name, value] of this.#globals) bindings.set(name, value)
    return new ScriptObject("script context", "", null, { getBindings: () => bindings }).host
  }

  /** The argument of a hook, whose logger writes to the log of the server. */
  #hookContext(): GremlinMap {
    const write =
      (level: Level) =>
      ([pattern, ...values]: ReadonlyArray<unknown>): null => {
        let at = 0
        const written = shown(pattern).replaceAll("{}", () => (at < values.length ? shown(values[at++]) : "{}"))
        this.#parts.log(level, escaped(written.slice(0, MAX_LOGGED_CHARS)))
        return null
      }
    const quiet = (): null => null
    const methods = { info: write("info"), warn: write("warn"), error: write("error"), debug: quiet, trace: quiet }
    return new GremlinMap([["logger", new ScriptObject("logger", "", null, methods).host]])
  }
}

const shown = (value: unknown): string =>
  typeof value === "string" ? value : value instanceof HostObject ? storeOf(value).describe() : text(value)
