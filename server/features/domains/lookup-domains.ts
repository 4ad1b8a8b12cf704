import type { z } from 'zod'
import type { lookupOutput } from '#shared/features/domains/schema.ts'
import type { Ctx } from '#server/platform/context.ts'
import { parseDomainName } from './domain-name.ts'
import { domainReach } from './domain-reach.ts'
import { listByNames, shownName } from './domains.repo.ts'

type Lookup = z.infer<typeof lookupOutput>

/** Which of many pasted names are ours, and in which account. A `www.` in front is overlooked where only the rest is ours. */
export async function lookupDomains(ctx: Ctx, names: readonly string[]): Promise<Lookup> {
  const parsed = names.map((given) => ({ given, name: parseDomainName(given) }))
  const bare = (name: string) => (name.startsWith('www.') ? name.slice(4) : name)
  const asked = new Set(parsed.flatMap(({ name }) => (name === null ? [] : [name, bare(name)])))
  const rows = await listByNames(ctx.db, await domainReach(ctx), [...asked])
  const byName = new Map(rows.map((row) => [row.name, row]))
  const seen = new Set<string>()
  return {
    results: parsed.map(({ given, name }) => {
      if (name === null) return { given, name, state: 'invalid', domain: null }
      const row = byName.get(name) ?? byName.get(bare(name))
      const understood = row?.name ?? name
      const repeated = seen.has(understood)
      seen.add(understood)
      return {
        given,
        name: understood,
        state: repeated ? 'repeated' : row === undefined ? 'absent' : 'ours',
        domain:
          row === undefined
            ? null
            : { id: row.id, displayName: shownName(row), accountId: row.account_id, accountEmail: row.account_email, status: row.status },
      }
    }),
  }
}
