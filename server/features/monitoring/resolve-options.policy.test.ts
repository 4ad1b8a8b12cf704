import { expect, test } from 'vitest'
import { defaultCheckOptions } from '#shared/features/monitoring/schema.ts'
import { resolveOptions } from './resolve-options.policy.ts'

test('a group’s value takes precedence over its owner’s, and that over the default', () => {
  expect(resolveOptions(null, undefined)).toEqual(defaultCheckOptions)
  expect(resolveOptions({ path: '/a', slowMs: 500 }, { path: '/b' })).toEqual({ ...defaultCheckOptions, path: '/b', slowMs: 500 })
})

test('an unreadable value from an older version falls back to the default and affects no other', () => {
  for (const key of Object.keys(defaultCheckOptions)) {
    const good = { ...defaultCheckOptions, path: '/mine', timeoutSeconds: 7 }
    expect(resolveOptions({ ...good, [key]: { strange: true } }, null)).toEqual({ ...good, [key]: defaultCheckOptions[key as 'path'] })
  }
  expect(resolveOptions('x', 5)).toEqual(defaultCheckOptions)
})
