import { domainToASCII } from 'node:url'
import type { z } from 'zod'
import { listFirstOutside } from '#server/features/domains/history/index.ts'
import type { OutsideChanges } from '#server/features/domains/history/index.ts'
import { findLevel } from '#server/platform/access-scope.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { ZoneChange } from '#shared/features/domains/history/schema.ts'
import { mostEntries } from '#shared/features/provider-changes/names.ts'
import type { ChangeKind, listChangeEntriesInput, listChangeEntriesOutput } from '#shared/features/provider-changes/schema.ts'
import { isAtLeast } from '#shared/features/sharing/rules.ts'
import { findChange } from './list-changes.repo.ts'
import type { FoundChange } from './list-changes.repo.ts'

type Output = z.output<typeof listChangeEntriesOutput>

/** What others changed is read within a minute or so. What is found much later may be another change. */
const soonMs = 3_600_000

/** Of what the panel keeps a history. */
const subjects: Readonly<Partial<Record<ChangeKind, readonly ZoneChange['subject'][]>>> = {
  records: ['record'],
  settings: ['setting'],
  rules: ['rule', 'rule_order'],
  zone: ['zone'],
}

const isProviderId = (text: string) => /^[0-9a-f]{32}$/.test(text)

/** Names of records are relative to the domain or complete. */
function namesOf(subject: string, domainName: string): readonly string[] {
  const name = subject.toLowerCase().replace(/\.$/, '')
  const names = name === '@' ? [domainName] : [name, `${name}.${domainName}`]
  return [...new Set(names.flatMap((each) => [each, domainToASCII(each)]).filter((each) => each !== ''))]
}

/** The entries that a change names; null if it names none, as one of several records does. */
function namedBy({ kind, action, product, subject, critical, providerZoneId }: FoundChange, domainName: string): OutsideChanges['of'] {
  if (kind === 'settings') {
    if (critical === 'dnssec_off' || /dnssec/i.test(product ?? '')) return { keys: ['dnssec'], names: [], isNew: false }
    return subject === null || isProviderId(subject) ? null : { keys: [subject], names: [], isNew: false }
  }
  if (kind !== 'records' || subject === null || subject === 'batch' || subject === providerZoneId) return null
  return { keys: [subject], names: namesOf(subject, domainName), isNew: action === 'create' }
}

async function findEntries(ctx: Ctx, change: FoundChange, domainId: string): Promise<ZoneChange[]> {
  const since = new Date(change.changedAt)
  const entries = await listFirstOutside(ctx.db.orm, domainId, {
    subjects: subjects[change.kind] ?? [],
    of: namedBy(change, change.domainName ?? ''),
    since,
    until: new Date(Math.max(since.getTime(), Date.parse(change.readAt)) + soonMs),
    limit: mostEntries + 1,
  })
  // A change of a rule may name it, or its ruleset.
  const named = change.kind === 'rules' ? entries.filter(({ key }) => key === change.subject) : []
  return named.length > 0 ? named : entries
}

/**
 * What a change by others changed, from the history of its domain: what was found when the domain was read next.
 * @throws AppError not_found
 */
export async function listChangeEntries(ctx: Ctx, { id }: z.output<typeof listChangeEntriesInput>): Promise<Output> {
  const change = await findChange(ctx.db, id)
  if (change === null) throw new AppError('not_found')
  const { ownerId, accountId, groupId, kind } = change
  // The domain may be in another account by now.
  const level = change.domainId === null ? null : await findLevel(ctx, { ownerId, accountId: change.domainAccountId, groupId })
  if (level === null && (await findLevel(ctx, { ownerId, accountId })) === null) throw new AppError('not_found')
  const domainId = level === null ? null : change.domainId
  const none = (refusal: Output['refusal']): Output => ({ domainId, entries: [], hasMore: false, refusal })
  if (change.isOwn) return none('by_panel')
  if (subjects[kind] === undefined) return none('not_recorded')
  if (level === null || domainId === null) return none('not_in_panel')
  const entries = await findEntries(ctx, change, domainId)
  if (entries.length === 0) return none(change.isRead ? 'nothing_found' : 'not_read')
  const shown = entries.slice(0, mostEntries)
  const refusal = shown.every(({ revertedById }) => revertedById !== null)
    ? 'reverted'
    : isAtLeast(level, 'operate')
      ? null
      : 'level_too_low'
  return { domainId, entries: shown, hasMore: entries.length > mostEntries, refusal }
}
