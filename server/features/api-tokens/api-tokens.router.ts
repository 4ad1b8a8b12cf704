import { z } from 'zod'
import { sessionProcedure, t } from '#server/transports/trpc/trpc.ts'
import { createdToken, createTokenInput, listTokensInput, tokenIdInput, tokenList } from '#shared/features/api-tokens/schema.ts'
import { createToken } from './create-token.ts'
import { listTokens } from './list-tokens.ts'
import { revokeToken } from './revoke-tokens.ts'

const tags = ['API tokens']

export const apiTokensRouter = t.router({
  list: sessionProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/tokens',
        tags,
        summary: 'List API tokens',
        description: 'Newest first. Secrets are never returned.',
      },
    })
    .input(listTokensInput)
    .output(tokenList)
    .query(({ ctx, input }) => listTokens(ctx, input)),
  create: sessionProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/tokens',
        tags,
        summary: 'Create an API token',
        description: 'The token is returned only once, in this response.',
      },
      rest: { status: 201 },
    })
    .input(createTokenInput)
    .output(createdToken)
    .mutation(({ ctx, input }) => createToken(ctx, input)),
  revoke: sessionProcedure
    .meta({ openapi: { method: 'DELETE', path: '/tokens/{id}', tags, summary: 'Revoke an API token' }, rest: { status: 204 } })
    .input(tokenIdInput)
    .output(z.void())
    .mutation(({ ctx, input }) => revokeToken(ctx, input)),
})
