import { StorageUnavailable, UnsupportedValue } from "../../../structure/errors/StoreErrors.ts"
import type { DocumentField } from "../schema/Schema.ts"
import type { StoredFields } from "./DocumentComparison.ts"

/** A document: an element of the graph, in the index of a store. */
export interface DocumentName {
  /** JanusGraph's name of the index store. */
  readonly store: string
  readonly id: string
}

/** The version of a document in the engine. */
export interface DocumentVersion {
  readonly sequence: number
  readonly term: number
}

/** Why a document can be neither read nor written: the engine has no index for it, or does not read it. */
export interface DocumentProblem {
  readonly problem: string
  /** True if the problem is expected to end by itself soon. */
  readonly isTemporary: boolean
}

/** A document as the engine has it. */
export interface StoredDocument {
  readonly fields: StoredFields
}

/** A write of a document that applies only to the version that was read. */
export interface DocumentChange extends DocumentName {
  /** The new document as JSON; undefined to remove it. */
  readonly json: string | undefined
  /** Undefined: the engine had no such document. */
  readonly version: DocumentVersion | undefined
}

/**
 * The outcome of a write: `changed` if another process changed the document since its version was read, `later` if the engine refuses
 * it for now, `refused` if it does not accept the document.
 */
export interface DocumentOutcome {
  readonly kind: "done" | "changed" | "later" | "refused"
  /** The reason that the engine gives; empty for `done`. */
  readonly reason: string
}

/** A page of a search. */
export interface DocumentPage {
  readonly ids: ReadonlyArray<string>
  /** Continues the search; undefined at its end. */
  readonly cursor: string | undefined
}

/** The order of the documents of a search. */
export interface DocumentOrder {
  /** The name of the field by whose values the engine sorts. */
  readonly field: string
  /** The engine's type of the field, for an index of the engine in which no document has it yet. */
  readonly type: string
  readonly descending: boolean
}

/** A search engine that keeps mixed indexes of JanusGraph. Its methods fail with {@link EngineUnavailable}. */
export interface SearchEngine {
  /** The name that the engine has for the index of a store. */
  indexOf(store: string): string
  /** Finds the documents that meet a query, which is JSON. The first page. Without `order` they come in any order. */
  search(store: string, query: string, order?: DocumentOrder): Promise<DocumentPage>
  /** The next page of a search. A page that is lost on its way ends the search. */
  more(cursor: string): Promise<DocumentPage>
  /** Ends a search early. Never fails. */
  release(cursor: string): void
  /** The newest versions of documents, in the order of the names; undefined for those that the engine does not have. */
  versions(names: ReadonlyArray<DocumentName>): Promise<ReadonlyArray<DocumentVersion | DocumentProblem | undefined>>
  /** Documents, in the order of the names; undefined for those that the engine does not have. */
  read(names: ReadonlyArray<DocumentName>): Promise<ReadonlyArray<StoredDocument | DocumentProblem | undefined>>
  /** Writes documents; outcomes in the order of the changes. */
  write(changes: ReadonlyArray<DocumentChange>): Promise<ReadonlyArray<DocumentOutcome>>
  /** True if the engine has the index of a store. */
  hasIndex(store: string): Promise<boolean>
  /** Makes the index of a store, unless it exists, and adds fields to its mapping. Fails if a field exists with another mapping. */
  register(store: string, fields: ReadonlyArray<DocumentField>): Promise<void>
  /** Removes the index of a store with all documents; does nothing if there is none. */
  discard(store: string): Promise<void>
  close(): void
}

/** What no name of an index of an engine has. Other white space than the space is allowed there. */
const refusedCharacters = /[ \\/*?"<>|,#:]/

/** True for a name that stands for one index of an engine. Others are patterns, lists or dates. */
export const isOneName = (index: string): boolean => !/[*?,<>]/.test(index)

/** True for a text with which names of indexes of an engine can begin. */
export const isEnginePrefix = (text: string): boolean => !refusedCharacters.test(text) && /^[^-_+]/.test(text)

/** Throws UnsupportedValue for the name of a store of which an engine can have no index. */
export const assertEngineName = (store: string): void => {
  if (!refusedCharacters.test(store)) return
  throw new UnsupportedValue(
    `A search engine can have no index with the name ${store}: names have no spaces there, and none of \\ / * ? " < > | , # :. Choose another ` +
      "name."
  )
}

/** A search engine did not answer, or refused the request. */
export class EngineUnavailable extends StorageUnavailable {}

/** The client of a search engine was closed before the engine answered. */
export class EngineClosed extends EngineUnavailable {}
