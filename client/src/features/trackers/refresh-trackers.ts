import { queryClient } from '#client/lib/query-client.ts'

/** Reads trackers, and the domains that are bound in them, again; old answers stay meanwhile. */
export async function refreshTrackers(): Promise<void> {
  await Promise.all(['trackers', 'domains'].map((part) => queryClient.invalidateQueries({ queryKey: [[part]] })))
}
