import { AppError } from '#shared/errors/app-error.ts'
import { commonPasswords } from './common-passwords.ts'

/** The known data of the future owner of the password. */
interface PasswordOwner {
  readonly email?: string | undefined
  readonly username?: string | undefined
  readonly name?: string | null | undefined
}

/** Whether it is a common password. */
export const isCommonPassword = (password: string): boolean => commonPasswords.has(password.toLowerCase())

/** Whether it consists only of the user's own email, username and name, with any separators. */
export function isOwnPassword(password: string, { email, username, name }: PasswordOwner): boolean {
  const words = (text: string | null | undefined) => (text ? [text, ...text.split(/[^\p{L}\p{N}]/u)] : [])
  const own = [...words(email), ...words(username), ...words(name)]
    .map((word) => word.toLowerCase())
    .filter((word) => word.length > 1)
    .toSorted((a, b) => b.length - a.length)
  const left = own.reduce((rest, word) => rest.replaceAll(word, ' '), password.toLowerCase())
  const hasLetter = /[\p{L}\p{N}]/u
  return hasLetter.test(password) && !hasLetter.test(left)
}

/** @throws AppError validation_failed if the password consists only of the user's own email, username and name */
export function refuseOwnPassword(password: string, owner: PasswordOwner): void {
  if (isOwnPassword(password, owner)) throw new AppError('validation_failed', { issues: [{ path: 'password', message: 'password_own' }] })
}
