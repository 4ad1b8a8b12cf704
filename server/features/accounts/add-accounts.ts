import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { wakeSync } from '#server/features/sync/index.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireRoom } from '#server/platform/owner-limits.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { parseAccountLines } from '#shared/features/accounts/rules.ts'
import { maximumLines } from '#shared/features/accounts/schema.ts'
import type { LineFault, addAccountsInput, addAccountsOutput } from '#shared/features/accounts/schema.ts'
import { insertNew, listKnownCredentials, listKnownEmails } from './accounts.repo.ts'
import { sealAccount } from './seal-account.ts'
import { tellAccounts } from './tell-accounts.ts'

const issue = (message: string, params = {}) => new AppError('validation_failed', { issues: [{ path: 'text', message, params }] })

/**
 * Adds pasted accounts, one a line. Their credentials are tried in the background, not here. While any line is at fault
 * nothing is added, unless `skipFaulty` says to add the others; the faults are in the answer either way.
 * @throws AppError validation_failed when there is no line at all, or too many; limit_reached
 */
export async function addAccounts(ctx: Ctx, input: z.output<typeof addAccountsInput>): Promise<z.infer<typeof addAccountsOutput>> {
  const parsed = parseAccountLines(input.text)
  const count = parsed.items.length + parsed.faults.length
  if (count === 0) throw issue('no_valid_items')
  if (count > maximumLines) throw issue('too_many_lines', { max: maximumLines })

  const ownerId = ctx.actor.userId
  const sealed = parsed.items.map((item) => ({ line: item.line, row: sealAccount(ctx.secrets, { ...item, kind: 'global_key' }) }))
  return ctx.db.orm.transaction(async (tx) => {
    const hashes = sealed.map(({ row }) => row.credentialHash)
    const known = await listKnownCredentials(tx, ownerId, hashes)
    const emails = await listKnownEmails(
      tx,
      ownerId,
      sealed.map(({ row }) => row.email),
    )
    const exists = (line: number): LineFault => ({ line, message: 'account_exists' })
    const inOrder = (faults: LineFault[]) => faults.toSorted((a, b) => a.line - b.line)
    const again = sealed.filter(({ row }) => known.has(row.credentialHash))
    const rekeyed = sealed.filter(({ row }) => !known.has(row.credentialHash) && emails.has(row.email))
    const faults = inOrder([
      ...parsed.faults,
      ...again.map(({ line }) => exists(line)),
      ...rekeyed.map(({ line }): LineFault => ({ line, message: 'account_has_other_key' })),
    ])
    if (faults.length > 0 && !input.skipFaulty) return { added: 0, faults, accountIds: [] }

    const run = { checkRunId: randomUUID(), checked: false }
    const fresh = sealed.filter(({ row }) => !known.has(row.credentialHash) && !emails.has(row.email))
    await requireRoom(tx, 'accounts', ownerId, fresh.length)
    const inserted = await insertNew(
      tx,
      fresh.map(({ row }) => ({ ...row, ...run, ownerId, syncAsked: true })),
    )
    const late = fresh.filter(({ row }) => !inserted.has(row.id)).map(({ line }) => exists(line))
    const added = fresh.filter(({ row }) => inserted.has(row.id)).map(({ row }) => ({ ...row, ownerId }))
    await audit(
      tx,
      ctx,
      ...added.map((row) => ({
        action: 'create' as const,
        entityType: 'account' as const,
        entityId: row.id,
        entityName: row.email,
        ownerId,
        details: { kind: row.kind },
      })),
    )
    await wakeSync(tx)
    await tellAccounts(ctx, tx, added, 'accounts')
    return { added: added.length, faults: inOrder([...faults, ...late]), accountIds: added.map((row) => row.id) }
  })
}
