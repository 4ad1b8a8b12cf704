import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { seenOf } from '#shared/features/domains/records/record-types.ts'
import type { importOutput } from '#shared/features/domains/records/schema.ts'
import type { ZoneFilePlan } from '#shared/features/domains/records/plan-zone-file.ts'
import { applyRecordChanges } from '../apply-changes.ts'
import type { RecordChanges } from '../plan-changes.ts'
import { planImport } from './plan-import.ts'
import type { ImportOrder, ImportStep } from './plan-import.ts'

type Output = z.output<typeof importOutput>

const kinds = { deleted: 'delete', changed: 'update', added: 'create' } as const
const lists = { delete: 'deleted', update: 'changed', create: 'added' } as const
/** Refusals of one call that do not affect the others. */
const ofOneCall = new Set<string>(['provider_rejected', 'provider_not_found', 'conflict', 'not_found', 'validation_failed'])

/** The provider's code for a zone that has reached its record limit. */
const zoneIsFull = '81045'

function at<T>(list: readonly T[], index: number): T {
  const found = list[index]
  if (found === undefined) throw new Error(`the plan has no step ${index}`)
  return found
}

/** Only the differing fields, so that nothing else is written. */
function patchOf({ before, after }: ZoneFilePlan['changed'][number]) {
  const { type: _type, name: _name, content, priority, ...rest } = after
  return {
    ...rest,
    ...(content === before.content ? {} : { content }),
    ...(priority === undefined || priority === before.priority ? {} : { priority }),
  }
}

function changesOf(plan: ZoneFilePlan, group: readonly ImportStep[]): RecordChanges {
  const of = (list: ImportStep['list']) => group.filter((step) => step.list === list).map(({ index }) => index)
  return {
    deletes: of('deleted').map((index) => {
      const record = at(plan.deleted, index)
      return { recordId: record.id, seen: seenOf(record) }
    }),
    updates: of('changed').map((index) => {
      const change = at(plan.changed, index)
      return { recordId: change.before.id, patch: patchOf(change), seen: seenOf(change.before) }
    }),
    creates: of('added').map((index) => {
      const { line: _line, ...record } = at(plan.added, index)
      return { record }
    }),
  }
}

/**
 * Runs the previewed plan, all changes of one name in one call. A refused call does not stop the others unless the provider or account is
 * unavailable; indexes in the answer refer to the plan's complete lists.
 * @throws AppError conflict if the records or the file changed since the preview, in which case nothing was sent
 */
export async function importFile(ctx: Ctx, { token, ...order }: ImportOrder & { readonly token: string }): Promise<Output> {
  const { zone, plan, groups } = await planImport(ctx, order)
  if (token !== plan.token) throw new AppError('conflict')
  const batchId = randomUUID()
  const output: Output = { done: 0, failed: [] }
  let stopped = false

  const fail = (step: ImportStep, code: string, message: string | null) => {
    const record =
      step.list === 'added'
        ? { id: null, ...at(plan.added, step.index) }
        : step.list === 'changed'
          ? at(plan.changed, step.index).before
          : at(plan.deleted, step.index)
    const { id: recordId, type, name } = record
    output.failed.push({ kind: kinds[step.list], index: step.index, recordId, type, name, code, message })
  }
  for (const group of groups) {
    if (stopped) {
      for (const step of group) fail(step, 'held_back', null)
      continue
    }
    try {
      const { done, failed, error } = await applyRecordChanges(ctx, zone, changesOf(plan, group), {
        priority: 'person',
        source: 'panel',
        batchId,
      })
      output.done += done
      for (const { kind, index, code, message } of failed) {
        const steps = group.filter((step) => step.list === lists[kind])
        fail(at(steps, index), code, message)
      }
      stopped = error !== null && (!ofOneCall.has(error.code) || error.provider?.code === zoneIsFull)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      for (const step of group) fail(step, error.code, error.provider?.message ?? null)
      stopped = !ofOneCall.has(error.code)
    }
  }
  return output
}
