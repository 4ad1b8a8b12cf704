import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { AppError } from '#shared/errors/app-error.ts'
import type { ConfirmedPrice } from '#shared/features/registrars/buying/price-rule.ts'
import { registrarProviders } from '#shared/features/registrars/catalog.ts'
import type { RegistrarProvider } from '#shared/features/registrars/catalog.ts'
import { createRegistrars } from '#server/integrations/registrars/create-registrars.ts'
import { systemClock } from '#server/platform/clock.ts'
import { createLog } from '#server/platform/log.ts'
import type { PurchaseOrder, RegistrarConnection, RenewalOrder } from '#server/ports/registrar.ts'
import type { DsRecord } from '#server/ports/registry.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/database.ts'
import { buy, orderOf, person, renew } from '#server/testing/registrar-providers.ts'

const fixture = z.object({
  witnesses: z.array(z.object({ source: z.string().min(1), date: z.string().regex(/\d{4}-\d{2}-\d{2}/) })).min(2),
  credential: z.record(z.string(), z.string()),
  exchanges: z
    .array(
      z.object({
        about: z.string(),
        method: z.string(),
        arguments: z.array(z.unknown()),
        answers: z.array(
          z.object({
            request: z.object({
              method: z.string().optional(),
              /** The path below the adapter's base URL. */
              path: z.string().optional(),
              headers: z.array(z.string()).optional(),
              body: z.unknown().optional(),
              form: z.record(z.string(), z.string()).optional(),
              /** REG.RU's `input_data`. */
              input: z.unknown().optional(),
            }),
            status: z.number(),
            body: z.unknown(),
          }),
        ),
        result: z.unknown().optional(),
        error: z.object({ code: z.string(), provider: z.unknown().optional(), retryAfterAtLeast: z.number().optional() }).optional(),
      }),
    )
    .min(1),
})
type Answer = z.infer<typeof fixture>['exchanges'][number]['answers'][number]

const folder = (provider: RegistrarProvider) => new URL(`../${provider.toLowerCase()}/fixtures/`, import.meta.url)
const fixtures = registrarProviders.flatMap((provider) =>
  readdirSync(folder(provider)).map((file) => ({
    provider,
    file,
    ...fixture.parse(JSON.parse(readFileSync(new URL(file, folder(provider)), 'utf8'))),
  })),
)

/** The method called with the fixture's arguments. */
function act(connection: RegistrarConnection, method: string, args: readonly unknown[]): Promise<unknown> {
  const [first, second, third] = args
  const order = () => orderOf((first as PurchaseOrder).name, first as Partial<PurchaseOrder>)
  switch (method) {
    case 'check':
      return connection.check(first as string[], person)
    case 'quote':
      return connection.quote(order(), person)
    case 'buy':
      return buy(connection, order(), second as ConfirmedPrice)
    case 'renew':
      return renew(connection, first as string, second as number, third as ConfirmedPrice)
    case 'quoteRenewal': {
      const { expiresAt, ...rest } = first as RenewalOrder
      return connection.quoteRenewal({ ...rest, expiresAt: new Date(expiresAt) }, person)
    }
    case 'balance':
      return connection.balance(person)
    case 'examine':
      return connection.examine(person)
    case 'getName':
      return connection.getName(first as string, person)
    case 'listNames':
      return connection.listNames(first as string | null, person)
    case 'setNameServers':
      return connection.setNameServers(first as string, second as string[], person)
    case 'dsRecords.list':
      return Promise.resolve(connection.dsRecords?.list(first as string, person))
    case 'dsRecords.add':
      return Promise.resolve(connection.dsRecords?.add(first as string, second as DsRecord, person))
    case 'dsRecords.remove':
      return Promise.resolve(connection.dsRecords?.remove(first as string, second as DsRecord, person))
    case 'setAutoRenew':
      return Promise.resolve(connection.setAutoRenew?.(first as string, second as boolean, person))
    default:
      throw new Error(`no such method: ${method}`)
  }
}

interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

function matches({ request }: Answer, asked: Asked): void {
  if (request.method !== undefined) expect(asked.method).toBe(request.method)
  if (request.path !== undefined) expect(asked.path).toBe(request.path)
  for (const header of request.headers ?? []) expect([header, asked.headers[header]]).toEqual([header, expect.stringMatching(/^.{16,64}$/)])
  if (request.body !== undefined) expect(JSON.parse(asked.body)).toMatchObject(request.body as object)
  const form = new URLSearchParams(asked.body)
  if (request.form !== undefined) expect(Object.fromEntries(form)).toMatchObject(request.form)
  if (request.input !== undefined) expect(JSON.parse(form.get('input_data') ?? 'null')).toMatchObject(request.input as object)
}

/** Responses of providers recorded by independent sources; the simulators are not involved. */
describe('registrar adapters parse the recorded responses', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.close())

  for (const { provider, file, credential, exchanges } of fixtures) {
    for (const { about, method, arguments: args, answers, result, error } of exchanges) {
      test(`${provider} ${file}: ${about}`, async () => {
        const asked: Asked[] = []
        const server = createServer((request, response) => {
          const chunks: Buffer[] = []
          request.on('data', (chunk: Buffer) => chunks.push(chunk))
          request.on('end', () => {
            const answer = answers[asked.length]
            const { method: verb = '', url = '', headers } = request
            asked.push({ method: verb, path: url, headers, body: Buffer.concat(chunks).toString() })
            response.statusCode = answer?.status ?? 599
            response.end(typeof answer?.body === 'string' ? answer.body : JSON.stringify(answer?.body ?? {}))
          })
        })
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
        const { port } = server.address() as AddressInfo
        const own = createRegistrars({
          baseUrls: { NAMECHEAP: null, GODADDY: null, PORKBUN: null, REGRU: null, [provider]: `http://127.0.0.1:${port}` },
          sql: database.db.sql,
          // Pauses are short here.
          clock: { ...systemClock, sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 5), signal) },
          log: createLog('silent'),
          userAgent: 'zonedeck-test',
          limit: { limit: 100_000, windowMs: 1_000 },
        })
        onTestFinished(async () => {
          await own.close()
          server.close()
        })
        // A separate credential for each, so that limits do not affect each other.
        const fresh = Object.fromEntries(Object.entries(credential).map(([field, value]) => [field, `${value}-${port}`]))
        const connection = own.connect({
          provider,
          sandbox: false,
          credential: { ...fresh, ...(credential['clientIp'] === undefined ? {} : { clientIp: credential['clientIp'] }) },
        })
        const became = await act(connection, method, args).then(
          (value) => ({ value, thrown: null }),
          (thrown: unknown) => ({ value: null, thrown }),
        )
        for (const [index, each] of asked.entries()) {
          const answer = answers[index]
          if (answer === undefined) throw new Error(`asked beyond the fixture: ${each.method} ${each.path}`)
          matches(answer, each)
        }
        expect(asked).toHaveLength(answers.length)
        if (error === undefined) {
          if (became.thrown !== null) throw new Error('refused', { cause: became.thrown })
          expect(JSON.parse(JSON.stringify(became.value ?? null))).toEqual(result ?? null)
          return
        }
        if (!(became.thrown instanceof AppError)) throw new Error(`no refusal: ${JSON.stringify(became)}`)
        expect(became.thrown.code).toBe(error.code)
        if (error.provider !== undefined) expect(became.thrown.provider).toEqual(error.provider)
        if (error.retryAfterAtLeast !== undefined)
          expect(became.thrown.params['retryAfterSeconds']).toBeGreaterThan(error.retryAfterAtLeast)
      })
    }
  }
})
