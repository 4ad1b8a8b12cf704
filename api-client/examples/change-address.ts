import { createInterface } from 'node:readline/promises'
import { createPanel, textOfCode, textOfWarning, ZonedeckError } from '@zonedeck/client'

/**
 * Moves every domain from one IP address to another: shows each record that would change, asks for confirmation, applies the changes and waits.
 * Usage: `node change-address.js OLD NEW`; `--yes` skips the confirmation.
 */
const [from, to] = process.argv.slice(2).filter((word) => word !== '--yes')
const agreed = process.argv.includes('--yes')

async function confirm(question: string): Promise<boolean> {
  if (agreed) return true
  if (!process.stdin.isTTY) {
    console.error(`${question} Cannot ask for confirmation without a terminal; use --yes.`)
    return false
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(`${question} [y/N] `)
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}

async function move(find: string, replace: string): Promise<void> {
  const panel = createPanel({ url: process.env['ZONEDECK_URL'] ?? 'http://127.0.0.1:3000', token: process.env['ZONEDECK_TOKEN'] ?? '' })

  // Nothing is sent to the provider yet: the plan is stored as a draft, and starting it runs exactly what was shown.
  const preview = await panel.operations.preview({
    // Edits only records with exactly this address; `ip` would also replace the other addresses of these domains.
    request: { kind: 'dns_replace', input: { find, replace, types: ['A', 'AAAA'] } },
    target: { address: find },
  })
  const { id, total } = preview.operation
  for await (const { displayName, state, code, plan } of panel.operations.items.all({ id })) {
    const records = (plan.before ?? []) as readonly { readonly type: string; readonly name: string }[]
    const change =
      state === 'skipped' ? `skipped: ${textOfCode(code ?? '')}` : records.map(({ type, name }) => `${type} ${name}`).join(', ')
    console.log(`${displayName.padEnd(40)} ${change}`)
  }
  console.log(`${total} domains, ${preview.calls} calls to the provider, about ${preview.seconds} s`)
  for (const [warning, count] of Object.entries(preview.dangers)) console.log(`Warning: ${textOfWarning(warning)} (${count} domains)`)

  if (!(await confirm(`Move ${total} domains from ${find} to ${replace}?`))) {
    await panel.operations.discard({ id })
    process.exitCode = 2
    return
  }
  await panel.operations.start({ id })
  const { operation, failures } = await panel.operations.wait(id, {
    onProgress: ({ done, failed }) => console.log(`${done + failed} of ${total}`),
  })
  for (const item of failures) console.log(`${item.domain}: ${textOfCode(item.code ?? '')} ${item.message ?? ''}`)
  console.log(`updated ${operation.done} of ${operation.total} domains`)
  if (operation.done < operation.total) process.exitCode = 1
}

try {
  if (from === undefined || to === undefined) {
    console.error('node change-address.js OLD NEW [--yes]')
    process.exitCode = 2
  } else await move(from, to)
} catch (error) {
  console.error(error instanceof ZonedeckError ? `${error.code}: ${error.message}` : error)
  process.exitCode = 1
}
