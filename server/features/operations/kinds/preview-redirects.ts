import type { z } from 'zod'
import { planRedirectChange } from '#server/features/redirects/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { previewRedirectsInput, previewRedirectsOutput } from '#shared/features/redirects/schema.ts'
import { boundDrafts } from '../bound-drafts.ts'
import { keepDraft } from '../preview-operation.ts'
import { draftRecords } from './redirect-records.ts'
import { draftRedirects } from './redirects.ts'

/**
 * Plans a change of an account's redirects as a draft; sends nothing. There is no draft if nothing is to be changed.
 * @throws AppError not_found, level_too_low, too_many_redirects, redirect_limit_reached, too_many_attempts
 */
export async function previewRedirects(
  ctx: Ctx,
  input: z.output<typeof previewRedirectsInput>,
): Promise<z.output<typeof previewRedirectsOutput>> {
  await boundDrafts(ctx)
  const { account, puts, deletes, warned, records, summary } = await planRedirectChange(ctx, input)
  const place = { accountId: account.id, accountEmail: account.email, lane: account.lane }
  const warningsOf = (source: string) => [...warned].flatMap(([code, sources]) => (sources.has(source) ? [code] : []))
  // Records first: a redirect has no effect without them.
  const drafted = [...draftRecords(place, records), ...draftRedirects(place, { puts, deletes }, warningsOf)]
  if (drafted.length === 0) return { summary, preview: null }
  const preview = await keepDraft(
    ctx,
    { kind: 'redirects', input: { accountId: account.id } },
    [{ planned: drafted, unchanged: summary.unchanged }],
    null,
  )
  return { summary, preview }
}
