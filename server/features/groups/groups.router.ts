import { z } from 'zod'
import { t, userProcedure } from '#server/transports/trpc/trpc.ts'
import {
  createGroupInput,
  group,
  groupAnswer,
  groupIdInput,
  groupZonesInput,
  listGroupsInput,
  updateGroupInput,
} from '#shared/features/groups/schema.ts'
import { addZones, removeZones } from './assign-zones.ts'
import { createGroup } from './create-group.ts'
import { getGroup, listGroups } from './list-groups.ts'
import { removeGroup } from './remove-group.ts'
import { updateGroup } from './update-group.ts'

const tags = ['Groups']

export const groupsRouter = t.router({
  list: userProcedure
    .meta({ openapi: { method: 'GET', path: '/groups', tags, summary: 'List groups', description: 'Newest first.' } })
    .input(listGroupsInput)
    .output(z.object({ groups: z.array(group) }))
    .query(({ ctx, input }) => listGroups(ctx, input)),
  get: userProcedure
    .meta({ openapi: { method: 'GET', path: '/groups/{id}', tags, summary: 'Get a group' } })
    .input(groupIdInput)
    .output(groupAnswer)
    .query(({ ctx, input }) => getGroup(ctx, input)),
  create: userProcedure
    .meta({ openapi: { method: 'POST', path: '/groups', tags, summary: 'Create a group' }, rest: { status: 201 } })
    .input(createGroupInput)
    .output(groupAnswer)
    .mutation(({ ctx, input }) => createGroup(ctx, input)),
  update: userProcedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/groups/{id}',
        tags,
        summary: 'Update a group',
        description: 'Absent fields stay unchanged; null clears a field.',
      },
    })
    .input(updateGroupInput)
    .output(groupAnswer)
    .mutation(({ ctx, input }) => updateGroup(ctx, input)),
  remove: userProcedure
    .meta({
      openapi: { method: 'DELETE', path: '/groups/{id}', tags, summary: 'Delete a group and keep its domains' },
      rest: { status: 204 },
    })
    .input(groupIdInput)
    .output(z.void())
    .mutation(({ ctx, input }) => removeGroup(ctx, input)),
  addZones: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/groups/{id}/zones',
        tags,
        summary: 'Add domains to a group',
        description: 'Adds all of the domains or none.',
      },
    })
    .input(groupZonesInput)
    .output(groupAnswer)
    .mutation(({ ctx, input }) => addZones(ctx, input)),
  removeZones: userProcedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/groups/{id}/zones',
        tags,
        summary: 'Remove domains from a group',
        description: 'Removes all of the domains or none.',
      },
    })
    .input(groupZonesInput)
    .output(groupAnswer)
    .mutation(({ ctx, input }) => removeZones(ctx, input)),
})
