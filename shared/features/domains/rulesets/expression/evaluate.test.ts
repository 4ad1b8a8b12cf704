import fc from 'fast-check'
import { expect, test } from 'vitest'
import { evaluateCondition, evaluateText } from './evaluate.ts'
import { parseExpression } from './parse.ts'
import { matchWildcard } from './wildcard.ts'

const phase = 'http_request_dynamic_redirect'
const url = new URL('https://www.a.example/Shop/page.HTML?q=1')

function matches(text: string): boolean | null {
  const parsed = parseExpression(text, { phase, tier: 'enterprise' })
  if (!parsed.ok) throw new Error(parsed.error.code)
  return evaluateCondition(parsed.ast, url)
}
function computes(text: string): string | null {
  const parsed = parseExpression(text, { phase, tier: 'enterprise', kind: 'value' })
  if (!parsed.ok) throw new Error(parsed.error.code)
  return evaluateText(parsed.ast, url)
}

test.each([
  ['true', true],
  ['not ssl', false],
  ['ssl and http.host eq "www.a.example"', true],
  ['http.host in {"b.example" "www.a.example"}', true],
  ['http.host in {"b.example"}', false],
  ['http.request.full_uri wildcard "https://*.A.example/shop/*"', true],
  ['http.request.uri.path strict wildcard "/shop/*"', false],
  ['starts_with(http.request.uri.path, "/Shop/") xor ssl', false],
  ['lower(http.request.uri.path) contains "/shop"', true],
  ['http.request.uri.path.extension eq "html"', true],
  ['len(http.host) ge 13', true],
  ['http.request.uri.query ne "q=1"', false],
  ['http.request.method eq "GET"', true],
  ['(http.host eq "x" or http.request.uri eq "/Shop/page.HTML?q=1")', true],
])('%s is decided', (text, result) => {
  expect(matches(text)).toBe(result)
})

test.each([
  'ip.src eq 192.0.2.1',
  'ip.src.country eq "DE"',
  'http.request.full_uri in $list',
  'http.host matches "a"',
  'http.user_agent contains "bot"',
  'not cf.client.bot',
  'http.request.uri.args["q"][0] eq "1"',
  'unknown.field eq "x"',
])('%s depends on more than the address', (text) => {
  expect(matches(text)).toBeNull()
})

test('what cannot be decided does not matter if the rest decides', () => {
  expect(matches('ip.src.country eq "DE" and not ssl')).toBe(false)
  expect(matches('ip.src.country eq "DE" or ssl')).toBe(true)
  expect(matches('ip.src.country eq "DE" xor ssl')).toBeNull()
})

test.each([
  ['concat("https://b.example", http.request.uri.path)', 'https://b.example/Shop/page.HTML'],
  [
    'wildcard_replace(http.request.full_uri, "https://*.a.example/*", "https://${1}.b.example/${2}")',
    'https://www.b.example/Shop/page.HTML?q=1',
  ],
  ['wildcard_replace(http.request.uri.path, "/x/*", "/${1}")', '/Shop/page.HTML'],
  ['wildcard_replace(http.request.uri.path, "/shop/*", "/${1}", "s")', '/Shop/page.HTML'],
  ['substring(http.request.uri.path, 1, -5)', 'Shop/page'],
  ['regex_replace(http.request.uri.path, "^/", "")', null],
  ['wildcard_replace(http.request.full_uri, "*/*", "${1}")', null],
])('%s is computed', (text, result) => {
  expect(computes(text)).toBe(result)
})

test('a wildcard matches what a regular expression matches', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 12 })
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*'), maxLength: 6 })
  fc.assert(
    fc.property(text, pattern, (given, wanted) => {
      const found = matchWildcard(given, wanted, true)
      const [, ...groups] = new RegExp(`^${wanted.replaceAll('*', '(.*?)')}$`).exec(given) ?? [null]
      expect(found !== null).toBe(new RegExp(`^${wanted.replaceAll('*', '.*')}$`).test(given))
      if (found !== null && found.captures !== null) expect(found.captures).toEqual(groups)
    }),
  )
})
