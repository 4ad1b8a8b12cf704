import type { z } from 'zod'
import type { previewChangeInput } from '#shared/features/operations/schema.ts'
import {
  changeIpInput,
  changeRecordsInput,
  createRecordInput,
  removeRecordInput,
  updateRecordInput,
} from '#shared/features/domains/records/schema.ts'
import { createRuleInput, deleteRuleInput, moveRuleInput, updateRuleInput } from '#shared/features/domains/rulesets/schema.ts'
import { setRegistrarInput } from '#shared/features/registrars/schema.ts'
import { bindZoneInput, unbindZoneInput, zoneTrackerInput } from '#shared/features/operations/requests.ts'
import {
  purgeCacheInput,
  removeZoneInput,
  setDevelopmentModeInput,
  setGroupInput,
  setUniversalInput,
  updateSettingsInput,
} from '#shared/features/domains/settings/schema.ts'
import { invalidInput } from '#server/transports/trpc/trpc.ts'

type Asked = z.input<typeof previewChangeInput>

/** @throws AppError validation_failed, as the call itself */
const planned =
  <T extends { readonly id: string }>(schema: z.ZodType<T>, changeOf: (input: Omit<T, 'id'>) => Asked['change']) =>
  (given: unknown): Asked => {
    const read = schema.safeParse(given)
    if (!read.success) throw invalidInput(read.error)
    const { id, ...own } = read.data
    return { id, change: changeOf(own) }
  }

const settings = (patch: object): Asked['change'] => ({ kind: 'settings', input: { settings: patch } })

type AskedRule = Extract<Asked['change'], { kind: 'rule' }>['change']
const rule = (change: AskedRule): Asked['change'] => ({ kind: 'rule', change })

/** The changes of calls for one domain that support `?preview=true`, by procedure. Bulk calls have a `preview` field. */
export const previews: ReadonlyMap<string, (given: unknown) => Asked> = new Map([
  ['zoneSettings.update', planned(updateSettingsInput, settings)],
  ['zoneSettings.setDevelopmentMode', planned(setDevelopmentModeInput, ({ enabled }) => settings({ developmentMode: enabled }))],
  ['zoneSettings.setUniversal', planned(setUniversalInput, ({ enabled }) => settings({ universalSsl: enabled }))],
  ['zoneSettings.setGroup', planned(setGroupInput, ({ groupId }) => ({ kind: 'group', input: { groupId } }))],
  [
    'zoneSettings.purgeCache',
    planned(purgeCacheInput, ({ files }) => (files === undefined ? { kind: 'purge', input: {} } : { kind: 'purge_files', files })),
  ],
  ['zoneSettings.remove', planned(removeZoneInput, () => ({ kind: 'delete', input: {} }))],
  ['registrars.setOfDomain', planned(setRegistrarInput, ({ registrarId }) => ({ kind: 'registrar', input: { registrarId } }))],
  ['trackers.bind', planned(bindZoneInput, (input) => ({ kind: 'tracker_bind', input }))],
  ['trackers.unbind', planned(unbindZoneInput, (input) => ({ kind: 'tracker_unbind', input }))],
  ['trackers.check', planned(zoneTrackerInput, () => ({ kind: 'tracker_check', input: {} }))],
  ['records.changeIp', planned(changeIpInput, ({ ipAddress, mode }) => ({ kind: 'ip', input: { ipAddress, mode } }))],
  ['records.create', planned(createRecordInput, (record) => ({ kind: 'record', creates: [record] }))],
  [
    'records.update',
    planned(updateRecordInput, ({ recordId, seen, ...patch }) => ({ kind: 'record', updates: [{ recordId, patch, seen }] })),
  ],
  ['records.remove', planned(removeRecordInput, ({ recordId }) => ({ kind: 'record', deletes: [recordId] }))],
  ['records.change', planned(changeRecordsInput, ({ deletes, updates, creates }) => ({ kind: 'records', deletes, updates, creates }))],
  ['rulesets.createRule', planned(createRuleInput, (input) => rule({ kind: 'create', ...input }))],
  ['rulesets.updateRule', planned(updateRuleInput, (input) => rule({ kind: 'update', ...input }))],
  ['rulesets.moveRule', planned(moveRuleInput, (input) => rule({ kind: 'move', ...input }))],
  ['rulesets.deleteRule', planned(deleteRuleInput, (input) => rule({ kind: 'delete', ...input }))],
])
