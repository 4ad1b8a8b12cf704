import { postponeDetail, replaceRecords, updateSettings } from '#server/features/domains/mirror/index.ts'
import type { DetailItem, RecordsRead, SettingsRead } from '#server/features/domains/mirror/index.ts'
import type { Services } from '#server/platform/context.ts'

export type DetailRead = RecordsRead | SettingsRead

/**
 * Collects readings of all accounts and writes many zones in one statement while reading continues. One per process, so that many accounts
 * with a few calls each still produce large statements.
 */
export interface DetailWriter {
  /**
   * `written` resolves after the commit; `room` resolves immediately, or once there is room if too much is unwritten. Neither rejects: a
   * reading that cannot be written is logged and postponed.
   */
  add(read: DetailRead): { readonly room: Promise<void>; readonly written: Promise<void> }
}

interface Waiting {
  readonly read: DetailRead
  readonly written: () => void
}

const batchDelayMs = 250
const rowsPerBatch = 4_000
const zonesPerBatch = 400
const concurrentStatements = 2
/** Readers wait beyond this limit, so that a slow database costs time, not memory. */
const rowsUnwritten = 40_000

/** Approximate number of rows that a reading writes. */
const rowsOf = (read: DetailRead) => (read.part === 'records' ? read.records.length + 1 : 2)

export function createDetailWriter({ db, log }: Pick<Services, 'db' | 'log'>): DetailWriter {
  let waiting: Waiting[] = []
  let waitingRows = 0
  let unwrittenRows = 0
  let running = 0
  let timer: NodeJS.Timeout | null = null
  let roomMade = Promise.withResolvers<void>()

  async function store(batch: readonly DetailRead[]): Promise<void> {
    const records = batch.filter((read) => read.part === 'records')
    const settings = batch.filter((read) => read.part === 'settings')
    if (records.length > 0) await replaceRecords(db, records)
    if (settings.length > 0) await updateSettings(db, settings)
  }

  /** Written one by one, so that a zone that cannot be stored does not block the others. */
  async function storeOneByOne(batch: readonly DetailRead[]): Promise<void> {
    for (const read of batch) {
      const item: DetailItem = read
      try {
        await store([read])
      } catch (error) {
        log.error({ err: error, zone: item.id, part: item.part }, 'failed to write zone details')
        await postponeDetail(db, item).catch(() => undefined)
      }
    }
  }

  async function write(batch: readonly Waiting[], rows: number): Promise<void> {
    const reads = batch.map((one) => one.read)
    try {
      await store(reads)
    } catch (error) {
      log.warn({ err: error, zones: batch.length }, 'failed to write zone details in one batch; trying one by one')
      await storeOneByOne(reads)
    }
    running -= 1
    unwrittenRows -= rows
    roomMade.resolve()
    roomMade = Promise.withResolvers()
    for (const { written } of batch) written()
    if (isFull()) start()
    else if (waiting.length > 0) timer ??= setTimeout(start, batchDelayMs)
  }

  const isFull = () => waitingRows >= rowsPerBatch || waiting.length >= zonesPerBatch

  function start(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (waiting.length === 0 || running >= concurrentStatements) return
    const [batch, rows] = [waiting, waitingRows]
    waiting = []
    waitingRows = 0
    running += 1
    void write(batch, rows)
  }

  async function hasRoom(): Promise<void> {
    while (unwrittenRows > rowsUnwritten) await roomMade.promise
  }

  return {
    add(read) {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push({ read, written: resolve })
      waitingRows += rowsOf(read)
      unwrittenRows += rowsOf(read)
      if (isFull()) start()
      else timer ??= setTimeout(start, batchDelayMs)
      return { room: hasRoom(), written: promise }
    },
  }
}
