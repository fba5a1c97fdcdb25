/** One UTF-16 code unit or code point (java.lang.Character). */
export class Char {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
