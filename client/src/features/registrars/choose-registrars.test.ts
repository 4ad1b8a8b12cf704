import { expect, test } from 'vitest'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { byName, chooseRegistrars } from './choose-registrars.ts'

const registrar = (name: string, ownerId: string, shared: Registrar['shared']) =>
  ({ name, ownerId, shared, provider: 'PORKBUN', company: null, email: null }) as Registrar
const all = [
  registrar('Theirs', 'anna', { by: 'Anna', level: 'view' }),
  registrar('Mine', 'me', null),
  registrar('Boris’s', 'boris', { by: 'Boris', level: 'manage' }),
]
const chosen = (search: object) => chooseRegistrars(all, { q: '', ...search }, byName).map(({ name }) => name)

test('R-PRM-02 own and shared registrars are listed together and can be narrowed to either, or to one owner', () => {
  expect(chosen({})).toEqual(['Boris’s', 'Mine', 'Theirs'])
  expect(chosen({ whose: 'own' })).toEqual(['Mine'])
  expect(chosen({ whose: 'shared' })).toEqual(['Boris’s', 'Theirs'])
  expect(chosen({ owner: 'anna' })).toEqual(['Theirs'])
  expect(chosen({ whose: 'shared', q: 'bor' })).toEqual(['Boris’s'])
})
