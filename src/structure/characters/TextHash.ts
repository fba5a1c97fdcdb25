/** FNV-1a, 32 bits. */
const FNV_START = 0x81_1c_9d_c5

/** The factor of FNV-1a. */
export const FNV_PRIME = 0x01_00_01_93

/** The hash of a text by FNV-1a over its characters, a signed number of 32 bits. `start`: the hash of what comes before it. */
export const hashOfText = (text: string, start = FNV_START): number => {
  let hash = start | 0
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME)
  return hash
}
