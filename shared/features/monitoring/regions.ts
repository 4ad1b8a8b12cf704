/** The regions of checks. The first three are the default (R-MON-01). */
export const regions = ['EUROPE', 'NORTH_AMERICA', 'ASIA', 'SOUTH_AMERICA', 'AFRICA', 'OCEANIA'] as const
export const defaultRegions: readonly (typeof regions)[number][] = regions.slice(0, 3)
