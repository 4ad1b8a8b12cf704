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
    .meta({
      openapi: {
        method: 'GET',
        path: '/users',
        tags,
        summary: 'List users',
        description: 'Returns every user, or those with a name or email that contains `search`.',
      },
    })
    .input(listUsersInput)
    .output(z.object({ users: z.array(managedUser) }))
    .query(({ ctx, input }) => listUsers(ctx, input)),
  get: adminProcedure
    .meta({ openapi: { method: 'GET', path: '/users/{id}', tags, summary: 'Get a user' } })
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
      openapi: {
        method: 'PATCH',
        path: '/users/{id}',
        tags,
        summary: 'Update a user',
        description: 'Absent fields and an empty password stay unchanged.',
      },
    })
    .input(updateUserInput)
    .output(userAnswer)
    .mutation(({ ctx, input }) => updateUser(ctx, input)),
  createResetLink: adminProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/users/{id}/reset-link',
        tags,
        summary: 'Create a password reset link',
        description: 'The link works once and expires after a day.',
      },
      rest: { status: 201 },
    })
    .input(userIdInput)
    .output(resetLink)
    .mutation(({ ctx, input }) => createResetLink(ctx, input)),
  // A mutation, because queries put their input into URLs, which are logged.
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
        summary: 'Reset a password with a reset link',
        description: 'With `revokeTokens`, API tokens are revoked too.',
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
        summary: 'Sign out a user everywhere',
        description: 'Ends every session of the user and, with `tokens`, revokes their API tokens.',
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
        summary: 'Disable a user',
        description: 'Sessions, API tokens, and the calendar feed end, and operations pause. Resources of the user stay.',
      },
    })
    .input(userIdInput)
    .output(userAnswer)
    .mutation(({ ctx, input }) => disableUser(ctx, input)),
  enable: adminProcedure
    .meta({ openapi: { method: 'POST', path: '/users/{id}/enable', tags, summary: 'Enable a user' } })
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
        summary: 'Delete a user and all their data in the panel',
        description: 'Nothing is deleted at the providers.',
      },
      rest: { status: 204 },
    })
    .input(userIdInput)
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      await removeUsers(ctx, { ids: [input.id] })
    }),
  removeMany: adminProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/users/bulk-delete',
        tags,
        summary: 'Delete users and all their data in the panel',
        description: 'Deletes all of the users or none. Returns what was deleted with each. Nothing is deleted at the providers.',
      },
    })
    .input(userIds)
    .output(usersDeletion)
    .mutation(({ ctx, input }) => removeUsers(ctx, input)),
})
