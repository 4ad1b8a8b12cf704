import { queryClient } from '#client/lib/query-client.ts'

/** After a change of users: everything that shows them, or what was theirs, is read again. */
export async function readUsersAgain(): Promise<void> {
  await Promise.all(['users', 'me', 'accounts', 'domains', 'groups'].map((part) => queryClient.invalidateQueries({ queryKey: [[part]] })))
}
