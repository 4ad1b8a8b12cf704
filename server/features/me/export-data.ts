import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { z } from 'zod'
import { exportActivity } from '#server/features/activity/index.ts'
import { detailKeys, openDetails } from '#server/features/registrars/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { exportDataInput, exportDataOutput } from '#shared/features/me/schema.ts'
import { byteOrderMark, csvLine } from '#shared/csv.ts'
import { listRows, encryptedDetails, sectionNames } from './export-data.repo.ts'
import type { ExportedRow, SectionName } from './export-data.repo.ts'
import { getProfile } from './get-profile.ts'

const rowsPerBatch = 2_000
const activitySection = sectionNames.length
/** The person's own entries and those about their resources; for an administrator not everyone's. */
const ownActivity = (ctx: Ctx, format: 'csv' | 'json', cursor: string | null) =>
  exportActivity(ctx, { format, ownerId: ctx.actor.userId, ...(cursor !== null && { cursor }) })

/**
 * All data of the caller as one JSON document in consecutive parts: `{profile, accounts: […], …}`. Contains no secrets and no hashes.
 * Values encrypted only because they are personal data, shown to their owner on the purchases page, are decrypted.
 */
export async function exportData(ctx: Ctx, { cursor }: z.output<typeof exportDataInput>): Promise<z.infer<typeof exportDataOutput>> {
  const [section = 0, after = null] = cursor === undefined ? [] : readCursor(cursor)
  const begun = cursor === undefined ? await beginning(ctx) : ''
  const name = sectionNames[section]
  const opening = after === null ? `,"${name ?? 'activityLogs'}":[` : ''
  if (name === undefined) {
    const { text, nextCursor } = await ownActivity(ctx, 'json', after)
    const separator = after === null || text === '' ? '' : ','
    return {
      text: `${begun}${opening}${separator}${text}${nextCursor === null ? ']}' : ''}`,
      nextCursor: nextCursor && `${section} ${nextCursor}`,
    }
  }
  const rows = await listOpened(ctx, name, after)
  const text = rows.map(({ row }) => row).join(',')
  const separator = after === null || text === '' ? '' : ','
  const last = rows.length < rowsPerBatch ? undefined : rows.at(-1)?.key
  return {
    text: `${begun}${opening}${separator}${text}${last === undefined ? ']' : ''}`,
    nextCursor: last === undefined ? `${section + 1} ` : `${section} ${last}`,
  }
}

async function listOpened(ctx: Ctx, name: SectionName, after: string | null): Promise<ExportedRow[]> {
  const rows = await listRows(ctx.db, ctx.actor.userId, name, { after, limit: rowsPerBatch })
  return name === 'contacts' ? rows.map(({ row, key }) => ({ key, row: openContact(ctx, row) })) : rows
}

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Null if encrypted with another key: the rest of the person's data is still exported. */
function openContact({ secrets }: Ctx, row: string): string {
  const { [encryptedDetails]: detailsSealed, ...rest } = JSON.parse(row) as { readonly id: string; readonly [encryptedDetails]: string }
  const details = decryptOrNull(secrets, rest.id, detailsSealed)
  return JSON.stringify({ ...rest, ...Object.fromEntries(detailKeys.map((key) => [snakeCase(key), details?.[key] ?? null])) })
}

function decryptOrNull(secrets: Ctx['secrets'], id: string, detailsSealed: string): ReturnType<typeof openDetails> | null {
  try {
    return openDetails(secrets, { id, name: '', detailsSealed })
  } catch {
    return null
  }
}

/** `SECTION KEY`; without a key: from the beginning of the list. */
function readCursor(cursor: string): [number, string | null] {
  const space = cursor.indexOf(' ')
  const section = Math.min(Number(cursor.slice(0, space)), activitySection)
  return [section, cursor.slice(space + 1) || null]
}

async function beginning(ctx: Ctx): Promise<string> {
  const { user } = await getProfile(ctx)
  const head = {
    format: 'zonedeck-export',
    formatVersion: 1,
    version: ctx.version,
    exportedAt: new Date(ctx.clock.now()).toISOString(),
    profile: user,
  }
  return JSON.stringify(head).slice(0, -1)
}

/**
 * The same as a folder of CSV files, one per non-empty list.
 * @returns the files and their row counts
 * @throws Error if a file exists already or cannot be written
 */
export async function exportDataTo(ctx: Ctx, folder: string): Promise<{ readonly file: string; readonly rows: number }[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const written: { file: string; rows: number }[] = []
  const write = async (file: string, lines: AsyncIterable<string>) =>
    pipeline(Readable.from(lines), createWriteStream(join(folder, file), { mode: 0o600, flags: 'wx' }))
  for (const name of sectionNames) {
    const sums = { file: `${name}.csv`, rows: 0 }
    const first = await listOpened(ctx, name, null)
    if (first.length === 0) continue
    const lines = async function* () {
      yield byteOrderMark
      for (let rows = first; rows.length > 0; rows = await listOpened(ctx, name, rows.at(-1)?.key ?? null)) {
        const rest = rows.map(({ row }) => JSON.parse(row) as Record<string, unknown>)
        if (sums.rows === 0) yield csvLine(Object.keys(rest[0] ?? {}))
        for (const row of rest) yield csvLine(Object.values(row).map(asCell))
        sums.rows += rows.length
      }
    }
    await write(sums.file, lines())
    written.push(sums)
  }
  const activity = async function* () {
    for (let cursor: string | null = null; ;) {
      const { text, nextCursor }: { text: string; nextCursor: string | null } = await ownActivity(ctx, 'csv', cursor)
      yield text
      if (nextCursor === null) return
      cursor = nextCursor
    }
  }
  await write('activity-logs.csv', activity())
  return written
}

const asCell = (value: unknown): string | number | boolean | null =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : JSON.stringify(value)
