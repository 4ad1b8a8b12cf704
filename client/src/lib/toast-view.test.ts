import { notificationsStore } from '@mantine/notifications'
import { expect, test, vi } from 'vitest'

vi.stubGlobal('document', { documentElement: { lang: 'en' } })
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined })
const { showToast } = await import('./toast-view.tsx')

test('offers to undo do not hold back an error', () => {
  for (const title of ['one', 'two', 'three', 'four', 'five', 'six'])
    showToast({ kind: 'success', title, action: { label: 'Undo', run: () => undefined } })
  showToast({ kind: 'error', title: 'failed' })
  expect(notificationsStore.getState().notifications.map(({ title }) => title)).toContain('failed')
})
