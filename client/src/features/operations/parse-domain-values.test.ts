import { expect, test } from 'vitest'
import { parseDomainValues } from './parse-domain-values.ts'

test('R-DNS-04 lines of domain;value are parsed, including values with semicolons and spreadsheet tables; the first invalid line is reported', () => {
  expect(parseDomainValues('a.com; token=1 \n\nb.com\tv=DKIM1; p=x\r\n')).toEqual({
    values: [
      { domain: 'a.com', value: 'token=1' },
      { domain: 'b.com', value: 'v=DKIM1; p=x' },
    ],
    wrong: null,
  })
  expect(parseDomainValues('a.com;1\n\nb.com')).toMatchObject({ wrong: 3 })
  expect(parseDomainValues('a.com;')).toMatchObject({ wrong: 1 })
  expect(parseDomainValues(';1')).toMatchObject({ wrong: 1 })
  expect(parseDomainValues(' \n')).toEqual({ values: [], wrong: null })
})
