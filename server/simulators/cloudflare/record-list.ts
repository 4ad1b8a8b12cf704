import { choiceOf, pageOf, slicePage } from './call.ts'
import type { Call } from './call.ts'
import type { SimRecord, SimZone } from './model.ts'
import { recordView } from './record-view.ts'
import { recordsOf } from './records.ts'
import { ok, refuse } from './reply.ts'
import type { Reply } from './reply.ts'

type Test = (record: SimRecord) => boolean

const ORDERS = ['type', 'name', 'content', 'ttl', 'proxied'] as const

/** GET /zones/{zone}/dns_records */
export function listRecords(call: Call, zone: SimZone): Reply {
  const page = pageOf(call.query, { min: 5, max: 5_000_000, fallback: 100 })
  const tests = testsOf(call.query)
  const any = choiceOf(call.query, 'match', ['any', 'all']) === 'any' && tests.length > 0
  let records = recordsOf(call.state, zone)
  if (tests.length > 0)
    records = records.filter((record) => (any ? tests.some((test) => test(record)) : tests.every((test) => test(record))))
  const { items, info } = slicePage(sorted(records, call.query), page)
  return ok(items.map(recordView), info)
}

function sorted(records: readonly SimRecord[], query: URLSearchParams): readonly SimRecord[] {
  const order = choiceOf(query, 'order', ORDERS)
  const sign = choiceOf(query, 'direction', ['asc', 'desc']) === 'desc' ? -1 : 1
  if (order === null && sign === 1) return records
  const key = order ?? 'type'
  return records.toSorted((left, right) => (left[key] < right[key] ? -sign : left[key] > right[key] ? sign : 0))
}

function testsOf(query: URLSearchParams): Test[] {
  const tests: Test[] = []
  const tagTests: Test[] = []
  for (const [name, value] of query) {
    const test = testOf(name, value)
    if (test === null) continue
    if (name.startsWith('tag')) tagTests.push(test)
    else tests.push(test)
  }
  if (tagTests.length > 0) {
    const any = query.get('tag_match') === 'any'
    tests.push((record) => (any ? tagTests.some((test) => test(record)) : tagTests.every((test) => test(record))))
  }
  return tests
}

function testOf(name: string, value: string): Test | null {
  const [field = '', operator = 'exact'] = name.split('.')
  switch (field) {
    case 'type':
      return (record) => record.type === value.toUpperCase()
    case 'proxied':
      return (record) => String(record.proxied) === value
    case 'search':
      return (record) => `${record.name} ${record.content} ${record.comment ?? ''}`.toLowerCase().includes(value.toLowerCase())
    case 'name':
    case 'content': {
      const matches = textTest(operator, value)
      return (record) => matches(record[field])
    }
    case 'comment': {
      if (operator === 'present') return (record) => record.comment !== null
      if (operator === 'absent') return (record) => record.comment === null
      const matches = textTest(operator, value)
      return (record) => matches(record.comment ?? '')
    }
    case 'tag': {
      if (operator === 'present') return (record) => record.tags.some((tag) => tag.split(':')[0] === value)
      if (operator === 'absent') return (record) => !record.tags.some((tag) => tag.split(':')[0] === value)
      const matches = textTest(operator, value)
      return (record) => record.tags.some(matches)
    }
    default:
      return null
  }
}

function textTest(operator: string, value: string): (text: string) => boolean {
  const needle = value.toLowerCase()
  switch (operator) {
    case 'exact':
      return (text) => text.toLowerCase() === needle
    case 'contains':
      return (text) => text.toLowerCase().includes(needle)
    case 'startswith':
      return (text) => text.toLowerCase().startsWith(needle)
    case 'endswith':
      return (text) => text.toLowerCase().endsWith(needle)
    default:
      throw refuse(400, 9207, `Invalid filter operator ${operator}.`)
  }
}
