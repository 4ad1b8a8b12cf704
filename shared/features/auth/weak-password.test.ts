import { expect, test } from 'vitest'
import { newPassword } from './schema.ts'
import { isOwnPassword, refuseOwnPassword } from './weak-password.ts'

const ann = { email: 'ann@shop.example', username: 'anna.p', name: 'Анна Petrova' }

test.each(['123456', 'PASSWORD', 'qwerty123', 'Пароль123', 'zonedeck'])('%s, which everybody tries first, is no password', (password) => {
  expect(newPassword.safeParse(password).error?.issues).toMatchObject([{ message: 'password_common' }])
})

test.each(['secret1', 'correct horse', 'demo-panel', 'тайна!', 'x'.repeat(256)])('%s is allowed', (password) => {
  expect(newPassword.safeParse(password).success).toBe(true)
})

test.each(['ann@shop.example', 'ANN@SHOP.EXAMPLE', 'anna.p', 'АННА petrova', 'annaann', 'petrova!!!', 'shop.example'])(
  '%s, which is nothing but the person’s own name and email, is recognized',
  (password) => expect(isOwnPassword(password, ann)).toBe(true),
)

test.each(['anna1987', 'petrova & co', '!!!!!!', 'correct horse', 'канна-анна'])('%s has more in it', (password) => {
  expect(isOwnPassword(password, ann)).toBe(false)
})

test('of a person of whom nothing is known nothing is refused', () => {
  expect(isOwnPassword('anything', {})).toBe(false)
  expect(isOwnPassword('anything', { email: 'a@b.c', name: null })).toBe(false)
})

test('a single letter of a name is nobody’s own: what is made of such letters is another word', () => {
  expect(isOwnPassword('abba', { email: 'a@b.example' })).toBe(false)
  expect(isOwnPassword('jj', { name: 'J J' })).toBe(false)
})

test('what is taken out leaves a gap, so that its neighbours make up no name', () => {
  expect(isOwnPassword('anpetrovan', { username: 'petrov', name: 'Ann' })).toBe(false)
  expect(isOwnPassword('aannnn', { name: 'Ann' })).toBe(false)
})

test('a person’s own password is refused with the field it is in, and another one is not', () => {
  expect(() => refuseOwnPassword('Petrova', { name: 'Petrova' })).toThrow(
    expect.objectContaining({ code: 'validation_failed', issues: [{ path: 'password', message: 'password_own' }] }),
  )
  expect(() => refuseOwnPassword('petrova & co', { name: 'Petrova' })).not.toThrow()
})
