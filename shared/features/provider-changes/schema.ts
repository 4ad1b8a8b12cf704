import { z } from 'zod'

/** What was changed at the provider: the zone itself, its records, settings or rules, anything else in it, or something in the account. */
export const changeKind = z.enum(['records', 'settings', 'rules', 'zone', 'other', 'account'])
export type ChangeKind = z.infer<typeof changeKind>
