import { z } from 'zod'
import {
  issuedOriginCertificate,
  issueOriginCertificateInput,
  listOriginCertificatesInput,
  listOriginCertificatesOutput,
  originCertificateAnswer,
  originCertificateInput,
  originCertificatesAnswer,
  originCertificatesInput,
  originKey,
  revokeOriginCertificateInput,
  signOriginCertificateInput,
} from '#shared/features/domains/origin-certificates/schema.ts'
import { sessionProcedure, t, userProcedure } from '#server/transports/trpc/trpc.ts'
import { issueOriginCertificate, signOriginCertificate } from './issue-certificate.ts'
import { forgetOriginKey, revealOriginKey } from './kept-key.ts'
import { getOriginCertificate, listExpiringOriginCertificates, listOriginCertificates } from './list-certificates.ts'
import { revokeOriginCertificate } from './revoke-certificate.ts'

const tags = ['Origin certificates']
const ofZone = '/zones/{id}/origin-certificates'
const ofOne = `${ofZone}/{certificateId}` as const

export const originCertificatesRouter = t.router({
  list: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: ofZone,
        tags,
        summary: 'List origin certificates of a domain',
        description: 'Returns the Origin CA certificates as last read; with `fresh=true`, or the first time, reads them from Cloudflare.',
      },
    })
    .input(originCertificatesInput)
    .output(originCertificatesAnswer)
    .query(({ ctx, input }) => listOriginCertificates(ctx, input)),
  expiring: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/origin-certificates',
        tags,
        summary: 'List origin certificates by expiration date',
        description: 'Of all domains whose origin certificates have been read, the next to expire first.',
      },
    })
    .input(listOriginCertificatesInput)
    .output(listOriginCertificatesOutput)
    .query(({ ctx, input }) => listExpiringOriginCertificates(ctx, input)),
  get: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: ofOne,
        tags,
        summary: 'Get an origin certificate',
        description: 'With the certificate in PEM format, as last read.',
      },
    })
    .input(originCertificateInput)
    .output(originCertificateAnswer)
    .query(({ ctx, input }) => getOriginCertificate(ctx, input)),
  issue: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: ofZone,
        tags,
        summary: 'Issue an origin certificate with a new private key',
        description:
          'The private key is in this response only; with `keepKey`, it is also stored encrypted. If you have a key, use `POST /zones/{id}/origin-certificates/sign`.',
      },
      rest: { status: 201 },
    })
    .input(issueOriginCertificateInput)
    .output(issuedOriginCertificate)
    .mutation(({ ctx, input }) => issueOriginCertificate(ctx, input)),
  sign: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: `${ofZone}/sign`,
        tags,
        summary: 'Issue an origin certificate for your own signing request',
        description: 'The private key stays with you.',
      },
      rest: { status: 201 },
    })
    .input(signOriginCertificateInput)
    .output(originCertificateAnswer)
    .mutation(({ ctx, input }) => signOriginCertificate(ctx, input)),
  revoke: userProcedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: ofOne,
        tags,
        summary: 'Revoke an origin certificate',
        description: 'Also deletes its private key, if it was kept. Revoking cannot be undone.',
      },
      rest: { status: 204 },
    })
    .input(revokeOriginCertificateInput)
    .output(z.void())
    .mutation(({ ctx, input }) => revokeOriginCertificate(ctx, input)),
  reveal: sessionProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: `${ofOne}/private-key`,
        tags,
        summary: 'Reveal the kept private key of an origin certificate',
        description: 'Requires step-up authentication and is recorded in the activity log.',
      },
    })
    .input(originCertificateInput)
    .output(originKey)
    .mutation(({ ctx, input }) => revealOriginKey(ctx, input)),
  forgetKey: userProcedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: `${ofOne}/private-key`,
        tags,
        summary: 'Delete the kept private key of an origin certificate',
        description: 'The certificate stays valid.',
      },
      rest: { status: 204 },
    })
    .input(originCertificateInput)
    .output(z.void())
    .mutation(({ ctx, input }) => forgetOriginKey(ctx, input)),
})
