import type { FastifyServerOptions } from 'fastify'

const refuse = () => {
  throw new Error('no route has a JSON schema')
}

/** Inputs are validated by zod, so Fastify's compilers of JSON schemas, a hundred modules, are not loaded. */
export const noJsonSchemas: NonNullable<FastifyServerOptions['schemaController']> = {
  compilersFactory: { buildValidator: () => refuse, buildSerializer: () => refuse },
}
