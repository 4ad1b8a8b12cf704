import type { z } from 'zod'
import type { lookupOutput } from '#shared/features/domains/schema.ts'
import type { Ctx } from '#server/platform/context.ts'
import { parseDomainName } from '../domain-name.ts'
import { getDomainScope } from './select-domains.ts'
import { listByNames, type NamedRow } from './domains.repo.ts'
import { shownName } from './domain-view.ts'

type Lookup = z.infer<typeof lookupOutput>

/**
 * Matches pasted names with the panel's domains and their accounts. A leading `www.` is ignored if only the rest is a domain of the panel.
 */
export async function lookupDomains(ctx: Ctx, names: readonly string[]): Promise<Lookup> {
  const parsed = names.map((given) => ({ given, name: parseDomainName(given) }))
  const bare = (name: string) => (name.startsWith('www.') ? name.slice(4) : name)
  const asked = new Set(parsed.flatMap(({ name }) => (name === null ? [] : [name, bare(name)])))
  const rows = await listByNames(ctx.db, await getDomainScope(ctx), [...asked])
  const byName = Map.groupBy(rows, ({ name }) => name)
  const seen = new Set<string>()
  return {
    results: parsed.map(({ given, name }) => {
      if (name === null) return { given, name, state: 'invalid', domain: null, others: [] }
      const [first, ...others] = byName.get(name) ?? byName.get(bare(name)) ?? []
      const understood = first?.name ?? name
      const repeated = seen.has(understood)
      seen.add(understood)
      return {
        given,
        name: understood,
        state: repeated ? 'repeated' : first === undefined ? 'absent' : 'ours',
        domain: first === undefined ? null : toLookedUp(first),
        others: others.map(toLookedUp),
      }
    }),
  }
}

const toLookedUp = (row: NamedRow) => ({
  id: row.id,
  displayName: shownName(row),
  accountId: row.accountId,
  accountEmail: row.accountEmail,
  ownerId: row.ownerId,
  status: row.status,
  gone: row.gone,
})
