import {
  exportRedirectsOutput,
  listRedirectsInput,
  listRedirectsOutput,
  redirectAccountInput,
  redirectTest,
  refreshRedirectsOutput,
  testRedirectInput,
} from '#shared/features/redirects/schema.ts'
import { t, userProcedure } from '#server/transports/trpc/trpc.ts'
import { exportRedirects, listRedirects, refreshRedirects } from './list-redirects.ts'
import { testRedirect } from './test-redirect.ts'

const tags = ['Redirects']
const ofAccount = '/accounts/{id}/redirects'

export const redirectsRouter = t.router({
  list: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: ofAccount,
        tags,
        summary: 'List stored redirects of an account',
        description: 'Returns the redirects as of the last reading, by source; the first time they are read from Cloudflare.',
      },
    })
    .input(listRedirectsInput)
    .output(listRedirectsOutput)
    .query(({ ctx, input }) => listRedirects(ctx, input)),
  refresh: userProcedure
    .meta({ openapi: { method: 'POST', path: `${ofAccount}/refresh`, tags, summary: 'Refresh redirects from Cloudflare' } })
    .input(redirectAccountInput)
    .output(refreshRedirectsOutput)
    .mutation(({ ctx, input }) => refreshRedirects(ctx, input.id)),
  export: userProcedure
    .meta({ openapi: { method: 'GET', path: `${ofAccount}/export`, tags, summary: 'Export redirects of an account as CSV' } })
    .input(redirectAccountInput)
    .output(exportRedirectsOutput)
    .query(({ ctx, input }) => exportRedirects(ctx, input.id)),
  test: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: `${ofAccount}/test`,
        tags,
        summary: 'Test where a URL is redirected to',
        description:
          'Follows the rules of the domains, the stored redirects of the account, and other lists of the account, which are searched at Cloudflare. Nothing is requested from the URL.',
      },
    })
    .input(testRedirectInput)
    .output(redirectTest)
    .query(({ ctx, input }) => testRedirect(ctx, input)),
})
