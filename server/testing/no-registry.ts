import type { Registry } from '#server/ports/registry.ts'

/** For whatever asks no registry: as for top-level domains that offer nothing. */
export const noRegistry: Registry = { lookUp: () => Promise.resolve({ state: 'not_offered' }), close: () => Promise.resolve() }
