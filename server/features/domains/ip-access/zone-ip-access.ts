import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type {
  addIpRulesInput,
  addIpRulesOutput,
  changedIpRulesAnswer,
  deleteIpRuleInput,
  IpRules,
  updateIpRuleInput,
} from '#shared/features/domains/ip-access/schema.ts'
import { openZone } from '../access/open-zone.ts'
import type { OpenZone } from '../access/open-zone.ts'
import { serializeZoneChanges } from '../access/serialize-zone-changes.ts'
import { applyIpRules } from './apply-ip-rules.ts'
import { findIpRules, listExpiries } from './ip-access.repo.ts'
import { toIpRule } from './logged-ip-rule.ts'
import type { Expiries, IpRuleMirror } from './logged-ip-rule.ts'
import { placeOf, readIpRules } from './read-ip-rules.ts'
import { changeResult, creationsOf, parseExpiry } from './rule-input.ts'
import { failureOf } from './send-ip-rules.ts'
import type { IpRuleChange } from './send-ip-rules.ts'

const person = { priority: 'person' } as const

/** The newest first. */
export function toAnswer({ rules, readAt }: IpRuleMirror, expiries: Expiries): IpRules {
  const shown = rules.map((rule) => toIpRule(rule, expiries))
  const key = ({ createdAt, id }: (typeof shown)[number]) => `${createdAt ?? ''} ${id}`
  return { readAt: readAt.toISOString(), rules: shown.toSorted((a, b) => key(b).localeCompare(key(a))) }
}

const answerOf = async (ctx: Ctx, zone: OpenZone, mirror: IpRuleMirror) => toAnswer(mirror, await listExpiries(ctx.db.orm, placeOf(zone)))

const read = (ctx: Ctx, zone: OpenZone) => serializeZoneChanges(zone.id, () => readIpRules(ctx, zone, person))

/** The rules as they are stored after a change. */
const stored = async (ctx: Ctx, zone: OpenZone) => answerOf(ctx, zone, (await findIpRules(ctx.db.orm, zone.id)) ?? (await read(ctx, zone)))

/**
 * The rules of IP access of a domain as of the last reading; the first time they are read from the provider.
 * @throws AppError not_found, provider_*
 */
export async function listIpRules(ctx: Ctx, id: string): Promise<IpRules> {
  return stored(ctx, await openZone(ctx, id, 'view'))
}

/**
 * The current rules at the provider.
 * @throws AppError not_found, level_too_low, provider_*
 */
export async function refreshIpRules(ctx: Ctx, id: string): Promise<IpRules> {
  const zone = await openZone(ctx, id)
  return answerOf(ctx, zone, await read(ctx, zone))
}

/**
 * Adds a rule for each value that has none. Those that have one of another mode are reported, and their rule is kept.
 * @throws AppError not_found, level_too_low, ip_access_expired, provider_*
 */
export async function addIpRules(ctx: Ctx, { id, ...input }: z.output<typeof addIpRulesInput>): Promise<z.output<typeof addIpRulesOutput>> {
  const zone = await openZone(ctx, id)
  const batchId = randomUUID()
  const sent = await applyIpRules(ctx, zone, creationsOf(input, ctx.clock.now()), { ...person, source: 'panel', batchId })
  const failure = failureOf(sent)
  if (failure !== null) throw failure
  return { ...(await stored(ctx, zone)), ...changeResult(sent), batchId }
}

type ChangedIpRules = z.output<typeof changedIpRulesAnswer>

async function changeOne(ctx: Ctx, id: string, change: IpRuleChange): Promise<ChangedIpRules> {
  const zone = await openZone(ctx, id)
  const batchId = randomUUID()
  const sent = await applyIpRules(ctx, zone, [change], { ...person, source: 'panel', batchId })
  const failure = failureOf(sent)
  if (failure !== null) throw failure
  if (sent.unchanged > 0) throw new AppError('not_found')
  return { ...(await stored(ctx, zone)), batchId }
}

/** @throws AppError not_found, level_too_low, ip_access_expired, provider_* */
export const updateIpRule = (
  ctx: Ctx,
  { id, ruleId, mode, note, expiresAt }: z.output<typeof updateIpRuleInput>,
): Promise<ChangedIpRules> =>
  changeOne(ctx, id, {
    kind: 'update',
    ruleId,
    isExpected: () => true,
    set: { mode, note, expiresAt: expiresAt === undefined ? undefined : parseExpiry(expiresAt, ctx.clock.now()) },
  })

/** @throws AppError not_found, level_too_low, provider_* */
export const deleteIpRule = (ctx: Ctx, { id, ruleId }: z.output<typeof deleteIpRuleInput>): Promise<ChangedIpRules> =>
  changeOne(ctx, id, { kind: 'delete', of: { ruleId }, isExpected: () => true })
