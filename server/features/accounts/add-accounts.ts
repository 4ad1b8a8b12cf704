import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { wakeSync } from '#server/features/sync/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireRoom } from '#server/platform/owner-limits.repo.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { parseAccountLines } from '#shared/features/accounts/rules.ts'
import { maximumLines } from '#shared/features/accounts/schema.ts'
import type { AccountLine } from '#shared/features/accounts/rules.ts'
import type { addAccountsInput, addAccountsOutput, LineFault } from '#shared/features/accounts/schema.ts'
import { auditAccounts } from './audit-accounts.ts'
import { insertNew, listKnownCredentials, listKnownEmails } from './accounts.repo.ts'
import { healthOf } from './health-of.ts'
import { encryptAccountSecrets } from './encrypt-account.ts'
import { publishAccountsChanged } from './publish-accounts-changed.ts'

const issue = (message: string, params = {}) => new AppError('validation_failed', { issues: [{ path: 'text', message, params }] })

/** Limits for concurrency and time, because the user is waiting. */
const concurrentChecks = 8
const checkMs = 15_000

interface EncryptedLine {
  readonly line: number
  readonly row: ReturnType<typeof encryptAccountSecrets>
}

interface Checked {
  readonly refused: readonly LineFault[]
  /** By line; lines not checked within the time limit are checked in the background. */
  readonly health: ReadonlyMap<number, Awaited<ReturnType<typeof healthOf>>>
}

/** Verifies the credentials of these lines at the provider, a few at a time. */
async function checkLines(ctx: Ctx, items: readonly (AccountLine & { readonly line: number })[]): Promise<Checked> {
  const refused: LineFault[] = []
  const health = new Map<number, Awaited<ReturnType<typeof healthOf>>>()
  const left = items.values()
  const endsAt = ctx.clock.now() + checkMs
  const worker = async (): Promise<void> => {
    for (const { line, ...item } of left) {
      if (ctx.clock.now() > endsAt) return
      try {
        health.set(line, await healthOf(ctx, { ...item, kind: 'global_key' }))
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        refused.push({ line, message: 'key_refused' })
      }
    }
  }
  await Promise.all(Array.from({ length: concurrentChecks }, worker))
  return { refused, health }
}

/** Lines whose accounts are new; the others need no check at the provider. */
async function newOf<Line extends { readonly line: number }>(
  ctx: Ctx,
  items: readonly Line[],
  encrypted: readonly EncryptedLine[],
): Promise<Line[]> {
  const { actor, db } = ctx
  const hashes = encrypted.map(({ row }) => row.credentialHash)
  const names = encrypted.map(({ row }) => row.email)
  const [known, emails] = await Promise.all([
    listKnownCredentials(db.orm, actor.userId, hashes),
    listKnownEmails(db.orm, actor.userId, names),
  ])
  const there = new Set(encrypted.flatMap(({ line, row }) => (known.has(row.credentialHash) || emails.has(row.email) ? [line] : [])))
  return items.filter(({ line }) => !there.has(line))
}

/**
 * Adds pasted accounts, one per line. `checkKeys` verifies each credential first, and a refused one is an error of its line, as when adding
 * a single account; lines beyond the time limit, and all lines without it, are verified in the background. If any line has an error nothing
 * is added, unless `skipFaulty` is set; the errors are returned either way.
 * @throws AppError validation_failed if there is no line at all or too many; limit_reached
 */
export async function addAccounts(ctx: Ctx, input: z.output<typeof addAccountsInput>): Promise<z.infer<typeof addAccountsOutput>> {
  const parsed = parseAccountLines(input.text)
  const count = parsed.items.length + parsed.faults.length
  if (count === 0) throw issue('no_valid_items')
  if (count > maximumLines) throw issue('too_many_lines', { max: maximumLines })

  const ownerId = ctx.actor.userId
  const encrypted = parsed.items.map((item) => ({
    line: item.line,
    row: encryptAccountSecrets(ctx.secrets, { ...item, kind: 'global_key' }),
  }))
  const checked: Checked = input.checkKeys
    ? await checkLines(ctx, await newOf(ctx, parsed.items, encrypted))
    : { refused: [], health: new Map() }
  const refused = new Set(checked.refused.map(({ line }) => line))
  return ctx.db.orm.transaction(async (tx) => {
    const hashes = encrypted.map(({ row }) => row.credentialHash)
    const known = await listKnownCredentials(tx, ownerId, hashes)
    const emails = await listKnownEmails(
      tx,
      ownerId,
      encrypted.map(({ row }) => row.email),
    )
    const exists = (line: number): LineFault => ({ line, message: 'account_exists' })
    const inOrder = (faults: LineFault[]) => faults.toSorted((a, b) => a.line - b.line)
    const again = encrypted.filter(({ row }) => known.has(row.credentialHash))
    const rekeyed = encrypted.filter(({ row }) => !known.has(row.credentialHash) && emails.has(row.email))
    const faults = inOrder([
      ...parsed.faults,
      ...checked.refused,
      ...again.map(({ line }) => exists(line)),
      ...rekeyed.map(({ line }): LineFault => ({ line, message: 'account_has_other_key' })),
    ])
    if (faults.length > 0 && !input.skipFaulty) return { added: 0, faults, accountIds: [] }

    const run = { checkRunId: randomUUID(), checked: false }
    const fresh = encrypted.filter(({ line, row }) => !refused.has(line) && !known.has(row.credentialHash) && !emails.has(row.email))
    await requireRoom(tx, 'accounts', ownerId, fresh.length)
    const inserted = await insertNew(
      tx,
      fresh.map(({ line, row }) => {
        const health = checked.health.get(line)
        return { ...row, ...(health === undefined ? run : { ...health, checked: true }), ownerId, syncAsked: true }
      }),
    )
    const late = fresh.filter(({ row }) => !inserted.has(row.id)).map(({ line }) => exists(line))
    const added = fresh.filter(({ row }) => inserted.has(row.id)).map(({ row }) => ({ ...row, ownerId }))
    await auditAccounts(tx, ctx, 'create', added, ({ kind }) => ({ kind }))
    await wakeSync(tx)
    await publishAccountsChanged(ctx, tx, added, 'accounts')
    return { added: added.length, faults: inOrder([...faults, ...late]), accountIds: added.map((row) => row.id) }
  })
}
