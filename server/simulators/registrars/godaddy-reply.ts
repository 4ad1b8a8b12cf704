import type { VendorReply } from '../serve.ts'
import type { MarketName } from './market.ts'

export const serversOf = (held: MarketName): readonly string[] =>
  held.nameServers.length === 0 ? ['ns01.domaincontrol.com', 'ns02.domaincontrol.com'] : held.nameServers
export const stamp = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, '.000Z')

/** v1 calls an error's name `code`, v3 `name`. */
export const failure = (v3: boolean, status: number, name: string, message: string): VendorReply =>
  json(status, v3 ? { name, correlationId: '9f1c2e7a-4b3d-4e8f-a1c2-3d4e5f6a7b8c', message } : { code: name, message })
export const notFound = (v3: boolean, name: string) =>
  failure(v3, 404, 'UNKNOWN_DOMAIN', `The given domain (${name}) is not registered, or does not have a zone file`)

export const json = (status: number, content: unknown): VendorReply => ({
  status,
  contentType: 'application/json',
  body: JSON.stringify(content),
})

export function parse(body: string): unknown {
  try {
    return JSON.parse(body) as unknown
  } catch {
    return {}
  }
}
