import { addressDomainsInput, addressDomainsOutput, listAddressesInput, listAddressesOutput } from '#shared/features/addresses/schema.ts'
import { t, userProcedure } from '#server/transports/trpc/trpc.ts'
import { listAddressDomains, listAddresses } from './list-addresses.ts'

export const addressesRouter = t.router({
  list: userProcedure
    .input(listAddressesInput)
    .output(listAddressesOutput)
    .query(({ ctx, input }) => listAddresses(ctx, input)),
  /** Domains of one address. */
  domains: userProcedure
    .input(addressDomainsInput)
    .output(addressDomainsOutput)
    .query(({ ctx, input }) => listAddressDomains(ctx, input)),
})
