/** What is named of many, and how many there are beside it. */
export const firstOf = <T>(all: readonly T[], most: number): { readonly shown: readonly T[]; readonly more: number } => ({
  shown: all.slice(0, most),
  more: Math.max(0, all.length - most),
})
