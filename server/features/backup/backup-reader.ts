import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { z } from 'zod'
import { endOfRows } from './backup-format.ts'

const newline = 0x0a
/** Longest permitted line; rows are read in chunks. */
const longestLine = 4 * 1024 * 1024
const lastRows = Buffer.from(endOfRows)
const rowsBehind = Buffer.from(`\n${endOfRows}`)

/** Thrown if the file is not a complete backup. */
export const broken = (why: string, cause?: unknown): Error => new Error(`the backup is damaged or incomplete: ${why}`, { cause })

/** The file could not be read, or reading was aborted: this says nothing about its content. */
const isOfFile = (error: unknown) => error instanceof Error && ('syscall' in error || error.name === 'AbortError')

const endMissing = 'the end of the file is missing'

/** The messages are those of zlib. */
function explained(error: unknown): Error {
  const message = error instanceof Error ? error.message : ''
  if (message === 'incorrect header check') return new Error('the file is not a backup', { cause: error })
  return broken(message === 'unexpected end of file' ? endMissing : 'it cannot be decompressed', error)
}

export interface BackupReader {
  /**
   * The next line, parsed.
   * @throws Error if it has another type
   */
  line<T extends z.ZodType>(schema: T): Promise<z.output<T>>
  /** The rows up to the end marker, in chunks of whole rows. */
  rows(): AsyncGenerator<Buffer>
  /** Hex SHA-256 of the data read so far. */
  sum(): string
}

/** Reads the output of `writeBackup` in chunks. */
function readBackup(source: AsyncIterable<Buffer>): BackupReader {
  const chunks = source[Symbol.asyncIterator]()
  const hash = createHash('sha256')
  let rest: Buffer = Buffer.alloc(0)

  const take = (length: number) => {
    const taken = rest.subarray(0, length)
    rest = rest.subarray(length)
    hash.update(taken)
    return taken
  }
  async function more(): Promise<void> {
    const next = await chunks.next().catch((error: unknown) => {
      throw isOfFile(error) ? error : explained(error)
    })
    if (next.done === true) throw broken(endMissing)
    rest = rest.length === 0 ? next.value : Buffer.concat([rest, next.value])
  }

  return {
    async line(schema) {
      let end = rest.indexOf(newline)
      while (end === -1) {
        if (rest.length > longestLine) throw broken('a line is too long')
        await more()
        end = rest.indexOf(newline)
      }
      const text = take(end + 1).toString('utf8')
      try {
        return schema.parse(JSON.parse(text))
      } catch (error) {
        throw broken('a line has an unexpected format', error)
      }
    },
    async *rows() {
      for (;;) {
        // The buffer starts at the beginning of a row.
        const whole = rest.subarray(0, rest.lastIndexOf(newline) + 1)
        const first = whole.subarray(0, lastRows.length).equals(lastRows)
        const end = first ? 0 : whole.indexOf(rowsBehind) + 1
        if (first || end > 0) {
          if (end > 0) yield take(end)
          take(lastRows.length)
          return
        }
        if (whole.length > 0) yield take(whole.length)
        await more()
      }
    },
    sum: () => hash.copy().digest('hex'),
  }
}

/** Opens a file, passes its reader to `work`, and closes it. */
export async function withBackup<T>(path: string, signal: AbortSignal | undefined, work: (reader: BackupReader) => Promise<T>): Promise<T> {
  const file = createReadStream(path)
  const unpacked = createGunzip()
  const reading = pipeline(file, unpacked, { signal })
  // The error is reported to the reader.
  reading.catch(() => undefined)
  try {
    return await work(readBackup(unpacked))
  } finally {
    file.destroy()
    unpacked.destroy()
  }
}
