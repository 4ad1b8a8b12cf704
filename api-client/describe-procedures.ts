import { globSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { z } from 'zod'
import { describeFields } from '../server/transports/rest/describe-fields.ts'
import { listProcedures } from '../server/transports/trpc/list-procedures.ts'
import { appRouter } from '../server/transports/trpc/router.ts'
import { recordType } from '../shared/features/domains/records/schema.ts'
import { listDomainsOutput } from '../shared/features/domains/schema.ts'
import { liveEvent } from '../shared/features/live/schema.ts'
import { operationRegistry } from '../shared/features/operations/registry.ts'
import operations from '../shared/i18n/locales/en/operations.json' with { type: 'json' }
import { createTypeWriter } from '../server/transports/rest/write-type.ts'
import type { JsonSchema } from '../server/transports/rest/write-type.ts'

/** Outputs of procedures without an output schema: one serializes its JSON itself, the other is a stream. */
const furtherOutputs: Readonly<Record<string, z.core.$ZodType>> = { 'domains.list': listDomainsOutput, 'live.events': liveEvent }

const shared = fileURLToPath(new URL('../shared/features/', import.meta.url))
const capital = (text: string) => text.replace(/^\w/, (first) => first.toUpperCase())

/** Names of the schemas in `shared/`, so that an editor shows `Domain` instead of its forty fields. */
async function namesOfSchemas(): Promise<Map<z.core.$ZodType, string>> {
  const names = new Map<z.core.$ZodType, string>()
  const taken = new Set<string>()
  const folderOf = (file: string) => basename(dirname(file))
  for (const file of globSync('**/schema.ts', { cwd: shared }).toSorted((one, other) => (folderOf(one) < folderOf(other) ? -1 : 1))) {
    const schemas = (await import(pathToFileURL(join(shared, file)).href)) as Readonly<Record<string, unknown>>
    for (const [name, schema] of Object.entries(schemas)) {
      if (!(schema instanceof z.ZodObject || schema instanceof z.ZodEnum || schema instanceof z.ZodDiscriminatedUnion)) continue
      const plain = capital(name)
      const unique = taken.has(plain)
        ? `${plain}Of${capital(folderOf(file).replaceAll(/-(\w)/g, (_, at: string) => at.toUpperCase()))}`
        : plain
      if (names.has(schema)) continue
      taken.add(unique)
      names.set(schema, unique)
    }
  }
  return names
}

export interface DescribedProcedure {
  /** For example `domains.list`. */
  readonly path: string
  readonly type: 'query' | 'mutation' | 'subscription'
  readonly about: string | undefined
  /** A TypeScript type. */
  readonly input: string
  readonly output: string
  /** Whether the input is optional. */
  readonly optional: boolean
  /** The output field with the items of a page; undefined if there are no pages. */
  readonly items: string | undefined
}

export interface Description {
  readonly procedures: readonly DescribedProcedure[]
  /** Named types as TypeScript declarations. */
  readonly types: readonly string[]
}

/** Every procedure of the router with its input and output as TypeScript that is independent of the server's source. */
export async function describeProcedures(): Promise<Description> {
  const names = await namesOfSchemas()
  const writer = createTypeWriter()
  const outputs = appRouter._def.procedures as unknown as Readonly<Record<string, { readonly _def: { readonly output?: z.core.$ZodType } }>>
  const json = (schema: z.core.$ZodType, io: 'input' | 'output') =>
    z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override({ zodSchema, jsonSchema }) {
        const name = names.get(zodSchema)
        if (name !== undefined) jsonSchema['name'] = name
        if (zodSchema instanceof z.ZodVoid) jsonSchema['void'] = true
      },
    }) as JsonSchema
  const procedures = listProcedures()
    .toSorted((one, other) => one.path.localeCompare(other.path))
    .map(({ path, type, meta, input }): DescribedProcedure => {
      const given = outputs[path]?._def.output ?? furtherOutputs[path]
      if (given === undefined) throw new Error(`${path} has no output schema`)
      const taken = input === undefined ? undefined : describeFields(json(input, 'input'), { procedure: path, path: null })
      const answer = json(given, 'output')
      const lists = Object.entries(answer.properties ?? {}).filter(([, { type: kind }]) => kind === 'array')
      const paged = answer.properties?.['nextCursor'] !== undefined && taken?.properties?.['cursor'] !== undefined
      return {
        path,
        type,
        about: [meta?.openapi?.summary, meta?.openapi?.description].filter((part) => part !== undefined).join('. ') || undefined,
        input: taken === undefined ? 'undefined' : writer.write(taken, 'input'),
        output: writer.write(answer, 'output'),
        optional: taken === undefined || (taken.anyOf === undefined && taken.oneOf === undefined && (taken.required ?? []).length === 0),
        items: paged ? lists[0]?.[0] : undefined,
      }
    })
  return { procedures, types: writer.types() }
}

/**
 * The kinds of operations on selected domains: `ip (Change IP): { ipAddress: string; … }`. The record types are written once, as `RecordType`.
 */
export function describeChanges(): { readonly kinds: readonly string[]; readonly inputs: readonly string[] } {
  const writer = createTypeWriter()
  const inputs = Object.entries(operationRegistry).flatMap(([kind, row]) => {
    if (!('request' in row)) return []
    const schema = z.toJSONSchema(row.request, {
      io: 'input',
      override({ zodSchema, jsonSchema }) {
        if (zodSchema === recordType) jsonSchema['name'] = 'RecordType'
      },
    }) as JsonSchema
    return [[kind, writer.write(schema, 'input')] as const]
  })
  const short = (text: string) =>
    text.replaceAll('Readonly<Record<string, never>>', '{}').replaceAll(/export type |readonly |undefined \| /g, '')
  return {
    kinds: inputs.map(([kind]) => kind),
    inputs: [
      ...inputs.map(([kind, type]) => `${kind} (${operations.kinds[kind as keyof typeof operations.kinds]}): ${short(type)}`),
      ...writer.types().map(short),
    ],
  }
}
