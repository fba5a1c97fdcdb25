/** java.net.InetAddress: its text and its 4 or 16 bytes. */
export class InetAddress {
  readonly bytes: Uint8Array
  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
}
