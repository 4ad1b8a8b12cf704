/** Sentences one after another, each with its end; what is missing is left out. */
export const sentences = (...parts: readonly (string | null | undefined)[]): string =>
  parts
    .flatMap((part) => (part === null || part === undefined || part === '' ? [] : [part]))
    .map((part, index, all) => (index < all.length - 1 && !/[.!?…:]$/.test(part) ? `${part}.` : part))
    .join(' ')

/** Short facts beside each other; what is missing is left out. */
export const joinFacts = (...facts: readonly (string | null | undefined)[]): string =>
  facts.filter((fact) => fact !== null && fact !== undefined && fact !== '').join(' · ')

const gap = '\u0000'

/** A text with one gap, translated once and filled often: a table asks for hundreds at every key that is typed into its search. */
export function gapText(translate: (gap: string) => string): (value: string) => string {
  const [before = '', after = ''] = translate(gap).split(gap)
  return (value) => before + value + after
}

/** What is named of many, and how many there are beside it. */
export const firstOf = <T>(all: readonly T[], most: number): { readonly shown: readonly T[]; readonly more: number } => ({
  shown: all.slice(0, most),
  more: Math.max(0, all.length - most),
})
