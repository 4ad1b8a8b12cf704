import type { ServerResponse } from 'node:http'

import type { FaultEffect } from '../faults.ts'
import { isObject } from './call.ts'
import { CloudflareError, errorReply, refuse } from './reply.ts'
import type { Reply } from './reply.ts'

const HOLD_MS = 120_000
const HTML_ERROR =
  '<!DOCTYPE html>\n<html><head><title>api.cloudflare.com | 502: Bad gateway</title></head><body><h1>Bad gateway</h1><p>Error code 502</p></body></html>'

/** The answer of a fault that stops the request before it does anything; null for faults that only spoil the answer. */
export function refusalOf(effect: FaultEffect, withToken: boolean): Reply | null {
  switch (effect.kind) {
    case 'rate-limited': {
      const headers: Record<string, string> =
        effect.retryAfterSeconds === undefined ? {} : { 'retry-after': String(effect.retryAfterSeconds) }
      return errorReply(new CloudflareError(429, [{ code: 10429, message: 'Rate limited. Please wait and retry later.' }], headers))
    }
    case 'server-error': {
      const status = effect.status ?? 502
      if (effect.body === 'html') return { status, body: HTML_ERROR, contentType: 'text/html; charset=UTF-8' }
      return errorReply(refuse(status, 10000 + status, 'Internal server error'))
    }
    case 'forbidden':
      return errorReply(refuse(403, 10000, 'Authentication error'))
    case 'revoked-key':
      return errorReply(withToken ? refuse(403, 9109, 'Invalid access token') : refuse(403, 9103, 'Unknown X-Auth-Key or X-Auth-Email'))
    case 'success-false':
      return { ...errorReply(refuse(500, 1000, 'The request could not be carried out')), status: 200 }
    case 'reset':
      return { status: 500, body: '', contentType: 'text/plain' }
    default:
      return null
  }
}

export function send(response: ServerResponse, reply: Reply, headers: Readonly<Record<string, string>>): void {
  response.writeHead(reply.status, { 'Content-Type': reply.contentType, ...headers, ...reply.headers })
  response.end(Buffer.from(reply.body))
}

/** Sends the answer as the fault would have it. */
export function spoil(effect: FaultEffect, response: ServerResponse, reply: Reply, headers: Readonly<Record<string, string>>): void {
  switch (effect.kind) {
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    case 'timeout-after-write':
      setTimeout(() => response.socket?.destroy(), effect.holdMs ?? HOLD_MS).unref()
      return
    case 'cut-body': {
      const body = Buffer.from(reply.body)
      response.writeHead(reply.status, { 'Content-Type': reply.contentType, 'Content-Length': body.length, ...headers })
      response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.socket?.destroy())
      return
    }
    case 'malformed-json':
      send(response, { ...reply, body: `${reply.body.slice(0, -3)}<html>` }, headers)
      return
    case 'unknown-fields':
      send(response, { ...reply, body: JSON.stringify(withUnknownFields(JSON.parse(reply.body))) }, headers)
      return
    case 'short-list':
      send(response, { ...reply, body: JSON.stringify(withShortList(JSON.parse(reply.body), effect.share)) }, headers)
      return
    default:
      send(response, reply, headers)
  }
}

/** A page of a list as it is where the list ends after `share` of it. */
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

/** Adds a field nobody knows to every object of an answer. */
function withUnknownFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnknownFields)
  if (!isObject(value)) return value
  const known = Object.entries(value).map(([name, entry]) => [name, withUnknownFields(entry)] as const)
  return { ...Object.fromEntries(known), new_field_2027: { beta: true, list: [1, null, 'x'] } }
}
