import { expect, test } from 'vitest'
import { tellApart } from './tell-apart.ts'

const named = (name: string, email: string | null = null) => ({ name, email })

test('registrars of one name are told apart by email, or by number; the others keep their names', () => {
  const all = [
    named('Porkbun', 'anna@example.com'),
    named('GoDaddy', 'anna@example.com'),
    named('Porkbun', 'ivan@example.com'),
    named('Porkbun'),
    named('Regru', 'a@example.com'),
    named('Regru', 'a@example.com'),
  ]
  expect(tellApart(all).map(({ name }) => name)).toEqual([
    'Porkbun · anna@example.com',
    'GoDaddy',
    'Porkbun · ivan@example.com',
    'Porkbun (3)',
    'Regru (1)',
    'Regru (2)',
  ])
})
