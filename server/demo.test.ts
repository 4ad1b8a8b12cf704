import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { demoUser } from '#server/demo-world.ts'
import { startProcess, temporaryFolder } from '#server/testing/process.ts'

test(
  'the demo says how to sign in, shows a world of accounts and domains, keeps its data apart, and starts again on it',
  { timeout: 180_000 },
  async () => {
    const folder = await temporaryFolder()
    onTestFinished(() => folder.remove())
    const data = join(folder.path, 'data')
    for (const _start of ['first', 'second']) {
      // A real database is none of the demo's business; who may register is.
      const demo = startProcess('demo.ts', { DATA_DIR: data, DATABASE_URL: 'postgres://real@127.0.0.1:1/real', REGISTRATION: 'closed' })
      onTestFinished(async () => {
        demo.kill('SIGTERM')
        await demo.ended
      })
      const address = await demo.address
      expect(demo.output()).toContain(`Sign in with ${demoUser.email} and the password ${demoUser.password}`)
      const login = await fetch(`${address}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: demoUser.email, password: demoUser.password }),
      })
      const { token, user } = (await login.json()) as { token: string; user: { role: string } }
      expect(user.role).toBe('admin')
      const get = async <T>(path: string) =>
        (await (await fetch(`${address}${path}`, { headers: { authorization: `Bearer ${token}` } })).json()) as T
      expect(await get('/api/auth/config')).toEqual({ registration: 'closed', firstUser: false })
      expect((await get<{ accounts: unknown[] }>('/api/accounts')).accounts).toHaveLength(12)
      const zones = async () => (await get<{ data: unknown[] }>('/api/zones/live')).data.length
      await expect.poll(zones, { timeout: 60_000, interval: 500 }).toBeGreaterThan(1500)
      demo.kill('SIGTERM')
      expect(await demo.ended).toBe(0)
    }
    await access(join(data, 'demo/postgres'))
    await expect(readFile(join(data, 'secret.key'))).rejects.toThrow('ENOENT')
  },
)
