import { describe, expect, test } from 'vitest'
import { createContactInput } from '#shared/features/registrars/buying/schema.ts'
import { parseIpAccessValue } from '#shared/features/domains/ip-access/values.ts'
import { valueProblem } from '#shared/features/profiles/variables.ts'
import { isCountryCode } from './country-codes.ts'

const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')
const codes = letters.flatMap((first) => letters.map((second) => first + second))

describe('country codes', () => {
  test('are those of ISO 3166-1 and Kosovo', () => {
    expect(codes.filter(isCountryCode)).toHaveLength(249 + 1)
  })

  test.each(['UK', 'EU', 'UN', 'SU', 'AN', 'YU', 'ZZ', 'QQ', 'XX', 'T1', 'de', 'D', 'DEU', ''])('%s is none', (code) => {
    expect(isCountryCode(code)).toBe(false)
  })

  test('are the same for rules of IP access, variables of profiles and registrants; only Cloudflare’s own codes differ', () => {
    const ofIpAccess = codes.filter((code) => !('issue' in parseIpAccessValue(code)))
    const ofProfiles = codes.filter((code) => valueProblem('countries', code) === null)
    const ofRegistrants = codes.filter((code) => createContactInput.shape.country.safeParse(code).success)
    const all = codes.filter(isCountryCode)
    expect({ ofIpAccess, ofProfiles, ofRegistrants }).toEqual({
      ofIpAccess: all,
      ofProfiles: [...all, 'XX'].toSorted(),
      ofRegistrants: all,
    })
    expect(parseIpAccessValue('T1')).toEqual({ target: 'country', value: 'T1' })
    expect(valueProblem('countries', 'T1')).toBeNull()
  })
})
