import { expect, test } from 'vitest'
import { newPassword } from './schema.ts'
import { isOwnPassword, refuseOwnPassword } from './weak-password.ts'

const ann = { email: 'ann@shop.example', username: 'anna.p', name: 'Анна Petrova' }

test.each(['123456', 'PASSWORD', 'qwerty123', 'Пароль123', 'zonedeck'])('the common password %s is rejected', (password) => {
  expect(newPassword.safeParse(password).error?.issues).toMatchObject([{ message: 'password_common' }])
})

test.each(['secret1', 'correct horse', 'demo-panel', 'тайна!', 'x'.repeat(256)])('%s is allowed', (password) => {
  expect(newPassword.safeParse(password).success).toBe(true)
})

test.each(['ann@shop.example', 'ANN@SHOP.EXAMPLE', 'anna.p', 'АННА petrova', 'annaann', 'petrova!!!', 'shop.example'])(
  '%s, which consists only of the user’s own name and email, is recognized',
  (password) => expect(isOwnPassword(password, ann)).toBe(true),
)

test.each(['anna1987', 'petrova & co', '!!!!!!', 'correct horse', 'канна-анна'])(
  '%s contains more than the user’s own data',
  (password) => {
    expect(isOwnPassword(password, ann)).toBe(false)
  },
)

test('without user data no password is rejected', () => {
  expect(isOwnPassword('anything', {})).toBe(false)
  expect(isOwnPassword('anything', { email: 'a@b.c', name: null })).toBe(false)
})

test('a single letter of a name does not count as the user’s own data', () => {
  expect(isOwnPassword('abba', { email: 'a@b.example' })).toBe(false)
  expect(isOwnPassword('jj', { name: 'J J' })).toBe(false)
})

test('a removed part leaves a gap, so that the text around it does not form a name', () => {
  expect(isOwnPassword('anpetrovan', { username: 'petrov', name: 'Ann' })).toBe(false)
  expect(isOwnPassword('aannnn', { name: 'Ann' })).toBe(false)
})

test('a password made of the user’s own data is rejected as an issue of its field, and another one is accepted', () => {
  expect(() => refuseOwnPassword('Petrova', { name: 'Petrova' })).toThrow(
    expect.objectContaining({ code: 'validation_failed', issues: [{ path: 'password', message: 'password_own' }] }),
  )
  expect(() => refuseOwnPassword('petrova & co', { name: 'Petrova' })).not.toThrow()
})
