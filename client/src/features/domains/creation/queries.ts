import { useEffect, useMemo, useState } from 'react'
import { allows } from '#shared/features/sharing/rules.ts'
import type { Account } from '#shared/features/accounts/schema.ts'
import { api, trpc } from '#client/lib/trpc.ts'
import { mostNames } from '../lookup/split-names.ts'

const none: readonly Account[] = []

/** The accounts to which the user may add domains, by email; empty while `reading`. */
export function useManagedAccounts(): { readonly accounts: readonly Account[]; readonly reading: boolean } {
  const { data, isPending } = trpc.accounts.list.useQuery({})
  const all = data?.accounts
  return useMemo(() => ({ accounts: all?.filter(({ shared }) => allows(shared, 'manage')) ?? none, reading: isPending }), [all, isPending])
}

const settleMs = 350

/** Which names are already in the panel, and in which accounts; each name is looked up once. */
export function useOurs(names: readonly string[]): ReadonlyMap<string, string | null> {
  const [known, setKnown] = useState<ReadonlyMap<string, string | null>>(new Map())
  useEffect(() => {
    const asked = names.filter((name) => !known.has(name)).slice(0, mostNames)
    if (asked.length === 0) return
    const leaving = new AbortController()
    const timer = setTimeout(() => {
      api.domains.lookup.mutate({ names: asked }, { signal: leaving.signal }).then(
        ({ results }) =>
          setKnown(
            (before) =>
              new Map([
                ...before,
                ...asked.map((name) => [name, null] as const),
                ...results.flatMap(({ name, domain, others }) =>
                  name === null || domain === null
                    ? []
                    : [[name, [domain, ...others].map(({ accountEmail }) => accountEmail).join(', ')] as const],
                ),
              ]),
          ),
        // The preview reports them too.
        () => undefined,
      )
    }, settleMs)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [names, known])
  return known
}
