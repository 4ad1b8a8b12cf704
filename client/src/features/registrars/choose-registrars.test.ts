import { expect, test } from 'vitest'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { byName, chooseRegistrars, disambiguateNames } from './choose-registrars.ts'

const registrar = (name: string, ownerId: string, shared: Registrar['shared']) =>
  ({ name, ownerId, shared, provider: 'PORKBUN', company: null, email: null }) as Registrar
const all = [
  registrar('Theirs', 'anna', { by: 'Anna', level: 'view' }),
  registrar('Mine', 'me', null),
  registrar('Boris’s', 'boris', { by: 'Boris', level: 'manage' }),
]
const selected = (search: object) => chooseRegistrars(all, { q: '', ...search }, byName).map(({ name }) => name)

test('R-PRM-02 own and shared registrars are listed together and can be filtered by either, or by owner', () => {
  expect(selected({})).toEqual(['Boris’s', 'Mine', 'Theirs'])
  expect(selected({ whose: 'own' })).toEqual(['Mine'])
  expect(selected({ whose: 'shared' })).toEqual(['Boris’s', 'Theirs'])
  expect(selected({ owner: 'anna' })).toEqual(['Theirs'])
  expect(selected({ whose: 'shared', q: 'bor' })).toEqual(['Boris’s'])
})

const named = (name: string, email: string | null = null) => ({ name, email })

test('registrars with the same name are distinguished by email or number; the others keep their names', () => {
  const all = [
    named('Porkbun', 'anna@example.com'),
    named('GoDaddy', 'anna@example.com'),
    named('Porkbun', 'ivan@example.com'),
    named('Porkbun'),
    named('Regru', 'a@example.com'),
    named('Regru', 'a@example.com'),
  ]
  expect(disambiguateNames(all).map(({ name }) => name)).toEqual([
    'Porkbun · anna@example.com',
    'GoDaddy',
    'Porkbun · ivan@example.com',
    'Porkbun (3)',
    'Regru (1)',
    'Regru (2)',
  ])
})
