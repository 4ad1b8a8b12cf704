import type { Domain } from '#shared/features/domains/schema.ts'

/** The site itself; Punycode, so that every program takes it. */
export const siteOf = ({ name }: Pick<Domain, 'name'>): string => `https://${name}`
