import { queryClient } from '#client/lib/query-client.ts'

/** Reads registrars, and the domains that show them, again; old answers stay meanwhile. */
export async function refreshRegistrars(): Promise<void> {
  await Promise.all(['registrars', 'domains'].map((part) => queryClient.invalidateQueries({ queryKey: [[part]] })))
}
