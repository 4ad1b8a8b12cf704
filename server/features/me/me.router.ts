import { z } from 'zod'
import { enrolmentProcedure, sessionProcedure, t, userProcedure } from '#server/transports/trpc/trpc.ts'
import { layoutsAnswer, saveLayoutInput } from '#shared/features/me/layout.ts'
import {
  changePasswordInput,
  endOtherSessionsInput,
  exportDataInput,
  exportDataOutput,
  passwordChanged,
  profileAnswer,
  session,
  sessionIdInput,
  sessionsEnded,
  updateProfileInput,
} from '#shared/features/me/schema.ts'
import { changePassword } from './change-password.ts'
import { endOtherSessions, endSession } from './end-sessions.ts'
import { exportData } from './export-data.ts'
import { getProfile } from './get-profile.ts'
import { listMySessions } from './list-my-sessions.ts'
import { getLayouts, saveLayout } from './table-layouts.ts'
import { updateProfile } from './update-profile.ts'

const tags = ['Sign-in']

export const meRouter = t.router({
  get: enrolmentProcedure.output(profileAnswer).query(({ ctx }) => getProfile(ctx)),
  update: enrolmentProcedure
    .meta({
      openapi: { method: 'PATCH', path: '/auth/me', tags, summary: 'Update your profile', description: 'Absent fields stay unchanged.' },
    })
    .input(updateProfileInput)
    .output(profileAnswer)
    .mutation(({ ctx, input }) => updateProfile(ctx, input)),
  layouts: sessionProcedure.output(layoutsAnswer).query(({ ctx }) => getLayouts(ctx)),
  saveLayout: sessionProcedure
    .input(saveLayoutInput)
    .output(z.void())
    .mutation(({ ctx, input }) => saveLayout(ctx, input)),
  changePassword: enrolmentProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/auth/password',
        tags,
        summary: 'Change your password',
        description: 'Ends every session and the calendar feed. The response contains the token of a new session.',
      },
    })
    .input(changePasswordInput)
    .output(passwordChanged)
    .mutation(({ ctx, input }) => changePassword(ctx, input)),
  sessions: enrolmentProcedure
    .meta({ openapi: { method: 'GET', path: '/auth/sessions', tags, summary: 'List your sessions' } })
    .output(z.object({ sessions: z.array(session) }))
    .query(({ ctx }) => listMySessions(ctx)),
  endSession: enrolmentProcedure
    .meta({ openapi: { method: 'DELETE', path: '/auth/sessions/{id}', tags, summary: 'Sign out a session' }, rest: { status: 204 } })
    .input(sessionIdInput)
    .output(z.void())
    .mutation(({ ctx, input }) => endSession(ctx, input)),
  endOtherSessions: enrolmentProcedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/auth/sessions',
        tags,
        summary: 'Sign out all other sessions',
        description: 'The calendar feed ends too and, with `revokeTokens`, all API tokens.',
      },
    })
    .input(endOtherSessionsInput)
    .output(sessionsEnded)
    .mutation(({ ctx, input }) => endOtherSessions(ctx, input)),
  export: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/me/export',
        tags,
        summary: 'Export your data as a JSON file',
        description:
          'Profile, accounts, groups, domains with settings, history and records, registrars, contacts, purchases, trackers, monitoring, operations, shares, sign-ins, and your activity log.',
      },
      rest: { file: true },
    })
    .input(exportDataInput)
    .output(exportDataOutput)
    .query(({ ctx, input }) => exportData(ctx, input)),
})
