import type { ServerResponse } from 'node:http'

import type { FaultEffect } from './faults.ts'

export type VendorReply = {
  readonly status: number
  readonly contentType: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

export const gatewayPage = '<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head><body><h1>Bad gateway</h1></body></html>'

/** Sends a reply, or what a fault makes of it. */
export function deliver(response: ServerResponse, reply: VendorReply, effect: FaultEffect | null): void {
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
    default:
      response.writeHead(reply.status, headers).end(reply.body)
  }
}
