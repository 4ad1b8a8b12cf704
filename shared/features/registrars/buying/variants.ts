/** The parts of names. An empty list counts as one empty part; without words or zones there are no names. */
export interface VariantParts {
  /** A word of several parts (`red apple`) is joined with the separators. */
  readonly words: readonly string[]
  readonly prefixes: readonly string[]
  readonly suffixes: readonly string[]
  /** After the word, both ends inclusive: `01` to `12` keeps leading zeros. */
  readonly numbers: { readonly from: string; readonly to: string } | null
  /** Between the parts: nothing, a hyphen … */
  readonly separators: readonly string[]
  /** Without the dot. */
  readonly zones: readonly string[]
}

interface Variants {
  /** Unicode as entered, lower case, unique; the simplest combinations first. */
  readonly names: readonly string[]
  /** Whether there would have been more. */
  readonly cut: boolean
}

const longestLabel = 63
const clean = (parts: readonly string[]): readonly string[] => [
  ...new Set(parts.map((part) => part.normalize('NFC').trim().toLowerCase()).filter((part) => part !== '')),
]
const isLabel = (text: string): boolean =>
  text.length <= longestLabel && /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u.test(text)

/** Limits the numbers to the useful ones. */
function numbersOf(given: VariantParts['numbers'], most: number): readonly string[] {
  if (given === null || !/^\d{1,6}$/.test(given.from) || !/^\d{1,6}$/.test(given.to)) return []
  const [from, to] = [Number(given.from), Number(given.to)]
  return Array.from({ length: Math.min(most + 1, Math.max(0, to - from + 1)) }, (_, index) =>
    String(from + index).padStart(given.from.length, '0'),
  )
}

/** All combinations of the parts, at most `most`; plain words come before those with additions. */
export function makeVariants(parts: VariantParts, most: number): Variants {
  const zones = clean(parts.zones.map((zone) => zone.trim().replace(/^\.+/, '')))
  const separators = parts.separators.length === 0 ? [''] : parts.separators
  const words = clean(parts.words).map((word) => word.split(/\s+/))
  const prefixes = ['', ...clean(parts.prefixes)]
  const suffixes = ['', ...clean(parts.suffixes)]
  const numbers = ['', ...numbersOf(parts.numbers, most)]
  const names = new Set<string>()
  for (const prefix of prefixes) {
    for (const suffix of suffixes) {
      for (const number of numbers) {
        for (const word of words) {
          for (const separator of separators) {
            const label = [prefix, ...word, suffix, number].filter((part) => part !== '').join(separator)
            if (!isLabel(label)) continue
            for (const zone of zones) {
              const name = `${label}.${zone}`
              if (names.has(name)) continue
              if (names.size === most) return { names: [...names], cut: true }
              names.add(name)
            }
          }
        }
      }
    }
  }
  return { names: [...names], cut: false }
}
