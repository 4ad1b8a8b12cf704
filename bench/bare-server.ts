import { readFileSync } from 'node:fs'
import fastify from 'fastify'
import postgres from 'postgres'
import { z } from 'zod'

/** The baseline: a route that only runs a statement through `postgres` and returns its rows. */
const { url, statements } = z
  .object({ url: z.string(), statements: z.array(z.object({ text: z.string(), parameters: z.array(z.unknown()) })) })
  .parse(JSON.parse(readFileSync(z.string().parse(process.argv[2]), 'utf8')))
const sql = postgres(url, { max: 10, onnotice: () => undefined })
const app = fastify()
app.get<{ Params: { number: string } }>('/:number', ({ params }) => {
  const statement = statements[Number(params.number)]
  if (statement === undefined) throw new Error('no such statement')
  return sql.unsafe(statement.text, statement.parameters as never[], { prepare: true })
})
app.get('/', () => ({ status: 'ok' }))
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`)
process.once('SIGTERM', () => void app.close().then(() => sql.end()))
