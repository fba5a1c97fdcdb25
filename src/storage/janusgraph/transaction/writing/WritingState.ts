import type { ElementSource, Ref } from "../../../../structure/elements/Element.ts"
import { bytesOf } from "../../../../structure/memory/HeldBytes.ts"
import { Journal } from "../../../shared/Journal.ts"
import type { Entry } from "../../../shared/Properties.ts"
import type { GraphCore } from "../../GraphCore.ts"
import type { IdAllocator } from "../../ids/IdAllocator.ts"
import type { CellGraphOptions } from "../../Options.ts"
import type { PropertyKey } from "../../schema/Schema.ts"
import { SchemaRules } from "../../schema/SchemaRules.ts"
import { Typing } from "../../schema/TypeInference.ts"
import { type EdgePropertyChange, Overlay, OwnVertex, type PropertyChange } from "../Overlay.ts"
import type { TransactionView } from "../TransactionView.ts"

/** Estimated bytes of the changes of a vertex, besides those of its properties. */
const VERTEX_BYTES = 400
/** Estimated bytes of a change of a property, besides its values. */
const CHANGE_BYTES = 150
/** Estimated bytes of the map with the changed properties of an edge. */
const EDGE_CHANGES_BYTES = 250
/** Estimated bytes of a value, besides the value itself. */
const ENTRY_BYTES = 80

const bytesOfValue = (value: unknown): number => ENTRY_BYTES + bytesOf(value)

/** The state that all writers of a transaction share: its changes, types and rules, and the undo log of a savepoint. */
export class WritingState {
  /** The transaction as the source of the elements that clients get. */
  readonly source: ElementSource
  readonly reading: TransactionView
  readonly ids: IdAllocator
  readonly options: CellGraphOptions
  /** See CellStore.cellsExpire. */
  readonly cellsExpire: boolean
  readonly typing: Typing
  readonly rules: SchemaRules
  readonly journal = new Journal()

  constructor(source: ElementSource, reading: TransactionView, core: GraphCore) {
    const { cells, ids, options } = core
    this.source = source
    this.reading = reading
    this.ids = ids
    this.options = options
    this.cellsExpire = cells.cellsExpire ?? false
    this.typing = new Typing(reading, () => core.newestSchema(), options, ids)
    this.rules = new SchemaRules(reading, options)
  }

  /** The changes of the transaction, created by the first call. */
  open(): Overlay {
    this.reading.own ??= new Overlay(this.journal)
    return this.reading.own
  }

  /** The changes of a vertex, created by the first call. */
  ownVertex(ref: Ref): OwnVertex {
    const own = this.open()
    let vertex = own.vertices.get(ref)
    if (vertex === undefined) {
      vertex = new OwnVertex(false, "")
      this.addVertex(own, ref, vertex)
    }
    return vertex
  }

  /** Adds the changes of a vertex. */
  addVertex(own: Overlay, ref: Ref, vertex: OwnVertex): void {
    own.vertices.set(ref, vertex)
    this.journal.countLasting(VERTEX_BYTES)
  }

  /** Counts the memory of a new value. */
  countValue(value: unknown): void {
    this.journal.count(bytesOfValue(value))
  }

  /** Counts the memory of a property that a change adds. */
  countEntry(change: PropertyChange, { meta, value }: Entry): void {
    let bytes = bytesOfValue(value)
    for (const metaValue of meta?.values() ?? []) bytes += bytesOfValue(metaValue)
    change.bytes += bytes
    this.journal.count(bytes)
  }

  /** Takes back what a change has counted: it is about to replace or remove all its values. */
  uncount(change: PropertyChange | EdgePropertyChange): void {
    this.journal.uncount(change.bytes)
    change.bytes = 0
  }

  /** Sets the value of a property of an edge, or removes it with undefined. */
  setEdgeValue(ref: Ref, key: PropertyKey, value: unknown): void {
    const change = this.#edgeChange(ref, key)
    this.uncount(change)
    change.value = value
    if (value === undefined) return
    change.bytes = bytesOfValue(value)
    this.journal.count(change.bytes)
  }

  /** The change of one property key of a vertex, created by the first call. */
  change(ref: Ref, key: PropertyKey): PropertyChange {
    const state = this.reading.state(ref, key.name)
    const { changes } = this.ownVertex(ref)
    const { vertexLog } = this.open()
    const since = vertexLog.add(ref, key.name)
    const known = changes.get(key.name)
    if (known !== undefined) {
      if (this.journal.isOpen) {
        const before = { ...known }
        this.journal.add(() => {
          Object.assign(known, before)
          vertexLog.add(ref, key.name)
        })
      }
      return known
    }
    const change: PropertyChange = { key, base: state, state, since, replaced: false, distinct: false, bytes: 0 }
    changes.set(key.name, change)
    this.journal.count(CHANGE_BYTES)
    if (this.journal.isOpen) {
      this.journal.add(() => {
        changes.delete(key.name)
        vertexLog.add(ref, key.name)
      })
    }
    return change
  }

  /** The change of a property of an edge, created by the first call. */
  #edgeChange(ref: Ref, key: PropertyKey): EdgePropertyChange {
    const own = this.open()
    const { edgeLog } = own
    const since = edgeLog.add(ref, key.name)
    let changes = own.edgeChanges.get(ref)
    if (changes === undefined) {
      changes = new Map()
      own.edgeChanges.set(ref, changes)
      this.journal.countLasting(EDGE_CHANGES_BYTES)
    }
    const known = changes.get(key.name)
    if (known !== undefined) {
      const { bytes, value } = known
      if (this.journal.isOpen) {
        this.journal.add(() => {
          Object.assign(known, { bytes, value })
          edgeLog.add(ref, key.name)
        })
      }
      return known
    }
    const base = this.reading.edgeValue(ref, key.name)
    const change: EdgePropertyChange = { key, base, value: base, since, bytes: 0 }
    changes.set(key.name, change)
    this.journal.count(CHANGE_BYTES)
    if (this.journal.isOpen) {
      const made = changes
      this.journal.add(() => {
        made.delete(key.name)
        edgeLog.add(ref, key.name)
      })
    }
    return change
  }
}
