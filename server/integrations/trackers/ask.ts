import type { z } from 'zod'
import type { HttpRequest } from '#server/integrations/http/http-client.ts'
import type { ProviderClient } from '#server/integrations/http/provider-client.ts'
import type { TrackerCall } from '#server/ports/ad-tracker.ts'
import { readAnswer } from './read-answer.ts'
import type { TrackerEvidence } from './read-answer.ts'

/**
 * Sends and reads JSON. `:id` in the path is replaced by `id`; only reads are retried.
 * @throws AppError tracker_*
 */
export type Ask = <S extends z.ZodType>(
  method: HttpRequest['method'],
  path: string,
  schema: S,
  call: TrackerCall,
  about?: { readonly id?: string; readonly body?: object },
) => Promise<z.output<S>>

export interface TrackerClient {
  readonly client: ProviderClient
  /** Only public servers can be queried. */
  readonly isPublic: boolean
}

/** @param keyHeader header with the key, as required by this kind of tracker */
export function createAsk({ client, isPublic }: TrackerClient, root: string, keyHeader: Readonly<Record<string, string>>): Ask {
  const evidence: TrackerEvidence = { isTracker: false, isPublic }
  return (method, path, schema, call, { id, body } = {}) => {
    const url = root + (id === undefined ? path : path.replace(':id', encodeURIComponent(id)))
    return client.call(
      {
        method,
        url,
        template: path,
        headers: { ...keyHeader, accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        repeat: method === 'GET' ? 'read' : 'once',
      },
      call,
      (answer) => readAnswer(answer, schema, { url, byId: id !== undefined, evidence }),
    )
  }
}
