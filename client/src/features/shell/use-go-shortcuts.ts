import { useNavigate } from '@tanstack/react-router'
import { auth } from '#client/lib/auth.ts'
import type { Shortcuts } from '#client/lib/shortcuts.ts'
import { navigationFor } from './navigation.ts'

/** `g d`, `g a`, …: one for every page of the navigation. */
export function useGoShortcuts(): Shortcuts {
  const navigate = useNavigate()
  const role = auth.use().user?.role ?? 'user'
  return Object.fromEntries(
    navigationFor(role)
      .flatMap((group) => group.items)
      .map((item) => [`g ${item.key}`, () => void navigate({ to: item.to })]),
  )
}
