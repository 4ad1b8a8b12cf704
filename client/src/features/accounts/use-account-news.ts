import { trpc } from '#client/lib/trpc.ts'

/** After a change of accounts: everything that shows them or their domains is read again. */
export function useAccountNews(): () => Promise<void> {
  const utils = trpc.useUtils()
  return async () => {
    await Promise.all([utils.accounts.invalidate(), utils.domains.invalidate()])
  }
}
