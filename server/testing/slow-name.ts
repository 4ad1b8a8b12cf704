/** A name with this many characters takes Punycode half a second, which blocks the process. */
export const slowName = (characters = 10_000): string =>
  Array.from({ length: characters }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7_919) % 20_000))).join('')

/** Milliseconds for five runs of `work`. */
export function timeOf(work: () => unknown): number {
  const began = performance.now()
  for (let times = 0; times < 5; times += 1) work()
  return performance.now() - began
}
