/** The calls of the official package that `official-client.test.ts` makes, with the fields that it reads. */

type Call<Parameters extends object, Result> = (parameters: Parameters) => Promise<Result>
/** Iterated over, a list reads all its pages. */
type List<Parameters extends object, Entry> = (parameters: Parameters) => Promise<{ readonly result: Entry[] }> & AsyncIterable<Entry>
type ById<Parameters extends object, Result> = (id: string, parameters: Parameters) => Promise<Result>

interface OfZone {
  readonly zone_id: string
}
interface WithId {
  readonly id: string
}
interface Zone extends WithId {
  readonly name: string
  readonly paused?: boolean
  readonly development_mode: number
}
type ZonesFilter = {
  readonly account?: WithId
  readonly per_page?: number
  readonly name?: string
  readonly status?: 'active'
  readonly order?: 'name'
  readonly direction?: 'desc'
}
type Setting = 'ssl' | 'development_mode'
type RecordFields = {
  readonly type: 'A' | 'MX' | 'TXT'
  readonly name: string
  readonly content: string
  readonly ttl: number
  readonly priority?: number
}
type Batch = OfZone & { readonly deletes: readonly WithId[]; readonly posts: readonly RecordFields[] }

export interface OfficialClient {
  readonly zones: {
    readonly list: List<ZonesFilter, Zone>
    readonly create: Call<{ readonly account: WithId; readonly name: string; readonly type?: 'full' }, Zone>
    readonly edit: Call<OfZone & { readonly paused: boolean }, Zone>
    readonly get: Call<OfZone, Zone>
    readonly delete: Call<OfZone, unknown>
    readonly activationCheck: { readonly trigger: Call<OfZone, unknown> }
    readonly settings: {
      readonly edit: ById<OfZone & { readonly value: string }, unknown>
      readonly get: (id: Setting, of: OfZone) => Promise<unknown>
    }
  }
  readonly dns: {
    readonly records: {
      readonly list: List<OfZone & { readonly name?: { readonly startswith: string }; readonly type?: 'A' }, WithId>
      readonly create: Call<OfZone & RecordFields, WithId>
      readonly edit: ById<OfZone & RecordFields, unknown>
      readonly update: ById<OfZone & RecordFields, unknown>
      readonly get: ById<OfZone, unknown>
      readonly delete: ById<OfZone, unknown>
      readonly batch: Call<Batch, { readonly deletes?: WithId[]; readonly posts?: RecordFields[] }>
      readonly export: Call<OfZone, string>
      readonly import: Call<OfZone & { readonly file: string; readonly proxied: 'false' }, unknown>
    }
    readonly usage: { readonly zone: { readonly get: Call<OfZone, unknown> } }
  }
  readonly ssl: {
    readonly certificatePacks: { readonly list: List<OfZone & { readonly status?: 'all' }, unknown> }
    readonly universal: {
      readonly settings: { readonly edit: Call<OfZone & { readonly enabled: boolean }, unknown>; readonly get: Call<OfZone, unknown> }
    }
    readonly verification: {
      readonly get: Call<OfZone & { readonly retry?: true }, { readonly certificate_status: string; readonly cert_pack_uuid?: string }[]>
      readonly edit: ById<OfZone & { readonly validation_method: 'http' }, unknown>
    }
  }
  readonly cache: { readonly purge: Call<OfZone & ({ readonly purge_everything: true } | { readonly files: readonly string[] }), unknown> }
  readonly accounts: {
    readonly list: () => Promise<{ readonly result: unknown[] }>
    readonly get: Call<{ readonly account_id: string }, unknown>
    readonly tokens: { readonly verify: Call<{ readonly account_id: string }, unknown> }
  }
  readonly user: { readonly get: () => Promise<unknown>; readonly tokens: { readonly verify: () => Promise<unknown> } }
  readonly pageRules: { readonly list: Call<OfZone, unknown> }
  readonly post: (path: string, options: { readonly body: unknown }) => Promise<unknown>
}

export function createOfficialClient(options: {
  readonly apiEmail: string | null
  readonly apiKey: string | null
  readonly apiToken: string | null
  readonly baseURL: string
  readonly maxRetries: number
}): OfficialClient

export class NotFoundError extends Error {}
export class PermissionDeniedError extends Error {}
export class RateLimitError extends Error {}
