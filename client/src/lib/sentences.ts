/** Sentences one after another, each with its end; what is missing is left out. */
export const sentences = (...parts: readonly (string | null | undefined)[]): string =>
  parts
    .flatMap((part) => (part === null || part === undefined || part === '' ? [] : [part]))
    .map((part, index, all) => (index < all.length - 1 && !/[.!?…:]$/.test(part) ? `${part}.` : part))
    .join(' ')
