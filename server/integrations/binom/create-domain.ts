import { randomUUID } from 'node:crypto'
import { AppError } from '#shared/errors/app-error.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'
import type { Ask } from '#server/integrations/trackers/ask.ts'
import type { TrackerCall } from '#server/ports/ad-tracker.ts'
import { anything } from './wire.ts'

/** This tracker has no such call. */
const missing = new Set<ErrorCode>(['tracker_not_found', 'tracker_unable', 'tracker_not_one'])

/**
 * Adds a domain in one of the two reported ways; neither is documented publicly, only in each tracker's own reference.
 * @param base the tracker's URL
 * @returns the tracker's response
 * @throws AppError tracker_unable if it supports neither, with the URL of its reference
 */
export async function createDomain(name: string, base: string, ask: Ask, call: TrackerCall): Promise<unknown> {
  const body = { host: name }
  try {
    return await ask('POST', '/domain/:id', anything, call, { id: randomUUID(), body })
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  try {
    return await ask('POST', '/domain', anything, call, { body })
  } catch (error) {
    if (!isMissing(error)) throw error
    const { code, message = '' } = error.provider ?? {}
    throw new AppError('tracker_unable', {
      provider: { ...(code !== undefined && { code }), message: `POST /domain: ${message} (${base}/api/doc)` },
      cause: error,
    })
  }
}

const isMissing = (error: unknown): error is AppError => error instanceof AppError && missing.has(error.code)
