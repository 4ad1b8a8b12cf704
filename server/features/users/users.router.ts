import { z } from 'zod'
import { adminProcedure, publicProcedure, t } from '#server/transports/trpc/trpc.ts'
import {
  checkResetLinkInput,
  createUserInput,
  disabling,
  listUsersInput,
  managedUser,
  resetByLinkInput,
  resetLink,
  signOutUserInput,
  updateUserInput,
  userAnswer,
  userIdInput,
  userIds,
  usersDeletion,
} from '#shared/features/users/schema.ts'
import { createUser } from './create-user.ts'
import { getUser, listUsers } from './list-users.ts'
import { previewDeletion, removeUsers } from './remove-users.ts'
import { checkResetLink, createResetLink, resetByLink } from './reset-link.ts'
import { disableUser, enableUser, previewDisabling } from './disable-user.ts'
import { signOutUser } from './sign-out-user.ts'
import { updateUser } from './update-user.ts'

const tags = ['Users']

export const usersRouter = t.router({
  list: adminProcedure
    .meta({ openapi: { method: 'GET', path: '/users', tags, summary: 'Everybody, or those whose name or email holds a text' } })
    .input(listUsersInput)
    .output(z.object({ users: z.array(managedUser) }))
    .query(({ ctx, input }) => listUsers(ctx, input)),
  get: adminProcedure
    .meta({ openapi: { method: 'GET', path: '/users/{id}', tags, summary: 'One user' } })
    .input(userIdInput)
    .output(userAnswer)
    .query(({ ctx, input }) => getUser(ctx, input)),
  create: adminProcedure
    .meta({ openapi: { method: 'POST', path: '/users', tags, summary: 'Create a user' }, rest: { status: 201 } })
    .input(createUserInput)
    .output(userAnswer)
    .mutation(({ ctx, input }) => createUser(ctx, input)),
  update: adminProcedure
    .meta({
      openapi: { method: 'PATCH', path: '/users/{id}', tags, summary: 'Change a user; absent is unchanged, and so is an empty password' },
    })
    .input(updateUserInput)
    .output(userAnswer)
    .mutation(({ ctx, input }) => updateUser(ctx, input)),
  createResetLink: adminProcedure
    .meta({
      openapi: { method: 'POST', path: '/users/{id}/reset-link', tags, summary: 'A link that sets another password, once, within a day' },
      rest: { status: 201 },
    })
    .input(userIdInput)
    .output(resetLink)
    .mutation(({ ctx, input }) => createResetLink(ctx, input)),
  // No query: those may stand in addresses, which logs keep.
  checkResetLink: publicProcedure
    .input(checkResetLinkInput)
    .output(z.object({ works: z.boolean() }))
    .mutation(({ ctx, input }) => checkResetLink(ctx, input)),
  resetByLink: publicProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/auth/reset-password',
        tags,
        protect: false,
        summary: 'Set another password with such a link; with `revokeTokens` API tokens end too',
      },
    })
    .input(resetByLinkInput)
    .output(z.object({ success: z.literal(true) }))
    .mutation(({ ctx, input }) => resetByLink(ctx, input)),
  signOut: adminProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/users/{id}/sign-out',
        tags,
        summary: 'End every session of a user, with `tokens` their API tokens too',
      },
    })
    .input(signOutUserInput)
    .output(z.object({ success: z.literal(true) }))
    .mutation(({ ctx, input }) => signOutUser(ctx, input)),
  disablingPreview: adminProcedure
    .input(userIdInput)
    .output(disabling)
    .query(({ ctx, input }) => previewDisabling(ctx, input)),
  disable: adminProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/users/{id}/disable',
        tags,
        summary: 'Disable a user: sessions, API tokens and the calendar feed end, operations pause; what they own stays',
      },
    })
    .input(userIdInput)
    .output(userAnswer)
    .mutation(({ ctx, input }) => disableUser(ctx, input)),
  enable: adminProcedure
    .meta({ openapi: { method: 'POST', path: '/users/{id}/enable', tags, summary: 'Let a disabled user sign in again' } })
    .input(userIdInput)
    .output(userAnswer)
    .mutation(({ ctx, input }) => enableUser(ctx, input)),
  deletionPreview: adminProcedure
    .input(userIds)
    .output(usersDeletion)
    .query(({ ctx, input }) => previewDeletion(ctx, input)),
  remove: adminProcedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/users/{id}',
        tags,
        summary: 'Delete a user with everything they have here; nothing is deleted at the providers',
      },
      rest: { status: 204 },
    })
    .input(userIdInput)
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      await removeUsers(ctx, { ids: [input.id] })
    }),
  removeMany: adminProcedure
    .meta({ openapi: { method: 'POST', path: '/users/bulk-delete', tags, summary: 'Delete users, all or none; says what went with each' } })
    .input(userIds)
    .output(usersDeletion)
    .mutation(({ ctx, input }) => removeUsers(ctx, input)),
})
