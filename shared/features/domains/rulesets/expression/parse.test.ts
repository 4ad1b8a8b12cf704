import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ComparisonOperator } from './operators.ts'
import { longestExpression } from '../phases.ts'
import type { ExpressionContext } from './context.ts'
import { parseExpression } from './parse.ts'
import type { Argument, Comparand, Condition, Literal, Operand } from './syntax-tree.ts'

const waf: ExpressionContext = { phase: 'http_request_firewall_custom', tier: 'enterprise' }
const value: ExpressionContext = { phase: 'http_request_dynamic_redirect', tier: 'enterprise', kind: 'value' }

/** The code of the error and the text that it marks; null if there is none. */
function errorOf(text: string, context = waf): readonly [code: string, marked: string] | null {
  const parsed = parseExpression(text, context)
  return parsed.ok ? null : [parsed.error.code, text.slice(parsed.error.at, parsed.error.at + parsed.error.length)]
}
const warningsOf = (text: string, context = waf): readonly string[] => parseExpression(text, context).warnings.map(({ code }) => code)

// From the pages of developers.cloudflare.com/ruleset-engine/rules-language and its fields.
test.each([
  'http.request.uri.path matches "/autodiscover\\.(xml|src)$"',
  'http.host eq "www.example.com" and not cf.edge.server_port in {80 443}',
  'lower(http.host) == "www.cloudflare.com"',
  'all(http.request.headers["content-type"][*] == "application/json")',
  '(any(decode_base64(http.request.headers["client_id"][*])[*] eq "123abc"))',
  'any(url_decode(http.request.body.form.values[*])[*] contains "an xss attack")',
  'url_decode(http.request.uri.path) matches "(?u)\\p{Hangul}+"',
  'lookup_json_string(http.request.body.raw, "network", "name") == "cloudflare"',
  'lookup_json_integer(http.request.body.raw, 1, "product_id") == 456',
  'ip.src ne 203.0.113.0',
  'cf.threat_score lt 10',
  'http.request.uri.path strict wildcard "/AdminTeam/*"',
  'http.request.full_uri wildcard "*.example.com/*" or http.request.full_uri wildcard "example.com/*"',
  'ip.src in { 203.0.113.0 203.0.113.1 }',
  'ip.src in {198.51.100.1 198.51.100.3..198.51.100.7 192.0.2.0/24 2001:0db8::/32}',
  'cf.edge.server_port in {8000..8009 8080..8089}',
  '(ip.src in $office_network)',
  'ip.src in $cf.open_proxies',
  'ssl',
  'not ssl',
  '!ssl || !(cf.client.bot)',
  'true',
  'http.request.headers.names[0] == "Content-Type"',
  'any(lower(http.request.headers.names[*])[*] == "content-type")',
  'len(http.request.uri.args["filter"][1]) eq 4',
  'all(len(http.request.uri.args["filter"][*])[*] in {3 4})',
  'all(not len(http.request.uri.args["filter"][*])[*] in {3 4})',
  'not len(http.request.uri.args["order"]) >= 0',
  'any(cf.bot_management.detection_ids[*] eq 33554817)',
  'http.request.uri.path matches r#"a"b"#',
  'http.request.uri.path matches r##"a"#b"##',
  'http.request.uri.path matches "a\\"#b"',
  'ends_with(http.request.uri.path, ".html")',
  'substring(http.request.uri.path, 0, -2) eq "x"',
  `(
   (http.host eq "api.example.com" and http.request.uri.path eq "/api/v2/auth") or
   (http.host matches "^(www|store|blog)\\.example\\.com" and http.request.uri.path contains "wp-login.php") or
   ip.geoip.country in {"CN" "TH" "US"} or ip.geoip.asnum in {12345 54321 11111}
  ) and not ip.src in {11.22.33.0/24}`,
  'is_timed_hmac_valid_v0("key", concat(http.request.uri, http.request.headers["mac"][0]), 100000, http.request.timestamp.sec, 0)',
  'not cf.bot_management.verified_bot and not cf.bot_management.static_resource and cf.bot_management.score lt 30',
])('accepts the documented expression %s', (text) => {
  expect(errorOf(text)).toBeNull()
})

test.each([
  'concat("https://example.com", http.request.uri.path)',
  'regex_replace("/foo/a/path", "^/foo/([^/]*)/(.*)$", "/bar/${2}/${1}")',
  'wildcard_replace(http.request.uri.path, r"/apps/*", "/${1}", "s")',
  'to_string(cf.bot_management.score)',
  'remove_query_args(http.request.uri.query, "country", "order")',
  'uuidv4(cf.random_seed)',
  '"https://example.com/"',
  'http.request.accepted_languages[0]',
])('accepts the documented value %s', (text) => {
  expect(errorOf(text, value)).toBeNull()
})

test.each([
  // Beginnings of an expression
  ['', 'unexpected_end', ''],
  ['http.host', 'unexpected_end', ''],
  ['http.host eq', 'unexpected_end', ''],
  ['ssl and', 'unexpected_end', ''],
  ['http.host eq "x', 'unbalanced', '"'],
  ['http.host eq r#"x"', 'unbalanced', 'r'],
  ['(ssl and (cf.client.bot)', 'unbalanced', '('],
  ['any(http.request.headers.names[*] eq "x"', 'unbalanced', '('],
  ['ip.src in {1.1.1.1', 'unbalanced', '{'],
  ['http.request.headers["x"', 'unbalanced', '['],
  ['ssl)', 'unbalanced', ')'],
  // What is written in the wrong place
  ['and ssl', 'expected_field', 'and'],
  ['"x" eq http.host', 'expected_field', '"x"'],
  ['()', 'expected_field', ')'],
  ['http.host "x"', 'expected_operator', '"x"'],
  ['ssl cf.client.bot', 'expected_connective', 'cf.client.bot'],
  ['http.host eq "a" "b"', 'expected_connective', '"b"'],
  ["http.host eq 'x'", 'invalid_character', "'"],
  ['http.host eq “x”', 'invalid_character', '“'],
  ['http.host eq http.referer', 'expected_quotes', 'http.referer'],
  ['http.request.uri.path eq /login', 'expected_quotes', '/login'],
  ['ip.src.country in {RU}', 'expected_quotes', 'RU'],
  ['http.host eq пример', 'expected_quotes', 'пример'],
  ['http.host in {"a", "b"}', 'comma_in_set', ','],
  ['http.host in "a"', 'expected_set', '"a"'],
  ['http.host in $Bad-list', 'invalid_list', '$Bad-list'],
  ['http.host starts_with "x"', 'function_as_operator', 'starts_with'],
  ['http.host EQ "x"', 'operator_spelling', 'EQ'],
  ['http.host = "x"', 'operator_spelling', '='],
  ['ssl AND cf.client.bot', 'operator_spelling', 'AND'],
  ['ssl | cf.client.bot', 'operator_spelling', '|'],
  ['(ssl Or ssl)', 'operator_spelling', 'Or'],
  ['http.host strict "x"', 'expected_operator', '"x"'],
  // Types
  ['http.host and ssl', 'expected_condition', 'http.host '],
  ['(http.host)', 'expected_condition', 'http.host'],
  ['ip.src contains "1"', 'operator_type', 'contains'],
  ['ip.src.asnum matches "1"', 'operator_type', 'matches'],
  ['http.host & 1', 'expected_operator', '&'],
  ['ssl eq "true"', 'expected_value', '"true"'],
  ['ssl in {true}', 'operator_type', 'in'],
  ['ip.src eq "1.1.1.1"', 'expected_value', '"1.1.1.1"'],
  ['ip.src eq 1.1.1', 'invalid_ip', '1.1.1'],
  ['ip.src eq 1.1.1.0/24', 'network_needs_set', '1.1.1.0/24'],
  ['ip.src in {1.1.1.0/33}', 'invalid_ip', '1.1.1.0/33'],
  ['ip.src in {1.1.1.1..::1}', 'invalid_range', '1.1.1.1..::1'],
  ['ip.src.asnum eq 1.5', 'invalid_number', '1.5'],
  ['ip.src.asnum eq 9223372036854775808', 'invalid_number', '9223372036854775808'],
  ['ip.src.asnum eq 089', 'invalid_number', '089'],
  ['ip.src.asnum in {9..1}', 'invalid_range', '9..1'],
  ['ip.src.asnum in {010..8 011..8}', 'invalid_range', '011..8'],
  ['ip.src.asnum in {1.1.1.0/24}', 'invalid_number', '1.1.1.0/24'],
  ['ip.src.asnum in {"1"}', 'expected_value', '"1"'],
  ['http.request.headers["x"] eq "1"', 'operator_type', 'eq'],
  ['http.request.headers eq "1"', 'operator_type', 'eq'],
  ['http.request.headers[0][0] eq "1"', 'expected_index', '0'],
  ['http.request.headers.names["x"] eq "1"', 'expected_index', '"x"'],
  ['http.host[0] eq "x"', 'expected_operator', '['],
  ['http.request.headers.names[*] == "Content-Type"', 'needs_any', 'http.request.headers.names'],
  ['any(http.request.headers.names[*] == "x" and ssl)', 'mixed_conditions', 'and'],
  ['any(ssl)', 'argument_type', 'ssl'],
  ['lower(ip.src) eq "x"', 'argument_type', 'ip.src'],
  ['lower(http.host, "x") eq "x"', 'argument_count', '"x"'],
  ['lower() eq "x"', 'argument_count', 'lower'],
  ['starts_with("x", "y")', 'argument_not_literal', '"x"'],
  ['concat("x", http.request.headers.names[*]) eq "x"', 'each_not_first', 'http.request.headers.names[*]'],
  ['cidr(ip.src, ip.src.asnum, 24) eq 1.1.1.0', 'argument_literal', 'ip.src.asnum'],
  // Strings
  ['http.host eq "a\\.b"', 'invalid_escape', '\\.'],
  ['http.host wildcard "a**b"', 'double_wildcard', '"a**b"'],
  ['http.host matches "(?!x)"', 'unsupported_regex', '"(?!x)"'],
  ['http.host matches r"(a)\\1"', 'unsupported_regex', 'r"(a)\\1"'],
] as const)('refuses %s: %s at %s', (text, code, marked) => {
  expect(errorOf(text)).toEqual([code, marked])
})

test.each([
  ['http.host eq "a" or unknown.field eq 1', ['unknown_field']],
  ['any(unknown.field[*] in {1 "x" 1.1.1.1}) and future(ssl, 1)[0] matches "x"', ['unknown_field', 'unknown_function']],
  ['ip.geoip.country eq "RU"', ['renamed_field']],
  ['cf.threat_score gt 5 or cf.threat_score lt 5', ['always_zero']],
  ['cf.bot_management.score lt 30', ['needs_add_on']],
  ['to_string(ssl) eq "true"', ['values_only']],
  ['cf.client.bot eq false', ['boolean_comparison']],
  ['ip.src gt 1.1.1.1', ['undocumented_operator']],
  ['http.host eq "a\\tb"', ['undocumented_escape']],
  ['http.host eq 61:62', ['bytes']],
  ['ip.src in {}', ['empty_set']],
  ['ip.src in {1.1.1.9..1.1.1.1}', ['backward_range']],
  ['ip.src in {1.1.1.9/24}', ['host_bits']],
  ['http.host matches "[(?=]" and http.host wildcard r"a\\**"', []],
] as const)('warns about %s', (text, warnings) => {
  expect(warningsOf(text)).toEqual(warnings)
  expect(errorOf(text)).toBeNull()
})

test('what a plan lacks is an error only if the plan is known', () => {
  const codes = (text: string) =>
    (['free', 'pro', 'business', 'enterprise', null] as const).map((tier) => errorOf(text, { ...waf, tier })?.[0] ?? null)
  expect(codes('http.host matches "x"')).toEqual(['plan_lacks_regex', 'plan_lacks_regex', null, null, null])
  expect(codes('len(http.request.cookies["a"]) eq 1')).toEqual(['plan_lacks_field', null, null, null, null])
  expect(codes('cf.waf.score.class eq "attack"')).toEqual(['plan_lacks_field', 'plan_lacks_field', null, null, null])
  expect(codes('cf.waf.score lt 20')).toEqual(['plan_lacks_field', 'plan_lacks_field', 'plan_lacks_field', null, null])
  expect(codes('is_timed_hmac_valid_v0("k", http.request.uri, 1, http.request.timestamp.sec)')).toEqual([
    'plan_lacks_function',
    null,
    null,
    null,
    null,
  ])
})

test('fields of the response exist only where there is a response', () => {
  expect(errorOf('http.response.code eq 404')).toEqual(['not_in_phase', 'http.response.code'])
  expect(errorOf('http.response.code eq 404', { phase: 'http_response_headers_transform', tier: 'free' })).toBeNull()
})

test('rate limiting on Free warns about fields other than path and verified bots', () => {
  const free = { phase: 'http_ratelimit', tier: 'free' } as const
  expect(warningsOf('http.request.uri.path eq "/" and not cf.client.bot', free)).toEqual([])
  expect(warningsOf('http.host eq "x"', free)).toEqual(['free_rate_limit'])
  expect(warningsOf('http.host eq "x"', { ...free, tier: 'pro' })).toEqual([])
})

test('the fields and regular expressions of an expression are known', () => {
  expect(parseExpression('ssl and lower(http.host) ~ "x" or not ssl', waf)).toMatchObject({
    fields: ['ssl', 'http.host'],
    usesRegex: true,
  })
  expect(parseExpression('ssl', waf)).toMatchObject({ usesRegex: false })
})

test('and binds more tightly than xor, and xor more tightly than or', () => {
  const parsed = parseExpression('ssl or ssl xor ssl and ssl', waf)
  expect(parsed.ok && print(parsed.ast, true)).toBe('(ssl or (ssl xor (ssl and ssl)))')
})

test('many groups in a row are not nested', () => {
  expect(errorOf(`ssl${' and (ssl)'.repeat(200)}`)).toBeNull()
})

test('an expression of 4,096 characters is accepted, a longer one is not', () => {
  const text = `http.host eq "${'x'.repeat(longestExpression - 15)}"`
  expect(errorOf(text)).toEqual(null)
  expect(errorOf(`${text} `)).toEqual(['too_long', ' '])
})

test.each([
  ['parentheses', '('.repeat(longestExpression)],
  ['negations', '!'.repeat(longestExpression)],
  ['calls', 'lower('.repeat(682)],
  ['quotes', '"'.repeat(longestExpression)],
  ['raw quotes', 'r#'.repeat(longestExpression / 2)],
  ['hashes', `http.host eq r${'#'.repeat(2_000)}"${'"#'.repeat(1_000)}`],
  ['backslashes', `http.host eq "${'\\'.repeat(4_000)}`],
  ['brackets', `http.request.headers${'["a"]'.repeat(800)}`],
  ['colons', `ip.src in {${':'.repeat(4_000)}}`],
  ['digits', `ip.src.asnum eq ${'9'.repeat(4_000)}`],
  ['dots', `ip.src in {${'.'.repeat(4_000)}}`],
  ['operators', `ssl${' and ssl'.repeat(500)} and`],
])('hostile input is refused without exhausting stack or time: %s', (_, text) => {
  expect(text.length).toBeLessThanOrEqual(longestExpression)
  expect(parseExpression(text, waf).ok).toBe(false)
})

test('no text makes the parser throw, and its places are inside of the text', () => {
  const piece = fc.constantFrom(
    'http.host',
    'ssl',
    'ip.src',
    ' ',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '*',
    ',',
    '"',
    '\\',
    'r#',
    'eq',
    'in',
    'not',
    '1.1.1.1',
    '$a',
    'any',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string({ unit: 'grapheme' })), { maxLength: 30 }), (parts) => {
      const text = parts.join('')
      const parsed = parseExpression(text, waf)
      for (const { at, length } of parsed.ok ? parsed.warnings : [parsed.error, ...parsed.warnings]) {
        expect(at + length).toBeLessThanOrEqual(text.length)
      }
    }),
  )
})

test('a printed expression is read as the same expression', () => {
  fc.assert(
    fc.property(condition, (tree) => {
      expect(parseExpression(print(tree), waf)).toMatchObject({ ok: true, ast: tree })
    }),
  )
})

/** @param isGrouped with parentheses around everything that is combined */
function print(node: Argument, isGrouped = false): string {
  if (node.kind === 'logical') {
    const text = node.items.map((item) => print(item, isGrouped)).join(` ${node.operator} `)
    return isGrouped ? `(${text})` : text
  }
  if (node.kind === 'not') return `not ${print(node.item, isGrouped)}`
  if (node.kind === 'group') return `(${print(node.item, isGrouped)})`
  if (node.kind === 'constant') return String(node.value)
  if (node.kind === 'operand') return printOperand(node.operand)
  if (node.kind === 'comparison') return `${printOperand(node.left)} ${node.operator} ${printComparand(node.right, node.operator)}`
  return printLiteral(node)
}

function printOperand({ source, indexes }: Operand): string {
  const start = source.kind === 'field' ? source.name : `${source.name}(${source.arguments.map((one) => print(one)).join(', ')})`
  return indexes.reduce(
    (text, index) => `${text}[${index.kind === 'each' ? '*' : index.kind === 'key' ? printLiteral(index.key) : index.position}]`,
    start,
  )
}

function printComparand(right: Comparand, operator: ComparisonOperator): string {
  if (right.kind === 'list') return `$${right.name}`
  if (right.kind !== 'set') return printLiteral(right, operator === 'matches')
  return `{${right.items.map((item) => (item.kind === 'range' ? item.text : printLiteral(item))).join(' ')}}`
}

function printLiteral(literal: Literal, isRegex = false): string {
  if (literal.kind === 'boolean') return String(literal.value)
  if (literal.kind !== 'string') return literal.text
  if (literal.hashes === null) return `"${isRegex ? literal.value.replaceAll('"', '\\"') : literal.value.replaceAll(/["\\]/g, '\\$&')}"`
  const hashes = '#'.repeat(literal.hashes)
  return `r${hashes}"${literal.value}"${hashes}`
}

const string = fc.oneof(
  fc.string().map((text): Literal & { kind: 'string' } => ({ kind: 'string', value: text, hashes: null })),
  fc.string().map((text): Literal & { kind: 'string' } => ({ kind: 'string', value: text.replaceAll('"', ''), hashes: 1 })),
)
const number = fc.integer({ min: 1 }).map((one): Literal => ({ kind: 'number', text: String(one) }))
const address = fc.oneof(fc.ipV4(), fc.ipV6()).map((text): Literal => ({ kind: 'address', text }))
const range = fc
  .tuple(fc.nat(), fc.nat())
  .map(([one, other]) => ({ kind: 'range', text: `${Math.min(one, other)}..${Math.max(one, other)}` }) as const)
const field = (name: string): Operand => ({ source: { kind: 'field', name }, indexes: [] })
const part = (operand: Operand, ...indexes: Operand['indexes']): Operand => ({ ...operand, indexes })

const textOperand = fc.oneof(
  fc.constantFrom(field('http.host'), field('http.request.uri.path')),
  fc.nat(9).map((position) => part(field('http.request.headers.names'), { kind: 'position', position })),
  string.map((key) => part(field('http.request.headers'), { kind: 'key', key }, { kind: 'position', position: 0 })),
  fc.constant<Operand>({
    source: { kind: 'call', name: 'lower', arguments: [{ kind: 'operand', operand: field('http.host') }] },
    indexes: [],
  }),
)
const comparison = (left: fc.Arbitrary<Operand>, operator: fc.Arbitrary<ComparisonOperator>, right: fc.Arbitrary<Comparand>) =>
  fc.record({ kind: fc.constant('comparison' as const), left, operator, right })
const set = (items: fc.Arbitrary<(Literal | { readonly kind: 'range'; readonly text: string })[]>) =>
  fc.record({ kind: fc.constant('set' as const), items })
const some = { minLength: 1, maxLength: 3 }

const { condition } = fc.letrec<{ condition: Condition; simple: Condition; conjunction: Condition }>((tie) => ({
  simple: fc.oneof(
    { depthSize: 'small' },
    fc.constant<Condition>({ kind: 'operand', operand: field('ssl') }),
    fc.boolean().map((one): Condition => ({ kind: 'constant', value: one })),
    comparison(textOperand, fc.constantFrom('eq', 'ne', 'contains', 'lt'), string),
    comparison(textOperand, fc.constant('in'), set(fc.array(string, some))),
    comparison(fc.constant(field('ip.src.asnum')), fc.constantFrom('eq', 'ge'), number),
    comparison(fc.constant(field('ip.src.asnum')), fc.constant('in'), set(fc.array(fc.oneof(number, range), some))),
    comparison(fc.constant(field('ip.src')), fc.constant('in'), set(fc.array(address, some))),
    comparison(fc.constant(field('ip.src')), fc.constant('in'), fc.constant<Comparand>({ kind: 'list', name: 'cf.vpn' })),
    fc.record({ kind: fc.constant('not' as const), item: tie('simple') }),
    fc.record({ kind: fc.constant('group' as const), item: tie('condition') }),
  ),
  conjunction: fc.oneof(
    tie('simple'),
    fc.record({
      kind: fc.constant('logical' as const),
      operator: fc.constant('and' as const),
      items: fc.array(tie('simple'), { minLength: 2, maxLength: 3 }),
    }),
  ),
  condition: fc.oneof(
    tie('conjunction'),
    fc.record({
      kind: fc.constant('logical' as const),
      operator: fc.constantFrom('xor' as const, 'or' as const),
      items: fc.array(tie('conjunction'), { minLength: 2, maxLength: 3 }),
    }),
  ),
}))
