import { z } from 'zod'
import { getAuthConfig } from '#server/features/auth/get-auth-config.ts'
import { getMe } from '#server/features/auth/get-me.ts'
import { login } from '#server/features/auth/login.ts'
import { logout } from '#server/features/auth/logout.ts'
import { register } from '#server/features/auth/register.ts'
import { enrolmentProcedure, publicProcedure, signedInProcedure, t } from '#server/transports/trpc/trpc.ts'
import { authConfig, loginInput, me, registerInput, signedIn } from '#shared/features/auth/schema.ts'

const tags = ['Sign-in']

export const authRouter = t.router({
  config: publicProcedure
    .meta({ openapi: { method: 'GET', path: '/auth/config', tags, protect: false, summary: 'Whether people may register' } })
    .output(authConfig)
    .query(({ ctx }) => getAuthConfig(ctx)),
  register: publicProcedure
    .meta({ openapi: { method: 'POST', path: '/auth/register', tags, protect: false, summary: 'Register and sign in' } })
    .input(registerInput)
    .output(signedIn)
    .mutation(({ ctx, input }) => register(ctx, input)),
  login: publicProcedure
    .meta({ openapi: { method: 'POST', path: '/auth/login', tags, protect: false, summary: 'Sign in' } })
    .input(loginInput)
    .output(signedIn)
    .mutation(({ ctx, input }) => login(ctx, input)),
  logout: enrolmentProcedure
    .meta({ openapi: { method: 'POST', path: '/auth/logout', tags, summary: 'Sign out: the token ends' } })
    .output(z.object({ success: z.literal(true) }))
    .mutation(({ ctx }) => logout(ctx)),
  me: signedInProcedure
    .meta({ openapi: { method: 'GET', path: '/auth/me', tags, summary: 'Who is signed in' } })
    .output(me)
    .query(({ ctx }) => getMe(ctx)),
})
