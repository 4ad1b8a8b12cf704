import { expect, test } from 'vitest'
import { recoveryCode } from '#shared/features/two-factor/schema.ts'
import { newRecoveryCodes, recoveryCodeText } from './recovery-codes.policy.ts'

test('ten unique codes are created and accepted in any notation', () => {
  const codes = newRecoveryCodes()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) {
    expect(code).toMatch(/^[a-hj-km-np-z2-9]{4}-[a-hj-km-np-z2-9]{4}-[a-hj-km-np-z2-9]{4}$/)
    for (const typed of [code, code.toUpperCase(), ` ${code.replaceAll('-', ' ')} `, code.replaceAll('-', '')]) {
      expect(recoveryCodeText('u', recoveryCode.parse(typed))).toBe(recoveryCodeText('u', code))
    }
  }
})

test('a code is valid only for its person, and its hash differs from all other hashes', () => {
  expect(recoveryCodeText('ann', 'k3xw-9fpa-t2mq')).toBe('recovery:ann:k3xw9fpat2mq')
})
