import type { z } from 'zod'
import { takeOutgoingTest } from '#server/platform/attempts.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireLevel } from '#server/platform/access-scope.ts'
import type { TrackerAccess } from '#server/ports/ad-tracker.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { testTrackerInput, TrackerTest } from '#shared/features/trackers/schema.ts'
import { openKey, requireKeyFor, tidyUrl } from './tracker-key.ts'
import { toAccessTarget } from './tracker-view.ts'
import { getRow } from './trackers.repo.ts'

type Input = z.output<typeof testTrackerInput>

/** The submitted values, completed with stored ones. @throws AppError not_found, validation_failed */
async function readAccess(ctx: Ctx, { id, kind, url, apiKey }: Input): Promise<TrackerAccess> {
  const row = id === undefined ? null : await getRow(ctx.db.orm, id)
  if (row !== null) await requireLevel(ctx, toAccessTarget(row), 'own')
  const given = { url: url === undefined ? undefined : tidyUrl(url, 'url'), apiKey: apiKey === '' ? undefined : apiKey }
  // The stored key is not needed when a new one is given.
  const kept = row === null || given.apiKey !== undefined ? null : openKey(ctx.secrets, row)
  if (row !== null && kept !== null && given.url !== undefined) {
    requireKeyFor({ from: row.url, to: given.url }, 'apiKey')
  }
  const access = { url: given.url ?? row?.url ?? undefined, apiKey: given.apiKey ?? kept ?? undefined }
  if (access.url === undefined || access.apiKey === undefined) {
    const missing = (['url', 'apiKey'] as const).filter((path) => access[path] === undefined)
    throw new AppError('validation_failed', { issues: missing.map((path) => ({ path, message: 'required' })) })
  }
  return { kind: row?.kind ?? kind, url: access.url, apiKey: access.apiKey }
}

/**
 * Whether a tracker accepts the connection, and its contents (R-TRK-02); errors are returned in the result and not stored.
 * @throws AppError not_found, secret_unreadable, validation_failed when the address or key is missing, too_many_attempts
 */
export async function testTracker(ctx: Ctx, input: Input): Promise<{ test: TrackerTest }> {
  const access = await readAccess(ctx, input)
  await takeOutgoingTest(ctx)
  const found: Pick<TrackerTest, 'domains' | 'campaigns' | 'addresses'> = { domains: null, campaigns: null, addresses: [] }
  const call = { priority: 'person' } as const
  try {
    const connection = ctx.trackers.connect(access)
    found.domains = (await connection.listDomains(call)).filter(({ archived }) => !archived).length
    found.addresses = [...(await ctx.trackers.findAddresses(access.url))]
    found.campaigns = (await connection.listCampaigns(call).catch(nullWhereUnable))?.length ?? null
    return { test: { ok: true, code: null, message: null, ...found } }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { test: { ok: false, code: error.code, message: error.provider?.message ?? null, ...found } }
  }
}

/** A tracker that does not report its campaigns still passes the test. */
function nullWhereUnable(error: unknown): null {
  if (error instanceof AppError && error.code === 'tracker_unable') return null
  throw error
}
