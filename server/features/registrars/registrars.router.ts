import { z } from 'zod'
import { sessionProcedure, t, userProcedure } from '#server/transports/trpc/trpc.ts'
import {
  calendarFeed,
  createRegistrarInput,
  delegationNamesInput,
  delegationNamesOutput,
  domainRegistrar,
  examineOutput,
  listDelegationsInput,
  listDelegationsOutput,
  listExpiriesInput,
  listExpiriesOutput,
  listNamesInput,
  listNamesOutput,
  listRegistrarsInput,
  listRegistrarsOutput,
  newCalendarFeed,
  registrarAnswer,
  registrarIdInput,
  registrarIdsInput,
  registrarSecrets,
  renewalsInput,
  renewalsOutput,
  serversNowInput,
  serversNowOutput,
  setRegistrarInput,
  updateRegistrarInput,
} from '#shared/features/registrars/schema.ts'
import { decideDisappearanceInput, decideDisappearanceOutput, missingNames } from '#shared/features/sync/disappearances/schema.ts'
import { domainAnswer } from '#shared/features/domains/schema.ts'
import { createCalendarFeed, getCalendarFeed, removeCalendarFeed } from './renewals/calendar-feed.ts'
import { listExpiries, listRenewals } from './renewals/list-renewals.ts'
import { decideDisappearance, listMissing } from './names/decide-disappearance.ts'
import { createRegistrar } from './create-registrar.ts'
import { getOfDomain } from './get-of-domain.ts'
import { setRegistrar } from './set-registrar.ts'
import { listWrongDelegations, listWrongNames } from './delegations/list-delegations.ts'
import { listRegistrarNames } from './names/list-names.ts'
import { requestSync } from './request-sync.ts'
import { examineRegistrar } from './examine-registrar.ts'
import { getRegistrar, listRegistrars } from './list-registrars.ts'
import { removeRegistrars } from './remove-registrars.ts'
import { revealRegistrar } from './reveal-registrar.ts'
import { listServersNow } from './names/servers-now.ts'
import { updateRegistrar } from './update-registrar.ts'

const tags = ['Registrars']

export const registrarsRouter = t.router({
  list: userProcedure
    .meta({ openapi: { method: 'GET', path: '/registrars', tags, summary: 'All registrars, by name' } })
    .input(listRegistrarsInput)
    .output(listRegistrarsOutput)
    .query(({ ctx, input }) => listRegistrars(ctx, input)),
  get: userProcedure
    .meta({ openapi: { method: 'GET', path: '/registrars/{id}', tags, summary: 'One registrar' } })
    .input(registrarIdInput)
    .output(registrarAnswer)
    .query(({ ctx, input }) => getRegistrar(ctx, input)),
  create: userProcedure
    .meta({ openapi: { method: 'POST', path: '/registrars', tags, summary: 'Add a registrar' }, rest: { status: 201 } })
    .input(createRegistrarInput)
    .output(registrarAnswer)
    .mutation(({ ctx, input }) => createRegistrar(ctx, input)),
  update: userProcedure
    .meta({
      openapi: { method: 'PATCH', path: '/registrars/{id}', tags, summary: 'Change a registrar; a secret that is absent or empty stays' },
    })
    .input(updateRegistrarInput)
    .output(registrarAnswer)
    .mutation(({ ctx, input }) => updateRegistrar(ctx, input)),
  remove: userProcedure
    .meta({
      openapi: { method: 'DELETE', path: '/registrars/{id}', tags, summary: 'Delete a registrar that no domain is attached to' },
      rest: { status: 204 },
    })
    .input(registrarIdInput)
    .output(z.void())
    .mutation(({ ctx, input }) => removeRegistrars(ctx, { ids: [input.id] })),
  removeMany: userProcedure
    .input(registrarIdsInput)
    .output(z.void())
    .mutation(({ ctx, input }) => removeRegistrars(ctx, input)),
  reveal: sessionProcedure
    .meta({ openapi: { method: 'POST', path: '/registrars/{id}/login-details', tags, summary: 'Credentials and passwords; logged' } })
    .input(registrarIdInput)
    .output(registrarSecrets)
    .mutation(({ ctx, input }) => revealRegistrar(ctx, input)),
  sync: userProcedure
    .meta({ openapi: { method: 'POST', path: '/registrars/{id}/sync', tags, summary: 'Read the list of names again, soon' } })
    .input(registrarIdInput)
    .output(registrarAnswer)
    .mutation(({ ctx, input }) => requestSync(ctx, input)),
  missing: userProcedure
    .meta({
      openapi: { method: 'GET', path: '/registrars/{id}/disappearance', tags, summary: 'List names that a registrar no longer lists' },
    })
    .input(registrarIdInput)
    .output(missingNames)
    .query(({ ctx, input }) => listMissing(ctx, input)),
  decideDisappearance: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/registrars/{id}/disappearance',
        tags,
        summary: 'Decide whether names that a registrar no longer lists are gone or kept',
      },
    })
    .input(decideDisappearanceInput)
    .output(decideDisappearanceOutput)
    .mutation(({ ctx, input }) => decideDisappearance(ctx, input)),
  ofDomain: userProcedure
    .meta({
      openapi: { method: 'GET', path: '/zones/{id}/registrar', tags: ['Domains'], summary: 'Where a domain was bought, until when' },
    })
    .input(registrarIdInput)
    .output(domainRegistrar)
    .query(({ ctx, input }) => getOfDomain(ctx, input)),
  setOfDomain: userProcedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/zones/{id}/registrar',
        tags: ['Domains'],
        summary: 'Attach a domain to a registrar; null detaches',
      },
    })
    .input(setRegistrarInput)
    .output(domainAnswer)
    .mutation(({ ctx, input }) => setRegistrar(ctx, input)),
  renewals: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/renewals',
        tags,
        summary: 'Names that end by month, what keeping them costs, and what balances are enough for',
      },
    })
    .input(renewalsInput)
    .output(renewalsOutput)
    .query(({ ctx, input }) => listRenewals(ctx, input)),
  expiries: userProcedure
    .meta({ openapi: { method: 'GET', path: '/renewals/names', tags, summary: 'Names by their ends, with the source and its age' } })
    .input(listExpiriesInput)
    .output(listExpiriesOutput)
    .query(({ ctx, input }) => listExpiries(ctx, input)),
  calendarFeed: userProcedure.output(calendarFeed).query(({ ctx }) => getCalendarFeed(ctx)),
  createCalendarFeed: sessionProcedure.output(newCalendarFeed).mutation(({ ctx }) => createCalendarFeed(ctx)),
  removeCalendarFeed: userProcedure.output(z.void()).mutation(({ ctx }) => removeCalendarFeed(ctx)),
  delegations: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/delegations',
        tags,
        summary: 'Domains whose name servers are not those that Cloudflare gave them, by the pair that they want',
      },
    })
    .input(listDelegationsInput)
    .output(listDelegationsOutput)
    .query(({ ctx, input }) => listWrongDelegations(ctx, input)),
  /** For the clipboard and for selections. */
  delegationNames: userProcedure
    .input(delegationNamesInput)
    .output(delegationNamesOutput)
    .query(({ ctx, input }) => listWrongNames(ctx, input)),
  names: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/registrar-names',
        tags,
        summary: 'Names at API registrars; with which=unbound those in no CF account',
      },
    })
    .input(listNamesInput)
    .output(listNamesOutput)
    .query(({ ctx, input }) => listRegistrarNames(ctx, input)),
  serversNow: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/registrar-names/name-servers',
        tags,
        summary: 'Ask DNS where it leads for names at registrars; 50 at a time',
      },
    })
    .input(serversNowInput)
    .output(serversNowOutput)
    .query(({ ctx, input }) => listServersNow(ctx, input)),
  examine: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/registrars/{id}/test',
        tags,
        summary: 'Ask the provider whether the registrar can be used, and what is missing',
      },
    })
    .input(registrarIdInput)
    .output(examineOutput)
    .mutation(({ ctx, input }) => examineRegistrar(ctx, input)),
})
