/** The ranges of a domain's history. */
export const historyRanges = ['day', 'week', 'month', 'quarter'] as const
