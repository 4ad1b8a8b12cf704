import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isProxiable, seenOf } from '#shared/features/domains/records/record-types.ts'
import type { DnsRecord, RecordInput, RecordPatch } from '#shared/features/domains/records/schema.ts'
import { codeWords } from '#client/lib/errors.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { sentences } from '#client/lib/text.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc, type Inputs, type Outputs } from '#client/lib/trpc.ts'
import { autoTtl, copyOf } from './record-draft.ts'

type Change = Inputs['records']['change']
type Failed = Outputs['records']['change']['failed'][number]

export interface RecordChanges {
  /** Records with pending changes. */
  busy: ReadonlySet<string>
  /** The provider's error for a rejected record, by its id. */
  refusals: ReadonlyMap<string, string>
  forget: (recordId: string) => void
  /** Whether a bulk change is pending. */
  changing: boolean
  /** Throws the server's error. */
  create: (input: RecordInput) => Promise<DnsRecord>
  /** `seen` is the record when the editor was opened; without it, a concurrent change is overwritten. Throws the server's error. */
  update: (record: DnsRecord, patch: RecordPatch, seen: DnsRecord | null) => Promise<DnsRecord>
  /** Optimistic; rolled back on failure. */
  toggleProxied: (record: DnsRecord) => void
  /** Optimistic; rolled back on failure; can be undone. */
  remove: (record: DnsRecord) => void
  removeMany: (records: readonly DnsRecord[]) => Promise<void>
  patchMany: (records: readonly DnsRecord[], patch: RecordPatch) => Promise<void>
  /** Removes a record from the view. */
  drop: (recordId: string) => void
  /** Shows a record as the server returned it. */
  take: (record: DnsRecord) => void
  /** Refetches other data that these changes affect. */
  renew: () => void
}

type RecordCache = ReturnType<typeof useRecordCache>

/** The cached records of a zone. */
function useRecordCache(domainId: string) {
  const utils = trpc.useUtils()
  /** Cancels a running fetch, because it may show the state before the change. The next change event fetches again. */
  const show = async (after: (records: DnsRecord[]) => DnsRecord[]): Promise<void> => {
    await utils.records.list.cancel({ id: domainId })
    utils.records.list.setData({ id: domainId }, (before) => before && { ...before, records: after(before.records) })
  }
  return {
    /** Replaces records by their ids and adds new ones. */
    put: (records: readonly DnsRecord[], instead: readonly string[] = []): Promise<void> => {
      const gone = new Set([...instead, ...records.map(({ id }) => id)])
      return show((before) => [...before.filter(({ id }) => !gone.has(id)), ...records])
    },
    set: (recordId: string, part: Partial<DnsRecord>): Promise<void> =>
      show((before) => before.map((each) => (each.id === recordId ? { ...each, ...part } : each))),
    readAgain: (): void => void utils.records.list.invalidate({ id: domainId }),
    renew: (): void => {
      void utils.history.invalidate()
      void utils.domains.full.invalidate({ id: domainId })
    },
  }
}

/** Recreates deleted records on undo. */
function useUndoDeletion(domainId: string, cache: RecordCache) {
  const { t } = useTranslation('records')
  const one = trpc.records.create.useMutation({ meta: { failure: t('failed.create') } })
  const many = trpc.records.change.useMutation({ meta: { failure: t('failed.create') } })
  const undo = async (records: readonly DnsRecord[]): Promise<void> => {
    const creates = records.map(copyOf).filter((each) => each !== null)
    const [only] = creates
    if (creates.length === 1 && only !== undefined) {
      const { record } = await one.mutateAsync({ id: domainId, ...only })
      await cache.put([record])
    } else {
      const answer = await many.mutateAsync({ id: domainId, creates })
      await cache.put(answer.records)
      if (answer.failed.length > 0) toast.error(t('failed.create'), wordsOf(answer.failed))
    }
    cache.renew()
  }
  const offer = (records: readonly DnsRecord[], asked = records.length): void => {
    const title =
      records.length < asked
        ? t('deleted_some', { done: formatNumber(records.length), ...counted(asked) })
        : records.length === 1
          ? t('deleted_one_record', { record: recordTitle(records[0]) })
          : t('deleted', counted(records.length))
    // Types that cannot be created have no undo.
    if (records.some((record) => copyOf(record) === null)) toast.success(title)
    else toast.undoable(title, t('undo'), () => void undo(records).catch(() => undefined))
  }
  return { offer, isPending: many.isPending }
}

/** The fields changed on many records by one call. */
function useBulkChanges(
  domainId: string,
  cache: RecordCache,
  undo: ReturnType<typeof useUndoDeletion>,
  refuse: (failed: readonly Failed[], ids: readonly (string | undefined)[]) => void,
) {
  const { t } = useTranslation('records')
  const changing = trpc.records.change.useMutation({ meta: { failure: t('failed.update') } })
  const removing = trpc.records.change.useMutation({ meta: { failure: t('failed.delete') } })
  const run = async (mutation: typeof changing, change: Change, records: readonly DnsRecord[]) => {
    const { records: changed, failed } = await mutation.mutateAsync(change)
    const ids = failed.map(({ recordId, index }) => recordId ?? records[index]?.id)
    refuse(failed, ids)
    const stay = new Set(ids)
    await cache.put(
      changed,
      (change.deletes ?? []).filter((id) => !stay.has(id)),
    )
    cache.readAgain()
    cache.renew()
    return { failed, stay }
  }
  return {
    removeMany: async (records: readonly DnsRecord[]) => {
      const { failed, stay } = await run(removing, { id: domainId, deletes: records.map(({ id }) => id) }, records)
      const gone = records.filter(({ id }) => !stay.has(id))
      if (gone.length > 0) undo.offer(gone, records.length)
      if (failed.length > 0) toast.error(t('failed.delete_some', counted(failed.length)), wordsOf(failed))
    },
    patchMany: async (records: readonly DnsRecord[], patch: RecordPatch) => {
      const touched =
        patch.proxied === undefined
          ? // The TTL of proxied records is automatic.
            records.filter(({ proxied }) => patch.ttl === undefined || patch.ttl === autoTtl || !proxied)
          : records.filter(({ type, proxiable, proxied }) => isProxiable(type) && proxiable && proxied !== patch.proxied)
      if (touched.length === 0) return
      const { failed } = await run(changing, { id: domainId, updates: touched.map(({ id }) => ({ recordId: id, patch })) }, touched)
      const done = touched.length - failed.length
      if (failed.length === 0) toast.success(t('changed', counted(done)))
      else if (done > 0) toast.warning(t('changed_some', { done: formatNumber(done), ...counted(touched.length) }), wordsOf(failed))
      else toast.error(t('failed.update_some', counted(failed.length)), wordsOf(failed))
    },
    changing: changing.isPending || removing.isPending || undo.isPending,
  }
}

/** All changes to the records of a zone, with optimistic updates, undo and error reporting. */
export function useRecordChanges(domainId: string): RecordChanges {
  const { t } = useTranslation('records')
  const cache = useRecordCache(domainId)
  const undo = useUndoDeletion(domainId, cache)
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())
  const [refusals, setRefusals] = useState<ReadonlyMap<string, string>>(new Map())
  const creating = trpc.records.create.useMutation({ meta: { failure: false } })
  const updating = trpc.records.update.useMutation({ meta: { failure: false } })
  const proxying = trpc.records.update.useMutation({ meta: { failure: t('failed.proxy') } })
  const removing = trpc.records.remove.useMutation({ meta: { failure: t('failed.delete') } })

  const forget = (recordId: string): void => setRefusals((before) => new Map([...before].filter(([id]) => id !== recordId)))
  const refuse = (failed: readonly Failed[], ids: readonly (string | undefined)[]): void =>
    setRefusals((before) => {
      const after = new Map(before)
      failed.forEach(({ code, message }, at) => {
        const id = ids[at]
        if (id !== undefined) after.set(id, sentences(codeWords(code), message))
      })
      return after
    })
  const mark = (id: string, on: boolean): void =>
    setBusy((before) => (on ? new Set([...before, id]) : new Set([...before].filter((each) => each !== id))))
  const bulk = useBulkChanges(domainId, cache, undo, refuse)

  return {
    ...bulk,
    busy,
    refusals,
    forget,
    drop: (recordId) => void cache.put([], [recordId]),
    take: (record) => void cache.put([record]),
    create: async (input) => {
      const { record } = await creating.mutateAsync({ id: domainId, ...input })
      await cache.put([record])
      cache.renew()
      return record
    },
    update: async (record, patch, seen) => {
      const after = await updating.mutateAsync({ id: domainId, recordId: record.id, ...patch, ...(seen && { seen: seenOf(seen) }) })
      await cache.put([after.record], [record.id])
      forget(record.id)
      cache.renew()
      return after.record
    },
    toggleProxied: ({ id, proxied, ttl }) => {
      if (busy.has(id)) return
      mark(id, true)
      void cache
        .set(id, proxied ? { proxied: false } : { proxied: true, ttl: autoTtl })
        .then(() => proxying.mutateAsync({ id: domainId, recordId: id, proxied: !proxied }))
        .then(
          async (answer) => {
            await cache.set(id, answer.record)
            cache.renew()
          },
          () => cache.set(id, { proxied, ttl }),
        )
        .finally(() => mark(id, false))
    },
    remove: (record) => {
      void cache
        .put([], [record.id])
        .then(() => removing.mutateAsync({ id: domainId, recordId: record.id }))
        .then(
          async () => {
            forget(record.id)
            undo.offer([record])
            await cache.put([], [record.id])
            cache.renew()
          },
          async () => {
            await cache.put([record])
            // It may have been changed or deleted concurrently.
            cache.readAgain()
          },
        )
    },
    renew: cache.renew,
  }
}

/** The distinct reasons. */
function wordsOf(failed: readonly Failed[]): string {
  const reasons = new Set(failed.map(({ code, message }) => sentences(codeWords(code), message)))
  return [...reasons].slice(0, 3).join('\n')
}

/** The label of a record in a list. */
export const recordTitle = (record: Pick<DnsRecord, 'type' | 'name'> | undefined): string =>
  record === undefined ? '' : `${record.type} ${record.name}`
