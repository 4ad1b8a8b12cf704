/** Names that are checked and bought at once: the server's own limit (`shared/features/registrars/buying/schema.ts`), whose file brings zod with it. */
export const namesAtMost = 500
