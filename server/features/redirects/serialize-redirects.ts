import { createSerializer } from '#server/platform/serialize-by-key.ts'

/** Cloudflare processes one change of an account's lists at a time, and what is read must not be older than a change that is stored. */
export const serializeRedirects = createSerializer()
