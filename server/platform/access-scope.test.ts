import { expect, test } from 'vitest'
import type { UserActor } from '#server/platform/actor.ts'
import { levelOf, noGrants, sharedOf } from '#server/platform/access-scope.ts'
import type { Grants, AccessTarget } from '#server/platform/access-scope.ts'

const actor = { kind: 'user', userId: 'me', role: 'user' } as UserActor
const grant = (ownerId: string, level: 'view' | 'operate' | 'manage') => ({ level, ownerId, ownerName: ownerId })
const grants: Grants = {
  ...noGrants,
  accounts: new Map([['account', grant('anna', 'view')]]),
  groups: new Map([['group', grant('anna', 'manage')]]),
}
const level = (target: AccessTarget) => levelOf(actor, grants, target)

test('a grant covers what its owner has in the shared object, and nothing that others have in the same account or group', () => {
  expect(level({ ownerId: 'anna', accountId: 'account' })).toBe('view')
  expect(level({ ownerId: 'anna', groupId: 'group' })).toBe('manage')
  expect(level({ ownerId: 'boris', accountId: 'account' })).toBeNull()
  expect(level({ ownerId: 'boris', groupId: 'group' })).toBeNull()
  expect(level({ ownerId: 'boris', accountId: 'account', groupId: 'group' })).toBeNull()
  expect(sharedOf(actor, grants, { ownerId: 'boris', accountId: 'account' })).toBeNull()
})

test('the higher of two grants counts, in either order', () => {
  const target = { ownerId: 'anna', accountId: 'account', groupId: 'group' }
  expect(level(target)).toBe('manage')
  const other = {
    ...grants,
    accounts: new Map([['account', grant('anna', 'operate')]]),
    groups: new Map([['group', grant('anna', 'view')]]),
  }
  expect(levelOf(actor, other, target)).toBe('operate')
  expect(sharedOf(actor, other, target)).toEqual({ by: 'anna', level: 'operate' })
})

test('a user sees what they own, an administrator sees everything, and anything else looks absent', () => {
  expect(level({ ownerId: 'me', accountId: 'account' })).toBe('own')
  expect(level({ ownerId: 'anna', accountId: 'another', groupId: null })).toBeNull()
  expect(level({ ownerId: 'anna' })).toBeNull()
  expect(levelOf({ ...actor, role: 'admin' }, noGrants, { ownerId: 'anna' })).toBe('own')
})
