/** Joins sentences, each with a full stop; missing ones are omitted. */
export const sentences = (...parts: readonly (string | null | undefined)[]): string =>
  parts
    .flatMap((part) => (part === null || part === undefined || part === '' ? [] : [part]))
    .map((part, index, all) => (index < all.length - 1 && !/[.!?…:]$/.test(part) ? `${part}.` : part))
    .join(' ')

/** Joins short facts; missing ones are omitted. */
export const joinFacts = (...facts: readonly (string | null | undefined)[]): string =>
  facts.filter((fact) => fact !== null && fact !== undefined && fact !== '').join(' · ')

const gap = '\u0000'

/** A text with one placeholder, translated once and filled often: a table needs hundreds on every keystroke in its search. */
export function gapText(translate: (gap: string) => string): (value: string) => string {
  const [before = '', after = ''] = translate(gap).split(gap)
  return (value) => before + value + after
}

/** The first of many, and the number of the others. */
export const firstOf = <T>(all: readonly T[], most: number): { readonly shown: readonly T[]; readonly more: number } => ({
  shown: all.slice(0, most),
  more: Math.max(0, all.length - most),
})
