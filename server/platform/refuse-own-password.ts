import { AppError } from '#shared/errors/app-error.ts'
import { isOwnPassword } from '#shared/features/auth/worthless-password.ts'
import type { PasswordOwner } from '#shared/features/auth/worthless-password.ts'

/** @throws AppError validation_failed where the password is nothing but the person's own email, username and name */
export function refuseOwnPassword(password: string, owner: PasswordOwner): void {
  if (isOwnPassword(password, owner)) throw new AppError('validation_failed', { issues: [{ path: 'password', message: 'password_own' }] })
}
