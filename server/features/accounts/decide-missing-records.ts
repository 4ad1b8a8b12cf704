import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import {
  keepMissingRecords,
  listMissingRecordDomains,
  listUndecided,
  lockMissingRecords,
  removeMissingRecords,
} from '#server/features/domains/mirror/index.ts'
import type { MissingRecords } from '#server/features/domains/mirror/index.ts'
import { updateDetailsWanted } from '#server/features/sync/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { mostMissingDomains } from '#shared/features/sync/disappearances/schema.ts'
import type {
  MissingRecordsDecision,
  decideMissingRecordsOutput,
  missingRecordDomains,
} from '#shared/features/sync/disappearances/schema.ts'
import { auditAccounts } from './audit-accounts.ts'
import { getSummaries } from './list-accounts.ts'
import { publishAccountsChanged } from './publish-accounts-changed.ts'

/**
 * The domains of an account with records that Cloudflare no longer lists and that nobody has decided about.
 * @throws AppError not_found
 */
export async function listMissingRecords(ctx: Ctx, { id }: { readonly id: string }): Promise<z.infer<typeof missingRecordDomains>> {
  await getSummaries(ctx, ctx.db.orm, [id], 'view')
  return listMissingRecordDomains(ctx.db.orm, id, mostMissingDomains)
}

/** Domains of one transaction: the records of each may be thousands. */
const domainsPerTransaction = 200

/**
 * The user decides about the missing records of all domains of an account, or of some of them. Those that change meanwhile are left.
 * @throws AppError not_found, level_too_low; nothing_to_do if none is undecided; conflict if they have changed since they were shown
 */
export async function decideMissingRecords(
  ctx: Ctx,
  { id, decision, domainIds, shown }: MissingRecordsDecision,
): Promise<z.infer<typeof decideMissingRecordsOutput>> {
  const accounts = await getSummaries(ctx, ctx.db.orm, [id], 'operate')
  const undecided = await listUndecided(ctx.db.orm, id, domainIds)
  if (undecided.length === 0) throw new AppError('nothing_to_do')
  if (shown !== undefined && (shown.domains !== undecided.length || shown.missing !== countMissing(undecided)))
    throw new AppError('conflict')
  const decided = { domains: 0, gone: 0 }
  for (let start = 0; start < undecided.length; start += domainsPerTransaction) {
    const expected = undecided.slice(start, start + domainsPerTransaction)
    await ctx.db.orm.transaction(async (tx) => {
      const locked = await lockMissingRecords(
        tx,
        expected.map((each) => each.id),
      )
      const held = locked.filter((each) => expected.some((seen) => isDeepStrictEqual(seen, each)))
      if (held.length === 0) return
      const ids = held.map((each) => each.id)
      const gone = decision === 'gone' ? await removeMissingRecords(tx, ids) : 0
      if (decision === 'keep') await keepMissingRecords(tx, ids, ctx.actor.name)
      await auditAccounts(tx, ctx, 'update', accounts, () => ({
        domains: held.length,
        records: countMissing(held),
        ...(decision === 'gone' ? { gone } : { missing: 'kept' }),
      }))
      await publishAccountsChanged(ctx, tx, accounts, 'accounts', 'domains')
      decided.domains += held.length
      decided.gone += gone
    })
  }
  // Afterwards, because others lock accounts before zones.
  if (decided.gone > 0) await updateDetailsWanted(ctx.db.orm, [id])
  return decided
}

const countMissing = (held: readonly MissingRecords[]): number => held.reduce((sum, { missing }) => sum + missing, 0)
