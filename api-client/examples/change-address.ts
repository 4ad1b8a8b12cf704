import { createPanel, ZonedeckError } from '@zonedeck/client'

/** Moves every domain from one address to another: looks first, then does it and waits. `node change-address.ts OLD NEW` */
const [from = '', to = ''] = process.argv.slice(2)
const panel = createPanel({ url: process.env['ZONEDECK_URL'] ?? 'http://127.0.0.1:3000', token: process.env['ZONEDECK_TOKEN'] ?? '' })

try {
  const ids: string[] = []
  for await (const domain of panel.domains.all({ filter: { ip: from } })) {
    console.log(`${domain.displayName.padEnd(40)} ${domain.originIPs.join(', ')}`)
    ids.push(domain.id)
  }
  if (ids.length === 0) throw new Error(`no domain leads to ${from}`)

  // Nothing is sent: the plan is kept as a draft, and what it shows is what will run.
  const preview = await panel.operations.preview({
    request: { kind: 'ip', input: { ipAddress: to, mode: 'replace' } },
    target: { ids },
  })
  console.log(`${preview.operation.total} domains would change with ${preview.calls} calls in about ${preview.seconds} s`)
  for (const [danger, count] of Object.entries(preview.dangers)) console.log(`careful: ${danger} (${count})`)

  await panel.operations.start({ id: preview.operation.id })
  const { operation, failures } = await panel.operations.wait(preview.operation.id, {
    onProgress: ({ done, failed, total }) => console.log(`${done + failed} of ${total}`),
  })
  for (const item of failures) console.log(`${item.domain}: ${item.code} ${item.message ?? ''}`)
  console.log(`updated ${operation.done} of ${operation.total} domains`)
} catch (error) {
  console.error(error instanceof ZonedeckError ? `${error.code}: ${error.message}` : error)
  process.exitCode = 1
}
