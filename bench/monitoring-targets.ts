import { createServer } from 'node:https'
import { createServer as createHttpServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { startDnsSimulator } from '#server/simulators/dns.ts'
import { createAuthority } from '#server/simulators/targets/authority.ts'

/** Serves healthy sites for `*.bench.example` and every other host, with one certificate, as a separate process that reports its address. */
const dayMs = 86_400_000
const authority = createAuthority(Date.now())
const dns = await startDnsSimulator(() => ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'], { addresses: () => ['104.16.1.1'] })
const certificate = authority.issue({
  names: ['*.bench.example'],
  notBefore: new Date(Date.now() - dayMs),
  notAfter: new Date(Date.now() + 80 * dayMs),
})
const answer = (_: IncomingMessage, response: ServerResponse) => response.end('<!doctype html><title>A site</title>')
const servers = [createHttpServer(answer), createServer(certificate, answer)]
for (const server of servers) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
}
const [http, https] = servers.map((server) => (server.address() as AddressInfo).port)
const where = new URLSearchParams({
  dns: dns.address,
  via: `127.0.0.1:${http}/${https}`,
  root: Buffer.from(authority.root).toString('base64url'),
})
process.stdout.write(`http://127.0.0.1:${http}/?${where.toString()}\n`)
process.once('SIGTERM', () => process.exit(0))
