import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { Transaction } from '#server/db/client.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireRoom } from '#server/platform/owner-limits.repo.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { hasContent, ruleProblems } from '#shared/features/profiles/schema.ts'
import type { Profile, profileFields, setDefaultProfileInput, updateProfileInput } from '#shared/features/profiles/schema.ts'
import { defaultsOf, variableLines } from '#shared/features/profiles/variables.ts'
import { toProfile } from './get-profile.ts'
import { deleteProfile, getShown, hasName, insertProfile, lockProfile, updateDefault, updateProfileRow } from './profiles.repo.ts'
import type { ShownProfile } from './profiles.repo.ts'

const invalid = (path: string, message: string) => new AppError('validation_failed', { issues: [{ path, message }] })

/** Writes the activity log entry and publishes the change events in the transaction of the change. */
async function recordChange(
  ctx: Ctx,
  tx: Transaction,
  { id, name, ownerId }: Pick<ShownProfile, 'id' | 'name' | 'ownerId'>,
  action: 'create' | 'update' | 'delete',
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  await audit(tx, ctx, { action, entityType: 'profile', entityId: id, entityName: name, ownerId, details })
  await ctx.events.publish(tx, ownerId, 'profiles')
}

async function insert(
  ctx: Ctx,
  tx: Transaction,
  row: Pick<ShownProfile, 'ownerId' | 'name' | 'settings' | 'records' | 'rules' | 'variables'>,
  details: Readonly<Record<string, unknown>>,
): Promise<Profile> {
  await requireRoom(tx, 'profiles', row.ownerId)
  const id = await insertProfile(tx, row)
  if (id === null) throw invalid('name', 'name_taken')
  await recordChange(ctx, tx, { ...row, id }, 'create', details)
  return toProfile(await getShown(tx, ctx.actor, id))
}

/** @throws AppError validation_failed if the user has a profile of this name */
export async function createProfile(ctx: Ctx, fields: z.output<typeof profileFields>): Promise<{ profile: Profile }> {
  const { name: _name, variables, ...contents } = fields
  const details = { ...contents, ...(variables.length > 0 && { variables: variableLines(defaultsOf(variables)) }) }
  return ctx.db.orm.transaction(async (tx) => ({
    profile: await insert(ctx, tx, { ownerId: ctx.actor.userId, ...fields }, details),
  }))
}

const loggedOf = (profile: Pick<ShownProfile, Field>, key: Field): unknown =>
  key === 'variables' ? variableLines(defaultsOf(profile.variables)) : profile[key]
type Field = (typeof changeable)[number]
const changeable = ['name', 'settings', 'records', 'rules', 'variables'] as const

/**
 * Its domains are not changed and differ from then on.
 * @throws AppError not_found, validation_failed
 */
export async function updateProfile(
  ctx: Ctx,
  { id, name, settings, records, rules, variables }: z.output<typeof updateProfileInput>,
): Promise<{ profile: Profile }> {
  return ctx.db.orm.transaction(async (tx) => {
    await lockProfile(tx, ctx.actor, id)
    const before = await getShown(tx, ctx.actor, id)
    const after = {
      name: name ?? before.name,
      settings: settings ?? before.settings,
      records: records ?? before.records,
      rules: rules ?? before.rules,
      variables: variables ?? before.variables,
    }
    const [problem] = rules === undefined && variables === undefined ? [] : ruleProblems(after)
    if (problem !== undefined) {
      const { path, message, params } = problem
      throw new AppError('validation_failed', { issues: [{ path: path.join('.'), message, ...(params && { params: { ...params } }) }] })
    }
    if (!hasContent(after)) throw invalid('settings', 'profile_empty')
    if (await hasName(tx, before.ownerId, after.name, id)) throw invalid('name', 'name_taken')
    const fields = changeable.filter((key) => !isDeepStrictEqual(before[key], after[key]))
    const isNewVersion = fields.some((key) => key !== 'name')
    await updateProfileRow(tx, id, { ...after, version: before.version + (isNewVersion ? 1 : 0) })
    if (fields.length > 0) {
      await recordChange(
        ctx,
        tx,
        { ...before, name: after.name },
        'update',
        Object.fromEntries(fields.map((key) => [key, { from: loggedOf(before, key), to: loggedOf(after, key) }])),
      )
    }
    return { profile: toProfile(await getShown(tx, ctx.actor, id)) }
  })
}

const longestName = 100
/** `Shop`, `Shop 2`, `Shop 3` … */
const nextName = (name: string, number: number) => {
  const end = ` ${number}`
  return `${name.replace(/ \d+$/, '').slice(0, longestName - end.length)}${end}`
}

/** @throws AppError not_found */
export async function duplicateProfile(ctx: Ctx, { id }: { readonly id: string }): Promise<{ profile: Profile }> {
  return ctx.db.orm.transaction(async (tx) => {
    await lockProfile(tx, ctx.actor, id)
    const { ownerId, name: original, settings, records, rules, variables } = await getShown(tx, ctx.actor, id)
    let number = 2
    while (await hasName(tx, ownerId, nextName(original, number))) number += 1
    return {
      profile: await insert(ctx, tx, { ownerId, name: nextName(original, number), settings, records, rules, variables }, { of: original }),
    }
  })
}

/** @throws AppError not_found */
export async function setDefaultProfile(
  ctx: Ctx,
  { id, isDefault }: z.output<typeof setDefaultProfileInput>,
): Promise<{ profile: Profile }> {
  return ctx.db.orm.transaction(async (tx) => {
    const before = await getShown(tx, ctx.actor, id)
    if (before.isDefault !== isDefault) {
      await updateDefault(tx, before, isDefault)
      await recordChange(ctx, tx, before, 'update', { isDefault: { from: before.isDefault, to: isDefault } })
    }
    return { profile: toProfile(await getShown(tx, ctx.actor, id)) }
  })
}

/**
 * Its domains are not changed.
 * @throws AppError not_found
 */
export async function removeProfile(ctx: Ctx, { id }: { readonly id: string }): Promise<{ domains: number }> {
  return ctx.db.orm.transaction(async (tx) => {
    await lockProfile(tx, ctx.actor, id)
    const { domains, ...profile } = await getShown(tx, ctx.actor, id)
    await deleteProfile(tx, id)
    await recordChange(ctx, tx, profile, 'delete', { domains })
    return { domains }
  })
}
