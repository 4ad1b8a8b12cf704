import { expect, test } from 'vitest'
import { parseRedirects, writeRedirects } from '#shared/features/redirects/csv.ts'
import { mostRedirects } from '#shared/features/redirects/schema.ts'

const plain = {
  status: 301,
  preserveQueryString: false,
  includeSubdomains: false,
  subpathMatching: false,
  preservePathSuffix: false,
}

test("a file of Cloudflare's format is read with Cloudflare's defaults", () => {
  const file = `example.com/contacts,https://example.net/contact-us,301,,,,
example.com/about,https://example.net/about-us,,FALSE,TRUE,,
example.com/docs,https://example.com/draft-docs,302,,TRUE
`
  expect(parseRedirects(file)).toEqual({
    redirects: [
      { ...plain, source: 'example.com/contacts', target: 'https://example.net/contact-us' },
      { ...plain, source: 'example.com/about', target: 'https://example.net/about-us', includeSubdomains: true },
      { ...plain, source: 'example.com/docs', target: 'https://example.com/draft-docs', status: 302, includeSubdomains: true },
    ],
    lineErrors: [],
    isTooLong: false,
  })
})

test.each([
  ['semicolons', 'a.example;https://b.example/x,y;302'],
  ['tabs', 'a.example\thttps://b.example/x,y\t302'],
  ['commas with quotation marks', '"a.example","https://b.example/x,y","302"'],
  ['a byte order mark and Windows line ends', '\uFEFFa.example,"https://b.example/x,y",302\r\n'],
  ['a header in another order', 'target,status,source\n"https://b.example/x,y",302,a.example'],
  ['blank lines', '\n\n"a.example","https://b.example/x,y",302\n\n,,\n'],
])('%s are read', (_, file) => {
  const { redirects, lineErrors } = parseRedirects(file)
  expect({ redirects, lineErrors }).toMatchObject({
    redirects: [{ source: 'a.example/', target: 'https://b.example/x,y', status: 302 }],
    lineErrors: [],
  })
})

test('sources are compared in the form in which a request has them', () => {
  const { redirects, lineErrors } = parseRedirects(
    'HTTPS://Example.COM,https://t.example\nhttps://example.com/,https://t.example\nпример.рф/Путь,https://t.example',
  )
  expect(redirects.map(({ source }) => source)).toEqual(['https://example.com/', 'xn--e1afmkfd.xn--p1ai/%D0%9F%D1%83%D1%82%D1%8C'])
  expect(lineErrors).toEqual([{ line: 2, issue: 'duplicate_source', firstLine: 1 }])
})

test.each([
  [',https://t.example', 'source_required'],
  ['ftp://a.example,https://t.example', 'source_scheme'],
  ['me@a.example/x,https://t.example', 'source_credentials'],
  ['a.example:8080/x,https://t.example', 'source_port'],
  ['a.example/x?q=1,https://t.example', 'source_query'],
  ['a.example/x#y,https://t.example', 'source_fragment'],
  ['*.a.example/,https://t.example', 'source_wildcard'],
  ['localhost/x,https://t.example', 'source_invalid'],
  ['a b.example/x,https://t.example', 'source_invalid'],
  [`a.example/${'x'.repeat(2_100)},https://t.example`, 'source_too_long'],
  [`a.example${'/x'.repeat(17)},https://t.example,,,,true`, 'source_slashes'],
  ['a.example,', 'target_required'],
  ['a.example,t.example', 'target_incomplete'],
  ['a.example,javascript://t.example', 'target_scheme'],
  ['a.example,https://', 'target_invalid'],
  [`a.example,https://t.example/${'x'.repeat(2_100)}`, 'target_too_long'],
  ['a.example,https://t.example/?a=1,301,true', 'target_query'],
  ['a.example,https://t.example,200', 'status_invalid'],
  ['a.example,https://t.example,constructor', 'status_invalid'],
  ['a.example,https://t.example,301,maybe', 'flag_invalid'],
  ['a.example,https://t.example,301,constructor', 'flag_invalid'],
  ['a.example,https://t.example,301,__proto__', 'flag_invalid'],
  ['a.example,https://t.example,301,,,,,more', 'columns_invalid'],
  ['"a.example,https://t.example', 'quote_open'],
])('the line %.60j is an error: %s', (line, issue) => {
  expect(parseRedirects(`first.example,https://t.example\n${line}`)).toMatchObject({
    redirects: [{ source: 'first.example/' }],
    lineErrors: [{ line: 2, issue }],
  })
})

test('lines are counted as in an editor, also after a cell with line breaks', () => {
  expect(parseRedirects('"a\nb.example",https://t.example\n\nx,y').lineErrors).toEqual([
    { line: 1, issue: 'source_invalid' },
    { line: 4, issue: 'source_invalid' },
  ])
})

test('an exported file is read as the same redirects, also those with text that a spreadsheet takes for a formula', () => {
  const redirects = [
    { ...plain, source: 'a.example/x', target: 'https://t.example/a;=1+1', subpathMatching: true, preservePathSuffix: true },
    { ...plain, source: 'https://b.example/', target: 'https://t.example/"q",;', status: 308 as const },
  ].map((each) => ({ ...each, status: each.status as 301 }))
  const file = writeRedirects(redirects)
  expect(file).toContain(`"https://t.example/a;'=1+1"`)
  expect(parseRedirects(file)).toEqual({ redirects, lineErrors: [], isTooLong: false })
})

test('an exported apostrophe before a formula sign is read as it was', () => {
  const redirects = ["https://t.example/a;'=1", "https://t.example/a;''=1", 'https://t.example/a;=1'].map((target, at) => ({
    ...plain,
    source: `a.example/${at}`,
    target,
    status: 301 as const,
  }))
  expect(parseRedirects(writeRedirects(redirects)).redirects).toEqual(redirects)
})

test('sources whose paths differ in letter case are different sources', () => {
  const { redirects, lineErrors } = parseRedirects('A.example/Page,https://t.example/1\na.example/page,https://t.example/2')
  expect(redirects.map(({ source }) => source)).toEqual(['a.example/Page', 'a.example/page'])
  expect(lineErrors).toEqual([])
})

test('100,000 rows are read, 100,001 are not', () => {
  const rows = Array.from({ length: mostRedirects }, (_, at) => `a.example/${at},https://t.example/${at}`).join('\n')
  expect(parseRedirects(rows)).toMatchObject({ redirects: { length: mostRedirects }, isTooLong: false })
  expect(parseRedirects(`source,target\n${rows}\na.example/x,https://t.example`).isTooLong).toBe(true)
})
