import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'

test('the command prints one NAME=URL line, serves, and ends on SIGTERM', async () => {
  const child = spawn(process.execPath, ['server/simulators/main.ts', '--zones', '30', '--accounts', '2'], {
    env: { ...process.env, SIMULATORS_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const url =
      /^CLOUDFLARE_BASE_URL=(http:\/\/127\.0\.0\.1:\d+\/client\/v4)\nDNS_SERVERS=127\.0\.0\.1:\d+\n(?:[A-Z]+_BASE_URL=http:\/\/127\.0\.0\.1:\d+\S*\n){5}$/.exec(
        line.toString(),
      )?.[1]
    const credentials = (await (await fetch(new URL('/__simulator/credentials', url))).json()) as { email: string; globalKey: string }[]
    const [first] = credentials
    const headers = { 'x-auth-email': first?.email ?? '', 'x-auth-key': first?.globalKey ?? '' }
    expect((await fetch(`${url ?? ''}/zones`, { headers })).status).toBe(200)
  } finally {
    child.kill('SIGTERM')
  }
  expect(await once(child, 'exit')).toEqual([0, null])
})
