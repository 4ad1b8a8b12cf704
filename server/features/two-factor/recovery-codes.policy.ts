import { randomInt } from 'node:crypto'

/** Without similar-looking characters: 31 letters and digits, so that twelve of them have 59 bits. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
const count = 10
const length = 12

const randomLetter = () => letters.charAt(randomInt(letters.length))

/** Ten codes such as `k3xw-9fpa-t2mq`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: count }, () => (Array.from({ length }, randomLetter).join('').match(/.{4}/g) ?? []).join('-'))

/** The hashed form: with the owner, and without separators. */
export const recoveryCodeText = (userId: string, code: string): string => `recovery:${userId}:${code.replaceAll('-', '')}`
