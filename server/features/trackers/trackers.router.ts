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
    .meta({ openapi: { method: 'GET', path: '/trackers', tags, summary: 'All trackers, by name' } })
    .input(listTrackersInput)
    .output(listTrackersOutput)
    .query(({ ctx, input }) => listTrackers(ctx, input)),
  get: userProcedure
    .meta({ openapi: { method: 'GET', path: '/trackers/{id}', tags, summary: 'One tracker' } })
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
        summary: 'Change a tracker; a key that is absent or empty stays, another host needs it anew',
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
        summary: 'Forget a tracker; its domains are unbound here, and stay there',
      },
      rest: { status: 204 },
    })
    .input(trackerIdInput)
    .output(z.void())
    .mutation(({ ctx, input }) => removeTracker(ctx, input)),
  reveal: sessionProcedure
    .meta({ openapi: { method: 'POST', path: '/trackers/{id}/login-details', tags, summary: 'The key; logged' } })
    .input(trackerIdInput)
    .output(trackerSecret)
    .mutation(({ ctx, input }) => revealTracker(ctx, input)),
  test: userProcedure
    .meta({
      openapi: { method: 'POST', path: '/trackers/test', tags, summary: 'Ask a tracker, kept or not, whether it lets the panel in' },
    })
    .input(testTrackerInput)
    .output(trackerTestAnswer)
    .mutation(({ ctx, input }) => testTracker(ctx, input)),
  sync: userProcedure
    .meta({ openapi: { method: 'POST', path: '/trackers/{id}/sync', tags, summary: 'Read the list of domains again, soon' } })
    .input(trackerIdInput)
    .output(trackerAnswer)
    .mutation(({ ctx, input }) => requestSync(ctx, input)),
  choices: userProcedure
    .meta({ openapi: { method: 'GET', path: '/trackers/{id}/choices', tags, summary: 'What a domain can be given there' } })
    .input(trackerChoicesInput)
    .output(trackerChoices)
    .query(({ ctx, input }) => readChoices(ctx, input)),
  settings: userProcedure
    .meta({ openapi: { method: 'GET', path: '/settings/trackers', tags, summary: 'The default tracker of each kind' } })
    .input(trackerSettingsInput)
    .output(trackerSettingsAnswer)
    .query(({ ctx, input }) => getTrackerSettings(ctx, input)),
  updateSettings: userProcedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/settings/trackers',
        tags,
        summary: 'Change the default tracker of each kind; absent is unchanged, null or empty clears, another host needs its key anew',
      },
    })
    .input(updateTrackerSettingsInput)
    .output(trackerSettingsAnswer)
    .mutation(({ ctx, input }) => updateTrackerSettings(ctx, input)),
  ofDomain: userProcedure
    .meta({
      openapi: { method: 'GET', path: '/zones/{id}/tracker', tags: ['Domains'], summary: 'Where a domain is bound, and how it is there' },
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
        summary: 'Trackers, Cloudflare and registrars beside each other; domains in no tracker with state=not_bound',
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
      openapi: { method: 'GET', path: '/reserve-domains', tags, summary: 'Domains in reserve, and what keeps them from being used' },
    })
    .input(listReserveInput)
    .output(listReserveOutput)
    .query(({ ctx, input }) => listReserveDomains(ctx, input)),
  addReserve: userProcedure
    .meta({ openapi: { method: 'POST', path: '/reserve-domains', tags, summary: 'Set domains aside' }, rest: { status: 204 } })
    .input(addReserveInput)
    .output(z.void())
    .mutation(({ ctx, input }) => addReserve(ctx, input)),
  removeReserve: userProcedure
    .meta({
      openapi: { method: 'POST', path: '/reserve-domains/remove', tags, summary: 'Keep domains in reserve no more' },
      rest: { status: 204 },
    })
    .input(removeReserveInput)
    .output(z.void())
    .mutation(({ ctx, input }) => removeReserve(ctx, input)),
})
