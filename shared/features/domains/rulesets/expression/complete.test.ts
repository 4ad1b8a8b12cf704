import fc from 'fast-check'
import { expect, test } from 'vitest'
import { completeExpression, type CompletionContext } from './complete.ts'

const free: CompletionContext = {
  phase: 'http_request_firewall_custom',
  tier: 'free',
  countries: [
    { code: 'DE', name: 'Germany' },
    { code: 'RU', name: 'Russia' },
    { code: 'AX', name: 'Åland' },
  ],
}

/** The labels at the place of `|`. */
const labelsAt = (marked: string, context = free): readonly string[] =>
  completeExpression(marked.replace('|', ''), marked.indexOf('|'), context).suggestions.map(({ label }) => label)

/** The expression after the suggestion was accepted, with the cursor as `|`. */
function accept(marked: string, label: string, context = free): string {
  const text = marked.replace('|', '')
  const { from, to, suggestions } = completeExpression(text, marked.indexOf('|'), context)
  const found = suggestions.find((one) => one.label === label)
  if (found === undefined) return 'not suggested'
  const caret = found.caret ?? found.insert.length
  return `${text.slice(0, from)}${found.insert.slice(0, caret)}|${found.insert.slice(caret)}${text.slice(to)}`
}

test('fields and functions are suggested where a condition begins, the best matches first', () => {
  expect(labelsAt('|').slice(0, 2)).toEqual(['http.host', 'http.request.uri.path'])
  expect(labelsAt('http.request.uri.p|')).toEqual([
    'http.request.uri.path',
    'http.request.uri.path.extension',
    'raw.http.request.uri.path',
    'raw.http.request.uri.path.extension',
  ])
  expect(labelsAt('ssl and coun|')).toEqual(['ip.src.country'])
  expect(labelsAt('(not low|')).toEqual(['lower'])
  expect(labelsAt('starts_with(http.h|')).toEqual(['http.host'])
  expect(labelsAt('no|')[0]).toBe('not')
})

test('what the plan, the phase or a condition does not have is not suggested', () => {
  expect(labelsAt('bot_management|')).toEqual([])
  expect(labelsAt('bot_management.sc|', { ...free, tier: null })).toEqual(['cf.bot_management.score'])
  expect(labelsAt('response.code|')).toEqual([])
  expect(labelsAt('response.code|', { ...free, phase: 'http_response_headers_transform' })).toEqual(['http.response.code'])
  expect(labelsAt('wildcard_r|')).toEqual([])
  expect(labelsAt('wildcard_r|', { ...free, kind: 'value' })).toEqual(['wildcard_replace'])
  expect(labelsAt('regex_r|', { ...free, kind: 'value' })).toEqual([])
  expect(labelsAt('http.host mat|')).toEqual([])
  expect(labelsAt('http.host mat|', { ...free, tier: 'business' })).toEqual(['matches'])
})

test('operators fit the type of the field', () => {
  expect(labelsAt('http.host |')).toContain('contains')
  expect(labelsAt('ip.src |')).toEqual(['eq', 'ne', 'in'])
  expect(labelsAt('ip.src.asnum g|')).toEqual(['gt', 'ge'])
  expect(labelsAt('len(http.host) |')).toEqual(labelsAt('ip.src.asnum |'))
  expect(labelsAt('http.request.headers["x"][0] |')).toEqual(labelsAt('http.host |'))
  expect(labelsAt('http.request.headers |')).toEqual([])
  expect(labelsAt('http.host strict |')).toEqual(['wildcard'])
  expect(labelsAt('unknown.field |')).toContain('eq')
})

test('the values of a field are suggested, countries also by their names', () => {
  expect(labelsAt('http.request.method eq |')).toContain('POST')
  expect(labelsAt('http.request.method eq "p|')).toEqual(['POST', 'PUT', 'PATCH', 'OPTIONS'])
  expect(labelsAt('ip.src.country in {"DE" ru|')).toEqual(['RU'])
  expect(labelsAt('ip.src.country in {"germ|')).toEqual(['DE'])
  expect(labelsAt('ip.src.country in {ålan|}')).toEqual(['AX'])
  expect(labelsAt('cf.verified_bot_category in {"ai |')).toEqual(['AI Assistant', 'AI Crawler', 'AI Search'])
  expect(labelsAt('http.host eq "|')).toEqual([])
  expect(labelsAt('http.request.headers["|')).toEqual([])
  expect(labelsAt('lower(http.request.method) eq |')).toEqual([])
  expect(labelsAt('http.request.method matches |')).toEqual([])
  expect(labelsAt('http.request.method in |')).toEqual([])
})

test('connectives follow a condition', () => {
  for (const condition of ['ssl', 'http.host eq "x"', '(ssl)', 'ip.src in {1.1.1.1}', 'ip.src in $list', 'starts_with(http.host, "x")']) {
    expect(labelsAt(`${condition} |`)).toEqual(['and', 'or', 'xor'])
  }
  expect(labelsAt('ssl a|')).toEqual(['and'])
})

test('a suggestion replaces the word at the cursor', () => {
  expect(accept('http.ho|st eq "x"', 'http.host')).toBe('http.host| eq "x"')
  expect(accept('hos|', 'http.host')).toBe('http.host |')
  expect(accept('ip.src i|', 'in')).toBe('ip.src in {|}')
  expect(accept('any(headers|)', 'http.request.headers')).toBe('any(http.request.headers["|"][*] )')
  expect(accept('headers|', 'http.request.headers')).toBe('http.request.headers["|"][0] ')
  expect(accept('lo|', 'lower')).toBe('lower(|)')
  expect(accept('ip.src.country eq "r|u" and ssl', 'RU')).toBe('ip.src.country eq "RU"| and ssl')
  expect(accept('ip.src.country in {r|}', 'RU')).toBe('ip.src.country in {"RU"|}')
})

test('what is typed in full is not suggested unless it can be continued', () => {
  expect(labelsAt('ssl|')).toEqual([])
  expect(labelsAt('http.request.uri.query|')).toEqual(['http.request.uri.query', 'raw.http.request.uri.query'])
  expect(labelsAt('ip.src in|')).toEqual(['in'])
  expect(labelsAt('http.host in|')).toEqual(['in', 'contains'])
})

test('no text makes it throw', () => {
  const piece = fc.constantFrom(
    'http.host',
    'ssl',
    'ip.src.country',
    ' ',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    ',',
    '"',
    'eq',
    'in',
    'strict',
    'any',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 20 }), fc.nat(), (parts, place) => {
      const text = parts.join('')
      const cursor = place % (text.length + 1)
      const { from, to } = completeExpression(text, cursor, free)
      expect(from).toBeLessThanOrEqual(cursor)
      expect(to).toBeGreaterThanOrEqual(cursor)
      expect(to).toBeLessThanOrEqual(text.length)
    }),
  )
})
