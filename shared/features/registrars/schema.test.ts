import { expect, test } from 'vitest'
import { registrarProviders } from './catalog.ts'
import { waysOf } from './rules.ts'
import { newRegistrarForm } from './schema.ts'

const missing = (fields: Parameters<typeof newRegistrarForm>[0], given: object) =>
  newRegistrarForm(fields)
    .safeParse({ name: '', ...given })
    .error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`)
    .toSorted()

test('R-APP-03 R-REG-02 every field missing in a new registrar is reported together', () => {
  expect(missing(['username', 'password'], { type: 'MANUAL', username: ' ' })).toEqual([
    'name required',
    'password required',
    'username required',
  ])
  expect(missing(['username', 'password'], { provider: 'OTHER', username: 'anna', password: 'x' })).toEqual([
    'company required',
    'name required',
  ])
  expect(missing([], { provider: 'OTHER', company: 'Firm' })).toEqual(['name required'])
  for (const provider of registrarProviders) {
    for (const way of waysOf({ type: 'API_ENABLED', provider })) {
      const whole = Object.fromEntries(way.map((field) => [field, field === 'clientIp' ? '192.0.2.1' : 'filled']))
      expect(missing(way, { type: 'API_ENABLED', provider })).toEqual(['name', ...way].toSorted().map((field) => `${field} required`))
      expect(missing(way, { type: 'API_ENABLED', provider, name: 'One', ...whole })).toBeUndefined()
    }
  }
})
