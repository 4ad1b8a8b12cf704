import { expect, test } from 'vitest'
import { base32, findTotpStep, totpCode, totpUri } from './totp.policy.ts'

const secret = Buffer.from('12345678901234567890')

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('codes are those of RFC 6238, appendix B: at %i s %s', (seconds, code) => {
  expect(totpCode(secret, Math.floor(seconds / 30))).toBe(code)
  expect(findTotpStep(secret, code, seconds * 1000)).toBe(Math.floor(seconds / 30))
})

test('a clock one step off is accepted, two steps off is not', () => {
  const step = 60_000_000
  const now = step * 30_000
  const found = [-2, -1, 0, 1, 2].map((off) => findTotpStep(secret, totpCode(secret, step + off), now))
  expect(found).toEqual([null, step - 1, step, step + 1, null])
  for (const wrong of ['', '12345', '1234567', 'abcdef']) expect(findTotpStep(secret, wrong, now)).toBeNull()
})

test('secrets are encoded according to RFC 4648, and the address for apps contains the user', () => {
  expect(base32(Buffer.from('foobar'))).toBe('MZXW6YTBOI')
  expect(base32(Buffer.from('fooba'))).toBe('MZXW6YTB')
  expect(totpUri(secret, 'a&b@example.com')).toBe(
    'otpauth://totp/Zonedeck:a%26b%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Zonedeck',
  )
})
