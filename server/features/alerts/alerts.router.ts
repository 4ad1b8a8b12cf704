import { z } from 'zod'
import { acknowledgeIncident, acknowledgeIncidents, muteIncident, muteIncidents } from '#server/features/monitoring/index.ts'
import { sessionProcedure, t, userProcedure } from '#server/transports/trpc/trpc.ts'
import {
  acknowledgedMany,
  acknowledgeInput,
  acknowledgeManyInput,
  channelIdInput,
  createChannelInput,
  createWindowInput,
  incidentMarkAnswer,
  listChannelsInput,
  listChannelsOutput,
  listMessagesInput,
  listMessagesOutput,
  listWindowsInput,
  listWindowsOutput,
  mutedMany,
  muteIncidentInput,
  muteManyInput,
  newChannelAnswer,
  testChannelOutput,
  updateChannelInput,
  updateWindowInput,
  windowAnswer,
  windowIdInput,
} from '#shared/features/alerts/schema.ts'
import { listMessages } from './outbox/list-messages.ts'
import { createChannel, listChannels, removeChannel, updateChannel } from './channels/manage-channels.ts'
import { createWindow, listWindows, removeWindow, updateWindow } from './manage-windows.ts'
import { testChannel } from './channels/test-channel.ts'

const tags = ['Monitoring']

export const alertsRouter = t.router({
  listChannels: userProcedure
    .meta({ openapi: { method: 'GET', path: '/alert-channels', tags, summary: 'List alert channels' } })
    .input(listChannelsInput)
    .output(listChannelsOutput)
    .query(({ ctx, input }) => listChannels(ctx, input)),
  createChannel: sessionProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/alert-channels',
        tags,
        summary: 'Create an alert channel',
        description: 'A channel is a Telegram chat or a webhook. The signing secret of a webhook is returned only once, in this response.',
      },
      rest: { status: 201 },
    })
    .input(createChannelInput)
    .output(newChannelAnswer)
    .mutation(({ ctx, input }) => createChannel(ctx, input)),
  updateChannel: sessionProcedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/alert-channels/{id}',
        tags,
        summary: 'Update an alert channel',
        description: 'Absent fields stay unchanged.',
      },
    })
    .input(updateChannelInput)
    .output(newChannelAnswer)
    .mutation(({ ctx, input }) => updateChannel(ctx, input)),
  removeChannel: userProcedure
    .meta({
      openapi: { method: 'DELETE', path: '/alert-channels/{id}', tags, summary: 'Delete an alert channel and its undelivered messages' },
      rest: { status: 204 },
    })
    .input(channelIdInput)
    .output(z.void())
    .mutation(({ ctx, input }) => removeChannel(ctx, input)),
  testChannel: userProcedure
    .meta({ openapi: { method: 'POST', path: '/alert-channels/{id}/test', tags, summary: 'Send a test message to an alert channel' } })
    .input(channelIdInput)
    .output(testChannelOutput)
    .mutation(({ ctx, input }) => testChannel(ctx, input)),
  listWindows: userProcedure
    .meta({ openapi: { method: 'GET', path: '/maintenance-windows', tags, summary: 'List maintenance windows' } })
    .input(listWindowsInput)
    .output(listWindowsOutput)
    .query(({ ctx, input }) => listWindows(ctx, input)),
  createWindow: userProcedure
    .meta({
      openapi: { method: 'POST', path: '/maintenance-windows', tags, summary: 'Create a maintenance window' },
      rest: { status: 201 },
    })
    .input(createWindowInput)
    .output(windowAnswer)
    .mutation(({ ctx, input }) => createWindow(ctx, input)),
  updateWindow: userProcedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/maintenance-windows/{id}',
        tags,
        summary: 'Replace a maintenance window',
        description: 'All fields are replaced.',
      },
    })
    .input(updateWindowInput)
    .output(windowAnswer)
    .mutation(({ ctx, input }) => updateWindow(ctx, input)),
  removeWindow: userProcedure
    .meta({
      openapi: { method: 'DELETE', path: '/maintenance-windows/{id}', tags, summary: 'Delete a maintenance window' },
      rest: { status: 204 },
    })
    .input(windowIdInput)
    .output(z.void())
    .mutation(({ ctx, input }) => removeWindow(ctx, input)),
  acknowledge: userProcedure
    .meta({ openapi: { method: 'POST', path: '/incidents/{id}/acknowledge', tags, summary: 'Acknowledge an incident' } })
    .input(acknowledgeInput)
    .output(incidentMarkAnswer)
    .mutation(({ ctx, input }) => acknowledgeIncident(ctx, input)),
  mute: userProcedure
    .meta({ openapi: { method: 'POST', path: '/incidents/{id}/mute', tags, summary: 'Mute alerts for the domain of an incident' } })
    .input(muteIncidentInput)
    .output(incidentMarkAnswer)
    .mutation(({ ctx, input }) => muteIncident(ctx, input)),
  acknowledgeMany: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/incidents/acknowledge',
        tags,
        summary: 'Acknowledge incidents by ID or by cause',
        description:
          'Acknowledges the incidents in `ids`, or the open incidents with the given cause that you may change. If you may change none of those that you see, the call is refused.',
      },
    })
    .input(acknowledgeManyInput)
    .output(acknowledgedMany)
    .mutation(({ ctx, input }) => acknowledgeIncidents(ctx, input)),
  muteMany: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/incidents/mute',
        tags,
        summary: 'Mute alerts for the domains of incidents',
        description:
          'Mutes the domains of the incidents in `ids`, or of the open incidents with the given cause that you may change. If you may change none of those that you see, the call is refused.',
      },
    })
    .input(muteManyInput)
    .output(mutedMany)
    .mutation(({ ctx, input }) => muteIncidents(ctx, input)),
  listMessages: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/alert-messages',
        tags,
        summary: 'List sent and pending alert messages',
        description: 'Newest first.',
      },
    })
    .input(listMessagesInput)
    .output(listMessagesOutput)
    .query(({ ctx, input }) => listMessages(ctx, input)),
})
