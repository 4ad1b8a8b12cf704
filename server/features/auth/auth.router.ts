import { z } from 'zod'
import { askConfirmation, confirm } from '#server/features/auth/confirm.ts'
import { getAuthConfig, getMe } from '#server/features/auth/get-me.ts'
import { login } from '#server/features/auth/login.ts'
import { logout } from '#server/features/auth/open-session.ts'
import { register } from '#server/features/auth/register.ts'
import { askForPasskey, signInByPasskey, signInBySecondFactor } from '#server/features/auth/sign-in-by-factor.ts'
import { enrolmentProcedure, publicProcedure, signedInProcedure, t } from '#server/transports/trpc/trpc.ts'
import {
  authConfig,
  confirmationAsked,
  confirmFields,
  confirmInput,
  loginAnswer,
  loginInput,
  me,
  registerInput,
  signedIn,
} from '#shared/features/auth/schema.ts'
import { passkeyAsked, passkeyInput, secondFactorFields, secondFactorInput } from '#shared/features/two-factor/schema.ts'

const tags = ['Sign-in']

export const authRouter = t.router({
  config: publicProcedure
    .meta({ openapi: { method: 'GET', path: '/auth/config', tags, protect: false, summary: 'Get the registration mode' } })
    .output(authConfig)
    .query(({ ctx }) => getAuthConfig(ctx)),
  register: publicProcedure
    .meta({ openapi: { method: 'POST', path: '/auth/register', tags, protect: false, summary: 'Register a user and sign in' } })
    .input(registerInput)
    .output(signedIn)
    .mutation(({ ctx, input }) => register(ctx, input)),
  login: publicProcedure
    .meta({ openapi: { method: 'POST', path: '/auth/login', tags, protect: false, summary: 'Sign in with email and password' } })
    .input(loginInput)
    .output(loginAnswer)
    .mutation(({ ctx, input }) => login(ctx, input)),
  secondFactor: publicProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/auth/second-factor',
        tags,
        protect: false,
        summary: 'Complete sign-in with a second factor',
        description: 'Use it when the sign-in response contains `secondFactor`.',
      },
    })
    .input(secondFactorFields)
    .output(signedIn)
    .mutation(({ ctx, input }) => signInBySecondFactor(ctx, secondFactorInput.parse(input))),
  askForPasskey: publicProcedure.output(passkeyAsked).mutation(({ ctx }) => askForPasskey(ctx)),
  signInByPasskey: publicProcedure
    .input(passkeyInput)
    .output(signedIn)
    .mutation(({ ctx, input }) => signInByPasskey(ctx, input)),
  askConfirmation: enrolmentProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/auth/confirmation',
        tags,
        summary: 'Start step-up authentication',
        description: 'Use it when a call fails with `confirmation_needed`. Returns the available methods; null means the password.',
      },
    })
    .output(confirmationAsked)
    .mutation(({ ctx }) => askConfirmation(ctx)),
  confirm: enrolmentProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/auth/confirm',
        tags,
        summary: 'Complete step-up authentication',
        description: 'The confirmation is valid for ten minutes.',
      },
    })
    .input(confirmFields)
    .output(z.object({ success: z.literal(true) }))
    .mutation(({ ctx, input }) => confirm(ctx, confirmInput.parse(input))),
  logout: enrolmentProcedure
    .meta({ openapi: { method: 'POST', path: '/auth/logout', tags, summary: 'Sign out and invalidate the token' } })
    .output(z.object({ success: z.literal(true) }))
    .mutation(({ ctx }) => logout(ctx)),
  me: signedInProcedure
    .meta({ openapi: { method: 'GET', path: '/auth/me', tags, summary: 'Get the signed-in user' } })
    .output(me)
    .query(({ ctx }) => getMe(ctx)),
})
