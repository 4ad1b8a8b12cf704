import { z } from 'zod'
import { adminProcedure, enrolmentProcedure, t } from '#server/transports/trpc/trpc.ts'
import {
  addPasskeyInput,
  confirmTotpInput,
  passkeyIdInput,
  passkeyStarted,
  factorAdded,
  recoveryCodesRenewed,
  totpStarted,
  twoFactor,
  userIdInput,
} from '#shared/features/two-factor/schema.ts'
import { addPasskey, startPasskey } from './add-passkey.ts'
import { getTwoFactor } from './get-two-factor.ts'
import { renewRecoveryCodes } from './recovery-codes.ts'
import { removePasskey, removeTotp } from './remove-factor.ts'
import { resetTwoFactorOf } from './reset-two-factor.ts'
import { confirmTotp, startTotp } from './set-up-totp.ts'

const done = z.object({ success: z.literal(true) })

/** The caller's own second factors; not accessible to tokens. */
export const twoFactorRouter = t.router({
  get: enrolmentProcedure.output(twoFactor).query(({ ctx }) => getTwoFactor(ctx)),
  startTotp: enrolmentProcedure.output(totpStarted).mutation(({ ctx }) => startTotp(ctx)),
  confirmTotp: enrolmentProcedure
    .input(confirmTotpInput)
    .output(factorAdded)
    .mutation(({ ctx, input }) => confirmTotp(ctx, input)),
  removeTotp: enrolmentProcedure.output(done).mutation(({ ctx }) => removeTotp(ctx)),
  startPasskey: enrolmentProcedure.output(passkeyStarted).mutation(({ ctx }) => startPasskey(ctx)),
  addPasskey: enrolmentProcedure
    .input(addPasskeyInput)
    .output(factorAdded)
    .mutation(({ ctx, input }) => addPasskey(ctx, input)),
  removePasskey: enrolmentProcedure
    .input(passkeyIdInput)
    .output(done)
    .mutation(({ ctx, input }) => removePasskey(ctx, input.id)),
  renewRecoveryCodes: enrolmentProcedure.output(recoveryCodesRenewed).mutation(({ ctx }) => renewRecoveryCodes(ctx)),
  /** For administrators: resets the factors of a person who lost them. */
  reset: adminProcedure
    .input(userIdInput)
    .output(done)
    .mutation(({ ctx, input }) => resetTwoFactorOf(ctx, input)),
})
