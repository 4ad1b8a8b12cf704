import { queryClient } from '#client/lib/query-client.ts'

/** After a change of who has access: lists show it, and what of others there is to see. */
export async function readSharesAgain(): Promise<void> {
  await Promise.all(
    ['sharing', 'groups', 'accounts', 'registrars', 'trackers', 'domains'].map((part) =>
      queryClient.invalidateQueries({ queryKey: [[part]] }),
    ),
  )
}
