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
  setDsInput,
  setDsOutput,
  setRegistrarInput,
  updateRegistrarInput,
} from '#shared/features/registrars/schema.ts'
import { decideDisappearanceInput, decideDisappearanceOutput, missingNames } from '#shared/features/sync/disappearances/schema.ts'
import { domainAnswer } from '#shared/features/domains/schema.ts'
import { createCalendarFeed, getCalendarFeed, removeCalendarFeed } from './renewals/calendar-feed.ts'
import { listExpiries, listRenewals } from './renewals/list-renewals.ts'
import { decideDisappearance, listMissing } from './names/decide-disappearance.ts'
import { createRegistrar } from './create-registrar.ts'
import { setDs } from './delegations/set-ds.ts'
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
    .meta({ openapi: { method: 'GET', path: '/registrars', tags, summary: 'List registrars', description: 'Sorted by name.' } })
    .input(listRegistrarsInput)
    .output(listRegistrarsOutput)
    .query(({ ctx, input }) => listRegistrars(ctx, input)),
  get: userProcedure
    .meta({ openapi: { method: 'GET', path: '/registrars/{id}', tags, summary: 'Get a registrar' } })
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
      openapi: {
        method: 'PATCH',
        path: '/registrars/{id}',
        tags,
        summary: 'Update a registrar',
        description: 'Absent and empty secrets stay unchanged.',
      },
    })
    .input(updateRegistrarInput)
    .output(registrarAnswer)
    .mutation(({ ctx, input }) => updateRegistrar(ctx, input)),
  remove: userProcedure
    .meta({
      openapi: { method: 'DELETE', path: '/registrars/{id}', tags, summary: 'Delete a registrar without attached domains' },
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
    .meta({
      openapi: {
        method: 'POST',
        path: '/registrars/{id}/login-details',
        tags,
        summary: 'Reveal the credentials of a registrar',
        description: 'Requires step-up authentication and is recorded in the activity log.',
      },
    })
    .input(registrarIdInput)
    .output(registrarSecrets)
    .mutation(({ ctx, input }) => revealRegistrar(ctx, input)),
  sync: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/registrars/{id}/sync',
        tags,
        summary: 'Sync the domains of a registrar',
        description: 'Queues a sync and returns immediately.',
      },
    })
    .input(registrarIdInput)
    .output(registrarAnswer)
    .mutation(({ ctx, input }) => requestSync(ctx, input)),
  missing: userProcedure
    .meta({
      openapi: { method: 'GET', path: '/registrars/{id}/disappearance', tags, summary: 'List domains that are missing at the registrar' },
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
        summary: 'Keep or remove domains that are missing at the registrar',
        description: 'If a sync no longer finds many domains, nothing is removed until you decide with this call.',
      },
    })
    .input(decideDisappearanceInput)
    .output(decideDisappearanceOutput)
    .mutation(({ ctx, input }) => decideDisappearance(ctx, input)),
  ofDomain: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/zones/{id}/registrar',
        tags: ['Domains'],
        summary: 'Get the registrar and expiration date of a domain',
      },
    })
    .input(registrarIdInput)
    .output(domainRegistrar)
    .query(({ ctx, input }) => getOfDomain(ctx, input)),
  setDs: userProcedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/zones/{id}/dnssec/ds',
        tags: ['Domains'],
        summary: 'Set or remove the DS record at the registrar',
        description: 'Returns the DS records that the registrar has afterwards. Supported by Porkbun.',
      },
    })
    .input(setDsInput)
    .output(setDsOutput)
    .mutation(({ ctx, input }) => setDs(ctx, input)),
  setOfDomain: userProcedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/zones/{id}/registrar',
        tags: ['Domains'],
        summary: 'Attach a domain to a registrar or detach it',
        description: '`null` detaches the domain.',
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
        summary: 'Get renewal costs by month',
        description: 'Returns the domains that expire in each month, their renewal costs, and whether the registrar balances cover them.',
      },
    })
    .input(renewalsInput)
    .output(renewalsOutput)
    .query(({ ctx, input }) => listRenewals(ctx, input)),
  expiries: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/renewals/names',
        tags,
        summary: 'List registered domains by expiration date',
        description: 'Returns the source of each date and when it was last synced.',
      },
    })
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
        summary: 'List domains with wrong name servers',
        description: 'Returns the domains with name servers that differ from those assigned by Cloudflare, grouped by the assigned pair.',
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
        summary: 'List domains at API registrars',
        description: 'With `which=unbound`, returns only domains that are in no Cloudflare account.',
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
        summary: 'Look up name servers of registered domains in DNS',
        description: 'Accepts up to 50 domains per call.',
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
        summary: 'Test the API access of a registrar',
        description: 'Returns what the credentials allow and what is missing.',
      },
    })
    .input(registrarIdInput)
    .output(examineOutput)
    .mutation(({ ctx, input }) => examineRegistrar(ctx, input)),
})
