import type { z } from 'zod'
import type { Database } from '#server/db/client.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { TrackerConnection } from '#server/ports/ad-tracker.ts'
import type { TrackerChoices, trackerChoicesInput } from '#shared/features/trackers/schema.ts'
import { connectTracker } from './connect-tracker.ts'

const keptMs = 60_000

interface Kept {
  /** The address and key, because other ones mean another tracker. */
  readonly of: string
  readonly until: number
  readonly choices: Promise<TrackerChoices>
}
const known = new WeakMap<Database, Map<string, Kept>>()

async function ask(connection: TrackerConnection): Promise<TrackerChoices> {
  const { able } = connection
  const call = { priority: 'person' } as const
  const [campaigns, groups] = await Promise.all([
    able.campaign ? connection.listCampaigns(call) : [],
    able.group ? connection.listGroups(call) : [],
  ])
  return {
    campaigns: campaigns.map(({ id, name, state }) => ({ id, name, state })),
    groups: groups.map(({ id, name }) => ({ id, name })),
    able: { campaign: able.campaign, group: able.group, sslRedirect: able.sslRedirect, restore: able.restore, check: able.check },
  }
}

/**
 * Options for a domain in a tracker, cached for a minute for all users unless `fresh`. Failures are not cached.
 * @throws AppError not_found, tracker_disabled, and any refusal by the tracker
 */
export async function readChoices(ctx: Ctx, { id, fresh = false }: z.output<typeof trackerChoicesInput>): Promise<TrackerChoices> {
  const { tracker, connection } = await connectTracker(ctx, id)
  const kept = known.get(ctx.db) ?? new Map<string, Kept>()
  known.set(ctx.db, kept)
  const now = ctx.clock.now()
  for (const [each, { until }] of kept) if (until <= now) kept.delete(each)
  const of = `${tracker.url ?? ''} ${tracker.apiKeySealed ?? ''}`
  const found = kept.get(id)
  if (!fresh && found?.of === of) return found.choices
  const choices = ask(connection)
  const mine = { of, until: now + keptMs, choices }
  kept.set(id, mine)
  choices.catch(() => {
    if (kept.get(id) === mine) kept.delete(id)
  })
  return choices
}
