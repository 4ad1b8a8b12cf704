import type { z } from 'zod'
import { openZone } from '#server/features/domains/index.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { domainValuesInput, groupValuesInput, profileValuesAnswer, setValuesInput } from '#shared/features/profiles/schema.ts'
import { ownValueIssues, valuesFor, variableLines } from '#shared/features/profiles/variables.ts'
import type { OwnValues, ProfileVariable } from '#shared/features/profiles/variables.ts'
import { findGroup, findGroupValues, getShown, listRuleContexts, lockValues, updateValues } from './profiles.repo.ts'

type Answer = z.infer<typeof profileValuesAnswer>

function answerOf(variables: readonly ProfileVariable[], ofGroup: OwnValues, ofDomain: OwnValues, inheritedFrom: OwnValues): Answer {
  const [given, inherited] = [valuesFor(variables, ofGroup, ofDomain), valuesFor(variables, inheritedFrom)]
  return {
    variables: variables.map(({ name, kind, values }) => ({
      name,
      kind,
      values: [...(given[name]?.values ?? values)],
      from: given[name]?.from ?? 'profile',
      inherited: [...(inherited[name]?.values ?? values)],
    })),
  }
}

/** @throws AppError validation_failed with the path of the value */
function merge(variables: readonly ProfileVariable[], before: OwnValues, values: OwnValues): OwnValues {
  const [issue] = ownValueIssues(variables, values)
  if (issue !== undefined) {
    const { path, message, params } = issue
    throw new AppError('validation_failed', { issues: [{ path: ['values', ...path].join('.'), message, ...(params && { params }) }] })
  }
  // A variable that the profile no longer has is dropped.
  const names = new Set(variables.map(({ name }) => name))
  return Object.fromEntries(Object.entries({ ...before, ...values }).filter(([name, each]) => names.has(name) && each.length > 0))
}

const domainProfile = async (ctx: Ctx, { id, profileId }: z.output<typeof domainValuesInput>, needed: 'view' | 'operate') => {
  const profile = await getShown(ctx.db.orm, ctx.actor, profileId)
  const zone = await openZone(ctx, id, needed)
  const context = (await listRuleContexts(ctx.db.orm, [id], profileId)).get(id)
  if (context === undefined || zone.ownerId !== profile.ownerId) throw new AppError('not_found')
  return { zone, profile, context }
}

/**
 * The values that a profile's variables have in a domain.
 * @throws AppError not_found
 */
export async function getDomainValues(ctx: Ctx, input: z.output<typeof domainValuesInput>): Promise<Answer> {
  const { profile, context } = await domainProfile(ctx, input, 'view')
  return answerOf(profile.variables, context.ofGroup, context.ofDomain, context.ofGroup)
}

/**
 * Sets values for one domain. Its rules are not changed: it differs from the profile until that is applied again.
 * @throws AppError not_found, level_too_low, validation_failed
 */
export async function setDomainValues(ctx: Ctx, input: z.output<typeof setValuesInput>): Promise<Answer> {
  const { zone, profile, context } = await domainProfile(ctx, input, 'operate')
  const values = await ctx.db.orm.transaction(async (tx) => {
    const owner = { kind: 'domain', id: zone.id } as const
    const before = await lockValues(tx, owner, profile.id)
    const merged = merge(profile.variables, before, input.values)
    await updateValues(tx, owner, profile.id, merged)
    await audit(tx, ctx, {
      action: 'update',
      entityType: 'zone',
      entityId: zone.id,
      entityName: zone.name,
      ownerId: zone.ownerId,
      details: { profile: profile.name, variables: { from: variableLines(before), to: variableLines(merged) } },
    })
    await ctx.events.publish(tx, zone.ownerId, 'profiles')
    return merged
  })
  return answerOf(profile.variables, context.ofGroup, values, context.ofGroup)
}

const groupProfile = async (ctx: Ctx, { id, profileId }: z.output<typeof groupValuesInput>) => {
  const profile = await getShown(ctx.db.orm, ctx.actor, profileId)
  const group = await findGroup(ctx.db.orm, id, profile.ownerId)
  if (group === null) throw new AppError('not_found')
  return { profile, group, before: await findGroupValues(ctx.db.orm, id, profileId) }
}

/**
 * The values that a profile's variables have in the domains of a group.
 * @throws AppError not_found
 */
export async function getGroupValues(ctx: Ctx, input: z.output<typeof groupValuesInput>): Promise<Answer> {
  const { profile, before } = await groupProfile(ctx, input)
  return answerOf(profile.variables, before, {}, {})
}

/**
 * Sets values for the domains of a group. Their rules are not changed: they differ from the profile until that is applied again.
 * @throws AppError not_found, validation_failed
 */
export async function setGroupValues(ctx: Ctx, input: z.output<typeof setValuesInput>): Promise<Answer> {
  const { profile, group } = await groupProfile(ctx, input)
  const values = await ctx.db.orm.transaction(async (tx) => {
    const owner = { kind: 'group', id: group.id } as const
    const before = await lockValues(tx, owner, profile.id)
    const merged = merge(profile.variables, before, input.values)
    await updateValues(tx, owner, profile.id, merged)
    await audit(tx, ctx, {
      action: 'update',
      entityType: 'group',
      entityId: group.id,
      entityName: group.name,
      ownerId: profile.ownerId,
      details: { profile: profile.name, variables: { from: variableLines(before), to: variableLines(merged) } },
    })
    await ctx.events.publish(tx, profile.ownerId, 'profiles')
    return merged
  })
  return answerOf(profile.variables, values, {}, {})
}
