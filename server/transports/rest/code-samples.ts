import { sampleId, sampleOf } from '#server/transports/rest/sample-input.ts'
import type { JsonSchema } from '#server/transports/rest/write-type.ts'
import { curlOf, typescriptOf } from '#shared/features/api-calls/write-call.ts'

export interface DescribedCall {
  readonly method: string
  /** Path below `/api` with parameters in braces. */
  readonly path: string
  /** For example `zones.get`; null if there is no procedure. */
  readonly procedure: string | null
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required?: boolean; readonly schema: JsonSchema }[]
  readonly body: JsonSchema | null
}

const sampleRule = { description: 'Block a country', expression: '(ip.src.country eq "XX")', action: 'block' }

/** Samples for calls where one that is generated from the schema would be rejected or would not be instructive. */
const samples: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'alerts.createChannel': { kind: 'webhook', name: 'Pager', url: 'https://hooks.example.com/zonedeck' },
  'alerts.createWindow': { name: 'Server move', startsAt: '2030-01-01T00:00:00Z', endsAt: '2030-01-01T02:00:00Z' },
  'alerts.updateWindow': { name: 'Server move', startsAt: '2030-01-01T00:00:00Z', endsAt: '2030-01-01T03:00:00Z' },
  'ipAccess.add': { values: ['203.0.113.7', 'AS64500'], mode: 'block' },
  'ipAccess.addToAccount': { values: ['203.0.113.7', 'AS64500'], mode: 'block' },
  'ipAccess.update': { note: 'Office' },
  'ipAccess.updateOfAccount': { note: 'Office' },
  'rulesets.createRule': { rule: sampleRule },
  'rulesets.updateRule': { rule: { enabled: false } },
  'rulesets.checkRule': { rule: sampleRule },
  'auth.confirm': { method: 'password', password: 'correct horse battery' },
  'auth.secondFactor': { ticket: 'ticket-from-the-sign-in-response', method: 'totp', code: '123456' },
  'domains.live': { status: 'active', ip: '203.0.113.0/24', limit: 50 },
  'monitoring.updateSettings': { checkInterval: 10 },
  'operations.bulkDns': { ids: [sampleId], delete: { type: 'A', content: '203.0.113.1' } },
  'operations.bulkSettings': { ids: [sampleId], settings: { ssl: 'strict', alwaysUseHttps: true } },
  'operations.preview': {
    request: { kind: 'dns_replace', input: { find: '203.0.113.1', replace: '203.0.113.2' } },
    target: { address: '203.0.113.1' },
  },
  'operations.previewDomainRedirects': { target: { ids: [sampleId] }, url: 'https://www.example.com/' },
  'operations.previewRedirects': { csv: 'old.example.com/page,https://www.example.com/page,301\n' },
  'originCertificates.issue': { keyType: 'rsa', validityDays: 365 },
  'originCertificates.sign': { csr: '-----BEGIN CERTIFICATE REQUEST-----\n…\n-----END CERTIFICATE REQUEST-----', validityDays: 365 },
  'redirects.test': { url: 'https://old.example.com/page' },
  'operations.refreshAll': { preview: true },
  'records.create': { type: 'A', name: 'shop', content: '203.0.113.10', proxied: true },
  'sharing.list': { groupId: sampleId },
  'sharing.create': { groupId: sampleId, user: 'anna', level: 'view' },
  'zoneSettings.purgeCache': { files: ['https://example.com/style.css'] },
  'zoneSettings.update': { ssl: 'strict', alwaysUseHttps: true },
}

interface CallSample {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>> | null
}

const parameterSamples: Readonly<Record<string, unknown>> = {
  accountIds: sampleId,
  cursor: undefined,
  email: 'ops@example.com',
  from: '2030-01-01',
  groupIds: sampleId,
  ip: '203.0.113.0/24',
  nameServers: 'ada.ns.cloudflare.com',
  registrarIds: sampleId,
  search: 'example',
  slug: 'shops',
  timeZone: 'Europe/Berlin',
  to: '2030-12-31',
  zoneIds: sampleId,
}

/** An example of a path or query parameter; undefined if it needs none because its schema lists the values, or if it is opaque. */
export function sampleParameter(name: string, schema: JsonSchema): unknown {
  const known = name in parameterSamples ? parameterSamples[name] : /^(id|\w+Ids?)$/.test(name) ? sampleId : undefined
  if (known !== undefined) return schema.type === 'array' ? [known] : known
  if (name in parameterSamples) return undefined
  if (schema.enum !== undefined || schema.const !== undefined || schema.type === 'boolean') return undefined
  return sampleOf(schema, name)
}

/** The input of a call in its examples. */
export function sampleCall({ procedure, parameters, body }: DescribedCall): CallSample {
  const own = samples[procedure ?? ''] ?? {}
  const samplesIn = (place: string) =>
    Object.fromEntries(
      parameters
        .filter((each) => each.in === place && (place === 'path' || each.required === true || each.name in own))
        .map(({ name, schema }) => [name, own[name] ?? (/^(id|\w+Id)$/.test(name) ? sampleId : sampleOf(schema, name))]),
    )
  const ofBody = Object.fromEntries(Object.entries(own).filter(([name]) => body?.properties?.[name] !== undefined))
  const made = body === null ? null : (sampleOf(body) as CallSample['body'])
  return { params: samplesIn('path'), query: samplesIn('query'), body: Object.keys(ofBody).length > 0 ? ofBody : made }
}

/** The code samples of a call in the form of `x-codeSamples`. */
export function codeSamples(call: DescribedCall, panelUrl: string): readonly { readonly lang: string; readonly source: string }[] {
  const { params, query, body } = sampleCall(call)
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const curl = { lang: 'curl', source: curlOf({ method: call.method, path, query, body }, panelUrl) }
  if (call.procedure === null) return [curl]
  return [curl, { lang: 'TypeScript', source: typescriptOf(call.procedure, { ...params, ...query, ...body }) }]
}
