import { stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from '#server/platform/passwords.ts'

test('R-AUT-06 a password matches only its own hash, in full length and any script', async () => {
  for (const plain of ['secret1', 'пароль 🔑 и ещё', 'x'.repeat(256)]) {
    const stored = await hashPassword(plain)
    expect(await verifyPassword(stored, plain)).toBe(true)
    expect(await verifyPassword(stored, plain.slice(0, -1))).toBe(false)
  }
})

test('the hash of an unknown user matches no password', async () => {
  expect(await verifyPassword(null, 'x')).toBe(false)
})

test('R-AUT-06 a burst of sign-ins is queued, and other work of the process still gets a thread', async () => {
  let done = 0
  const burst = Array.from({ length: 40 }, async () => {
    await hashPassword('burst')
    done += 1
  })
  await stat('.')
  expect(done).toBeLessThan(10)
  await Promise.all(burst)
})

test('R-AUT-06 one caller with many passwords does not delay others: callers take turns', async () => {
  const done: string[] = []
  const check = (caller: string) => verifyPassword(null, 'x', caller).then(() => done.push(caller))
  await Promise.all([...Array.from({ length: 30 }, () => check('203.0.113.1')), check('203.0.113.2')])
  expect(done.indexOf('203.0.113.2')).toBeLessThan(10)
})
