import { expect, test } from 'vitest'
import { isGroup, nextAllowed } from './pace.policy.ts'

const idle = { sentAt: [], blockedUntil: null }

test('R-MON-04 a chat gets about one message a second, after any wait that Telegram requested for the chat or the bot', () => {
  expect(nextAllowed(idle, idle, false)).toBe(0)
  expect(nextAllowed({ sentAt: [1_000, 5_000], blockedUntil: null }, idle, true)).toBe(6_050)
  expect(nextAllowed({ sentAt: [5_000], blockedUntil: 90_000 }, { sentAt: [], blockedUntil: 70_000 }, false)).toBe(90_000)
  expect(nextAllowed({ sentAt: [5_000], blockedUntil: 70_000 }, { sentAt: [], blockedUntil: 90_000 }, false)).toBe(90_000)
})

test('R-MON-04 a group gets twenty messages a minute; a channel with a public name is as strict', () => {
  const nineteen = Array.from({ length: 19 }, (_, at) => at * 1_100)
  const twenty = [...nineteen, 19 * 1_100]
  expect(nextAllowed({ sentAt: nineteen, blockedUntil: null }, idle, true)).toBe(18 * 1_100 + 1_050)
  expect(nextAllowed({ sentAt: twenty, blockedUntil: null }, idle, true)).toBe(60_500)
  expect(nextAllowed({ sentAt: [-1, ...twenty], blockedUntil: null }, idle, true)).toBe(60_500)
  expect(nextAllowed({ sentAt: twenty, blockedUntil: null }, idle, false)).toBe(19 * 1_100 + 1_050)
  expect(['-100', '@news', '100', ' -1'].map(isGroup)).toEqual([true, true, false, false])
})
