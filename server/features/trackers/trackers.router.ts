import { z } from 'zod'
import { sessionProcedure, t, userProcedure } from '#server/transports/trpc/trpc.ts'
import {
  addReserveInput,
  createTrackerInput,
  domainTracker,
  listReconcileInput,
  listReconcileOutput,
  listReserveInput,
  listReserveOutput,
  listTrackersInput,
  listTrackersOutput,
  reconcileIds,
  reconcileIdsInput,
  removeReserveInput,
  testTrackerInput,
  trackerAnswer,
  trackerChoices,
  trackerChoicesInput,
  trackerIdInput,
  trackerSecret,
  trackerSettingsAnswer,
  trackerSettingsInput,
  trackerTestAnswer,
  updateTrackerInput,
  updateTrackerSettingsInput,
} from '#shared/features/trackers/schema.ts'
import { bindingProcedures } from './binding.router.ts'
import { createTracker } from './create-tracker.ts'
import { getOfDomain } from './get-of-domain.ts'
import { listReconcile, listReconcileAll } from './list-reconcile.ts'
import { getTracker, listTrackers } from './list-trackers.ts'
import { readChoices } from './read-choices.ts'
import { removeTracker } from './remove-tracker.ts'
import { requestSync } from './request-sync.ts'
import { addReserve, listReserveDomains, removeReserve } from './reserve.ts'
import { revealTracker } from './reveal-tracker.ts'
import { testTracker } from './test-tracker.ts'
import { getTrackerSettings, updateTrackerSettings } from './tracker-settings.ts'
import { updateTracker } from './update-tracker.ts'

const tags = ['Trackers']

export const trackersRouter = t.router({
  ...bindingProcedures,
  list: userProcedure
    .meta({ openapi: { method: 'GET', path: '/trackers', tags, summary: 'List trackers', description: 'Sorted by name.' } })
    .input(listTrackersInput)
    .output(listTrackersOutput)
    .query(({ ctx, input }) => listTrackers(ctx, input)),
  get: userProcedure
    .meta({ openapi: { method: 'GET', path: '/trackers/{id}', tags, summary: 'Get a tracker' } })
    .input(trackerIdInput)
    .output(trackerAnswer)
    .query(({ ctx, input }) => getTracker(ctx, input)),
  create: userProcedure
    .meta({ openapi: { method: 'POST', path: '/trackers', tags, summary: 'Add a tracker' }, rest: { status: 201 } })
    .input(createTrackerInput)
    .output(trackerAnswer)
    .mutation(({ ctx, input }) => createTracker(ctx, input)),
  update: userProcedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/trackers/{id}',
        tags,
        summary: 'Update a tracker',
        description: 'An absent or empty API key stays unchanged. A different host requires the key again.',
      },
    })
    .input(updateTrackerInput)
    .output(trackerAnswer)
    .mutation(({ ctx, input }) => updateTracker(ctx, input)),
  remove: userProcedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/trackers/{id}',
        tags,
        summary: 'Remove a tracker and unbind its domains in the panel',
        description: 'The domains stay in the tracker itself.',
      },
      rest: { status: 204 },
    })
    .input(trackerIdInput)
    .output(z.void())
    .mutation(({ ctx, input }) => removeTracker(ctx, input)),
  reveal: sessionProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/trackers/{id}/login-details',
        tags,
        summary: 'Reveal the API key of a tracker',
        description: 'Requires step-up authentication and is recorded in the activity log.',
      },
    })
    .input(trackerIdInput)
    .output(trackerSecret)
    .mutation(({ ctx, input }) => revealTracker(ctx, input)),
  test: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/trackers/test',
        tags,
        summary: 'Test the connection to a tracker',
        description: 'Tests a saved tracker or a URL and API key that are not saved yet.',
      },
    })
    .input(testTrackerInput)
    .output(trackerTestAnswer)
    .mutation(({ ctx, input }) => testTracker(ctx, input)),
  sync: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/trackers/{id}/sync',
        tags,
        summary: 'Sync the domains of a tracker',
        description: 'Queues a sync and returns immediately.',
      },
    })
    .input(trackerIdInput)
    .output(trackerAnswer)
    .mutation(({ ctx, input }) => requestSync(ctx, input)),
  choices: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/trackers/{id}/choices',
        tags,
        summary: 'List domain options of a tracker',
        description: 'Returns the campaigns, groups, and other values that can be assigned to a domain.',
      },
    })
    .input(trackerChoicesInput)
    .output(trackerChoices)
    .query(({ ctx, input }) => readChoices(ctx, input)),
  settings: userProcedure
    .meta({ openapi: { method: 'GET', path: '/settings/trackers', tags, summary: 'Get default trackers' } })
    .input(trackerSettingsInput)
    .output(trackerSettingsAnswer)
    .query(({ ctx, input }) => getTrackerSettings(ctx, input)),
  updateSettings: userProcedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/settings/trackers',
        tags,
        summary: 'Update default trackers',
        description: 'Absent fields stay unchanged; null or an empty string clears a field. A different host requires the API key again.',
      },
    })
    .input(updateTrackerSettingsInput)
    .output(trackerSettingsAnswer)
    .mutation(({ ctx, input }) => updateTrackerSettings(ctx, input)),
  ofDomain: userProcedure
    .meta({
      openapi: { method: 'GET', path: '/zones/{id}/tracker', tags: ['Domains'], summary: 'Get the tracker binding of a domain' },
    })
    .input(trackerIdInput)
    .output(domainTracker)
    .query(({ ctx, input }) => getOfDomain(ctx, input)),
  reconcile: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/trackers/reconciliation',
        tags,
        summary: 'Reconcile trackers with Cloudflare and registrars',
        description: 'With `state=not_bound`, returns domains that are in no tracker.',
      },
    })
    .input(listReconcileInput)
    .output(listReconcileOutput)
    .query(({ ctx, input }) => listReconcile(ctx, input)),
  reconcileIds: userProcedure
    .input(reconcileIdsInput)
    .output(reconcileIds)
    .query(({ ctx, input }) => listReconcileAll(ctx, input)),
  reserve: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/reserve-domains',
        tags,
        summary: 'List reserve domains',
        description: 'Returns what prevents each domain from being used.',
      },
    })
    .input(listReserveInput)
    .output(listReserveOutput)
    .query(({ ctx, input }) => listReserveDomains(ctx, input)),
  addReserve: userProcedure
    .meta({ openapi: { method: 'POST', path: '/reserve-domains', tags, summary: 'Add domains to the reserve' }, rest: { status: 204 } })
    .input(addReserveInput)
    .output(z.void())
    .mutation(({ ctx, input }) => addReserve(ctx, input)),
  removeReserve: userProcedure
    .meta({
      openapi: { method: 'POST', path: '/reserve-domains/remove', tags, summary: 'Remove domains from the reserve' },
      rest: { status: 204 },
    })
    .input(removeReserveInput)
    .output(z.void())
    .mutation(({ ctx, input }) => removeReserve(ctx, input)),
})
