import { domainToASCII } from 'node:url'
import { AppError } from '#shared/errors/app-error.ts'
import { dnsAddRequest, dnsDeleteRequest, dnsEditRequest, dnsReplaceRequest } from '#shared/features/operations/record-requests.ts'
import type { DomainValues } from '#shared/features/operations/record-requests.ts'
import { parseName } from '#shared/features/domains/records/rules.ts'
import { isPossibleName } from '#shared/possible-host.ts'
import type { DnsRecord, RecordInput } from '#shared/features/domains/records/schema.ts'
import { fillTemplate, usesValue } from '#shared/features/domains/records/template.ts'
import type { TemplateValues } from '#shared/features/domains/records/template.ts'
import type { DomainOperationKind } from '../operation-kind.ts'
import type { PlanZone } from '../planned.ts'
import { planAddition, planEdit, planReplacement } from './plan-records.policy.ts'
import type { Replacement, RecordEdit } from './plan-records.policy.ts'
import { holdsContent } from './match-content.ts'
import type { ContentMatch } from './match-content.ts'
import { planMany, runChanges } from './records.ts'

interface Filter {
  readonly type?: string | undefined
  readonly name?: string | undefined
  readonly content?: string | undefined
  readonly match: ContentMatch
}

/** The values of `{{domain}}` and `{{value}}` for each domain. */
function templateValues(values: DomainValues, texts: readonly (string | null | undefined)[]): (zone: PlanZone) => TemplateValues {
  const asciiOf = (domain: string) => (isPossibleName(domain) ? domainToASCII(domain.replace(/\.$/, '')) : '')
  const byDomain = new Map(values.map(({ domain, value }) => [asciiOf(domain), value]))
  const needed = texts.some((text) => typeof text === 'string' && usesValue(text))
  return ({ name }) => {
    const value = byDomain.get(name)
    if (needed && value === undefined) throw new AppError('validation_failed', { issues: [{ path: 'values', message: 'value_missing' }] })
    return { domain: name, value }
  }
}

/** The matching records: every given filter must match. */
function matching(records: readonly DnsRecord[], { type, name = '', content = '', match }: Filter, domain: string): DnsRecord[] {
  const given = fillTemplate(name, { domain })
  const parsed = name === '' ? null : parseName(given, domain)
  const whole = parsed === null ? null : 'value' in parsed ? parsed.value : given
  const wanted = fillTemplate(content, { domain })
  return records.filter(
    (record) =>
      (type === undefined || record.type === type) &&
      (whole === null || record.name === whole) &&
      (wanted === '' || holdsContent(record, wanted, match, domain)),
  )
}

interface Addition {
  readonly records: RecordInput[]
  readonly mode: 'add' | 'replace'
  readonly values: DomainValues
}

export const dnsAdd: DomainOperationKind<Addition> = {
  input: dnsAddRequest,
  plan(ctx, zones, { records: wanted, mode, values }) {
    const valuesOf = templateValues(
      values,
      wanted.flatMap(({ name, content, comment }) => [name, content, comment]),
    )
    return planMany(ctx, zones, (records, zone) => planAddition(records, wanted, mode, valuesOf(zone)))
  },
  run: runChanges,
}

export const dnsDelete: DomainOperationKind<Filter> = {
  input: dnsDeleteRequest,
  plan: (ctx, zones, filter) =>
    planMany(ctx, zones, (records, zone) => ({ deletes: matching(records, filter, zone.name).map(({ id }) => ({ recordId: id })) })),
  run: runChanges,
}

/** Changes proxy, TTL, content or comment of the matching records. */
export const dnsEdit: DomainOperationKind<Filter & { readonly set: RecordEdit; readonly values: DomainValues }> = {
  input: dnsEditRequest,
  plan(ctx, zones, { set, values, ...filter }) {
    const valuesOf = templateValues(values, [set.content, set.comment])
    return planMany(ctx, zones, (records, zone) => {
      const meant = matching(records, filter, zone.name)
      return meant.length === 0 ? {} : planEdit(records, meant, set, valuesOf(zone))
    })
  },
  run: runChanges,
}

/** Finds records by content and replaces it. */
export const dnsReplace: DomainOperationKind<Replacement> = {
  input: dnsReplaceRequest,
  plan: (ctx, zones, input) =>
    planMany(ctx, zones, (records, { name: domain }) =>
      planReplacement(
        records,
        { ...input, find: fillTemplate(input.find, { domain }), replace: fillTemplate(input.replace, { domain }) },
        domain,
      ),
    ),
  run: runChanges,
}
