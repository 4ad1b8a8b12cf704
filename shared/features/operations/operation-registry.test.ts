import { expect, test } from 'vitest'
import en from '#shared/i18n/locales/en/operations.json' with { type: 'json' }
import { findKind, operationKindNames, operationRegistry, operationRequest } from './registry.ts'
import { operationKind } from './schema.ts'

test('every kind has a name for lists, and kinds for domains have one for bulk actions', () => {
  expect(Object.keys(en.kinds).toSorted()).toEqual(operationKindNames.toSorted())
  for (const kind of operationKindNames) {
    if (operationRegistry[kind].target === 'domains') expect(en.bulk).toHaveProperty(`${kind}_title`)
  }
})

test('only kinds for domains accept a request', () => {
  expect(operationKind.options).toEqual(operationKindNames)
  const isUnknown = (kind: string) =>
    operationRequest.safeParse({ kind, input: {} }).error?.issues.some(({ path }) => path[0] === 'kind') ?? false
  const ofDomains = operationKindNames.filter((kind) => operationRegistry[kind].target === 'domains')
  expect(operationKindNames.filter((kind) => 'request' in operationRegistry[kind])).toEqual(ofDomains)
  expect(operationKindNames.filter((kind) => !isUnknown(kind))).toEqual(ofDomains)
})

test('a paid kind cannot be undone or run in parts, and an unknown kind is null', () => {
  const paying = operationKindNames.filter((kind) => findKind(kind)?.pays === true)
  expect(paying).toEqual(['buy', 'renew'])
  for (const kind of paying) expect(findKind(kind)).toMatchObject({ undo: 'none', indivisible: true, access: 'own' })
  expect(findKind('no_such_kind')).toBeNull()
  expect(findKind('constructor')).toBeNull()
})
