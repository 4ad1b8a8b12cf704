import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

const attributes = z
  .array(
    z.strictObject({
      key: z.string().min(1),
      value: z.union([
        z.strictObject({ stringValue: z.string() }),
        z.strictObject({ boolValue: z.boolean() }),
        z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
        z.strictObject({ doubleValue: z.number() }),
      ]),
    }),
  )
  .transform((list): Record<string, unknown> => Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]])))
const id = (digits: number) => z.string().regex(new RegExp(`^(?!0+$)[\\da-f]{${digits}}$`))
const nanoseconds = z.string().regex(/^\d{19}$/)
const span = z.strictObject({
  traceId: id(32),
  spanId: id(16),
  parentSpanId: id(16).optional(),
  name: z.string().min(1),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: nanoseconds,
  endTimeUnixNano: nanoseconds,
  attributes,
  status: z.strictObject({ code: z.int().min(0).max(2) }),
})
/** The parts of the protocol's schema for `/v1/traces` that the panel uses. */
const exported = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(z.strictObject({ scope: z.strictObject({ name: z.string(), version: z.string() }), spans: z.array(span) })),
    }),
  ),
})
export type CollectedSpan = z.infer<typeof span>

export interface OtlpCollector {
  readonly url: string
  /** Spans of all accepted calls. */
  spans(): CollectedSpan[]
  /** Calls as received, accepted or not. */
  readonly calls: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly text: string; readonly resource: object }[]
  /** The status of following responses; 200 accepts. */
  answer(status: number): void
  close(): Promise<void>
}

/** A trace collector that validates as strictly as the protocol permits. */
export async function startOtlpCollector(): Promise<OtlpCollector> {
  const calls: OtlpCollector['calls'] = []
  const taken: CollectedSpan[] = []
  let status = 200
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const read = exported.safeParse(JSON.parse(text))
      const [resource] = read.data?.resourceSpans ?? []
      calls.push({
        path: `${request.method} ${request.url}`,
        headers: request.headers,
        text,
        resource: resource?.resource.attributes ?? {},
      })
      const given = read.success ? status : 400
      if (given === 200) taken.push(...(resource?.scopeSpans.flatMap(({ spans }) => spans) ?? []))
      response.writeHead(given, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => taken,
    calls,
    answer: (given) => (status = given),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
