import type { ServerResponse } from 'node:http'

import type { FaultEffect } from './faults.ts'

export type SimulatorReply = {
  readonly status: number
  readonly contentType: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

export const gatewayPage = '<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head><body><h1>Bad gateway</h1></body></html>'

/** Sends a reply, modified by a fault. */
export function deliver(response: ServerResponse, reply: SimulatorReply, effect: FaultEffect | null): void {
  const headers = { 'content-type': reply.contentType, ...reply.headers }
  switch (effect?.kind) {
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    case 'timeout-after-write':
      setTimeout(() => response.socket?.destroy(), effect.holdMs ?? 120_000).unref()
      return
    case 'endless-body': {
      response.writeHead(200, headers)
      const more = () => {
        while (!response.destroyed && response.write(' '.repeat(65_536)));
      }
      response.on('drain', more)
      more()
      return
    }
    case 'error-after-write':
      response.writeHead(500, { 'content-type': 'text/html' }).end(gatewayPage.replace('502 Bad Gateway', '500 Internal Server Error'))
      return
    case 'cut-body':
      response.writeHead(reply.status, { ...headers, 'content-length': Buffer.byteLength(reply.body) })
      response.write(reply.body.slice(0, Math.floor(reply.body.length / 2)), () => response.socket?.destroy())
      return
    case 'malformed-json':
      response.writeHead(reply.status, headers).end(`${reply.body.slice(0, -3)}<html>`)
      return
    case 'unknown-fields':
      response.writeHead(reply.status, headers).end(JSON.stringify(withUnknownFields(JSON.parse(reply.body))))
      return
    case 'short-list':
      response.writeHead(reply.status, headers).end(JSON.stringify(withShortList(JSON.parse(reply.body), effect.share)))
      return
    default:
      response.writeHead(reply.status, headers).end(reply.body)
  }
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A page of a list that ends after `share` of it. */
function withShortList(envelope: unknown, share: number): unknown {
  if (!isObject(envelope) || !Array.isArray(envelope['result']) || !isObject(envelope['result_info'])) return envelope
  const info = envelope['result_info']
  const [page, perPage, total] = ['page', 'per_page', 'total_count'].map((name) => Number(info[name]))
  if (page === undefined || perPage === undefined || total === undefined) return envelope
  const kept = Math.floor(total * share)
  const result: unknown[] = envelope['result'].slice(0, Math.max(0, kept - (page - 1) * perPage))
  const counts = { count: result.length, total_count: kept, total_pages: Math.ceil(kept / perPage) }
  return { ...envelope, result, result_info: { ...info, ...counts } }
}

/** Adds an unknown field to every object of a response. */
function withUnknownFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnknownFields)
  if (!isObject(value)) return value
  const known = Object.entries(value).map(([name, entry]) => [name, withUnknownFields(entry)] as const)
  return { ...Object.fromEntries(known), new_field_2027: { beta: true, list: [1, null, 'x'] } }
}
