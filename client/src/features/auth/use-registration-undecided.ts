import { auth } from '#client/lib/auth.ts'
import { trpc } from '#client/lib/trpc.ts'

/** Whether an administrator looks who is to decide about registration; undefined as long as that is not known. */
export function useRegistrationUndecided(): boolean | undefined {
  const admin = auth.use().user?.role === 'admin'
  const query = trpc.settings.get.useQuery(undefined, { enabled: admin })
  return !admin || query.isError ? false : query.data?.registrationUndecided
}
