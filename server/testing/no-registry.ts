import type { Registry } from '#server/ports/registry.ts'

/** For tests that query no registry: like top-level domains without RDAP. */
export const noRegistry: Registry = { lookUp: () => Promise.resolve({ state: 'not_offered' }), close: () => Promise.resolve() }
