import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { readEnv } from '#server/config/env.ts'

const simulated = [
  ...['CLOUDFLARE', 'NAMECHEAP', 'GODADDY', 'PORKBUN', 'REGRU', 'TELEGRAM', 'GLOBALPING'].map((name) => `${name}_BASE_URL`),
  ...['KEITARO', 'BINOM'].flatMap((name) => [`${name}_URL`, `${name}_API_KEY`]),
  'RDAP_BOOTSTRAP_URL',
  'DNS_SERVERS',
  'CHECK_VIA',
  'CHECK_ROOTS',
  'OUTBOUND_ALLOW',
]

test('the command prints one NAME=URL line, serves, and stops on SIGTERM', async () => {
  const child = spawn(process.execPath, ['server/entrypoints/simulators.ts', '--zones', '30', '--accounts', '2'], {
    env: { ...process.env, SIMULATORS_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const variables = new Map(
      line
        .toString()
        .trimEnd()
        .split('\n')
        .map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]),
    )
    expect([...variables.keys()].toSorted()).toEqual(simulated.toSorted())
    const env = readEnv(Object.fromEntries(variables))
    const url = env.CLOUDFLARE_BASE_URL
    expect(await readFile(env.CHECK_ROOTS ?? '', 'utf8')).toContain('BEGIN CERTIFICATE')
    const credentials = (await (await fetch(new URL('/__simulator/credentials', url))).json()) as { email: string; globalKey: string }[]
    const [first] = credentials
    const headers = { 'x-auth-email': first?.email ?? '', 'x-auth-key': first?.globalKey ?? '' }
    expect((await fetch(`${url}/zones`, { headers })).status).toBe(200)
  } finally {
    child.kill('SIGTERM')
  }
  expect(await once(child, 'exit')).toEqual([0, null])
})
