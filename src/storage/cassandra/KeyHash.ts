/** Differs in each process: nobody can choose keys that have the same hash. */
export const PROCESS_SEED = Math.floor(Math.random() * 2 ** 32)

/** A hash of 32 bits. `most`: bytes that count at most. */
export const hashOf = (key: Uint8Array, seed: number, most = Number.POSITIVE_INFINITY): number => {
  let hash = seed ^ key.length
  const length = Math.min(key.length, most)
  for (let i = 0; i < length; i++) hash = Math.imul(hash ^ key[i]!, 0x01000193)
  return hash ^ (hash >>> 15)
}
