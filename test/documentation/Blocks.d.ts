/** A fenced block of a document. */
export interface Block {
  readonly language: string
  readonly code: string
  /** The output according to the page. */
  readonly prints: string | undefined
}

export declare const blocksOf: (file: URL | string) => Array<Block>
export declare const linesOf: (file: URL | string, command: string) => Array<string>
