import { isDeepStrictEqual } from 'node:util'
import { applySettings, listDomainSettings, openZone } from '#server/features/domains/index.ts'
import { settingCatalog } from '#shared/features/domains/settings/catalog.ts'
import type { SettingEndpoint } from '#shared/features/domains/settings/catalog.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { DomainSettings } from '#shared/features/domains/schema.ts'
import { settingsRequest } from '#shared/features/operations/requests.ts'
import { settingsPatch } from '#shared/features/domains/settings/schema.ts'
import type { SettingKey, SettingsPatch } from '#shared/features/domains/settings/schema.ts'
import { hstsOf, securityStateOf, warningsOf } from '#shared/features/domains/settings/rules.ts'
import type { DomainOperationKind } from '../operation-kind.ts'
import { listSettingsChangedSince } from '../own-changes.repo.ts'

/** The mirror's value of one setting as a patch value; undefined if it was never read. */
function currentOf(settings: DomainSettings, key: SettingKey): unknown {
  if (key === 'developmentMode') return settings.developmentMode > 0
  if (key === 'hsts') return hstsOf(settings.values['security_header']?.value) ?? undefined
  return settings[key] ?? undefined
}
const keysOf = (patch: SettingsPatch) => (Object.keys(patch) as SettingKey[]).filter((key) => patch[key] !== undefined)
const partOf = (settings: DomainSettings, keys: readonly SettingKey[]) =>
  Object.fromEntries(keys.map((key) => [key, currentOf(settings, key) ?? null]))

/** All known settings except development mode, which expires on its own. */
export const patchOfKnown = (settings: DomainSettings): SettingsPatch =>
  Object.assign(
    {},
    ...(Object.keys(settingsPatch.shape) as SettingKey[])
      .filter((key) => key !== 'developmentMode')
      .map((key) => settingsPatch.safeParse({ [key]: currentOf(settings, key) }).data ?? {}),
  ) as SettingsPatch

/** What every zone has; plans and permissions differ in the others. */
const common: ReadonlySet<string> = new Set<SettingEndpoint>(['settings', 'universal_ssl'])

/** Settings for another zone, without those that it may not have because it did not report them. */
export const transferable = (settings: DomainSettings, patch: SettingsPatch): SettingsPatch =>
  Object.fromEntries(
    Object.entries(patch).filter(
      ([key]) => common.has(settingCatalog[key as SettingKey].endpoint) || currentOf(settings, key as SettingKey) !== undefined,
    ),
  )

/** The part of a patch that differs from the current settings. */
export const differing = (settings: DomainSettings, patch: SettingsPatch): SettingsPatch =>
  Object.fromEntries(
    keysOf(patch)
      .filter((key) => !isDeepStrictEqual(currentOf(settings, key), patch[key]))
      .map((key) => [key, patch[key]]),
  )

export const settings: DomainOperationKind<{ settings: SettingsPatch }> = {
  input: settingsRequest,
  async plan(ctx, zones, { settings: patch }) {
    const known = await listDomainSettings(
      ctx,
      zones.map((zone) => zone.id),
    )
    return zones.map(({ id, trackerBound }) => {
      const now = known.get(id)
      if (now === undefined) return { refused: 'not_found' }
      const keys = keysOf(patch).filter((key) => !isDeepStrictEqual(currentOf(now, key), patch[key]))
      if (keys.length === 0) return { unchanged: true }
      return {
        before: partOf(now, keys),
        after: Object.fromEntries(keys.map((key) => [key, patch[key]])),
        dangers: warningsOf(securityStateOf(now, trackerBound), patch).map(({ code }) => code),
        calls: keys.length,
      }
    })
  },
  async run(ctx, { domainId, operationId, plan }) {
    if (domainId === null) throw new AppError('not_found')
    const zone = await openZone(ctx, domainId)
    const after = plan.after as SettingsPatch
    const keys = keysOf(after)
    const before = plan.before as Record<string, unknown>
    const found: { changedSince: boolean } = { changedSince: false }
    const { refused } = await applySettings(
      ctx,
      zone,
      async (now) => {
        const seen = keys.some((key) => before[key] === null) ? await listSettingsChangedSince(ctx.db, domainId, operationId) : null
        found.changedSince = keys.some((key) => {
          const current = currentOf(now, key) ?? null
          // A setting that was unknown in the preview counts as changed only if a change of it was recorded since.
          const other = before[key] === null ? seen?.has(settingCatalog[key].id) === true : !isDeepStrictEqual(current, before[key])
          return other && !isDeepStrictEqual(current, after[key])
        })
        return found.changedSince ? {} : differing(now, after)
      },
      { priority: 'bulk', source: 'operation', batchId: operationId },
    )
    if (found.changedSince) return { state: 'skipped', code: 'changed_since' }
    const [first] = refused
    if (first !== undefined) throw first.error
    return { state: 'done' }
  },
}
