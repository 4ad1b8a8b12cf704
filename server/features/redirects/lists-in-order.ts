import { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import type { HostedRule } from '#server/ports/dns-host.ts'
import { indexRedirects, nextRedirect } from '#shared/features/redirects/graph.ts'
import { ownListName } from '#shared/features/redirects/own-list.ts'
import type { Redirect } from '#shared/features/redirects/schema.ts'
import type { OpenAccount } from '#server/features/sync/index.ts'
import { listAll } from './redirects.repo.ts'
import type { ListRow } from './redirects.repo.ts'

export interface ListDecision {
  readonly redirect: {
    readonly source: string
    readonly list: string
    readonly status: number
    readonly url: URL | null
    readonly target: string
  } | null
  /** The first rule before it that may decide, but not by the address. */
  readonly unclear: string | null
}

export interface OrderedLists {
  /** What the lists that are enabled do with a visit of an address: the first rule whose list has the address decides. */
  decide(url: URL, domain: string): Promise<ListDecision>
  /** The redirect of the panel's list, whether or not the list is enabled. */
  findOwn(url: URL): Redirect | null
}

const ofList = z.object({ from_list: z.object({ name: z.string() }) })
const priority = 'person' as const

/**
 * The lists of an account in the order of the rules that enable them. The panel's list is the stored one; others are searched at the
 * provider, because the panel does not store them.
 * @throws AppError provider_*
 */
export async function openLists(ctx: Ctx, account: OpenAccount, list: ListRow): Promise<OrderedLists> {
  const own = indexRedirects(await listAll(ctx.db.orm, account.id))
  const { connection } = account
  const at = list.othersCount === 0 ? null : await account.providerAccountId({ priority })
  const rules = at === null ? null : await connection.getRedirectRules(at, { priority })
  const lists = at === null ? [] : await connection.listRedirectLists(at, { priority })
  const onlyOwn = [{ name: ownListName, isPlain: true, description: '' }]
  const ordered = rules === null ? (list.rule === 'enabled' ? onlyOwn : []) : rules.rules.flatMap(toOrdered)
  const searched = new Map<string, Promise<ReturnType<typeof indexRedirects>>>()
  const search = (name: string, domain: string) => {
    const id = lists.find((each) => each.name === name)?.id
    if (at === null || id === undefined) return indexRedirects([])
    const key = `${id} ${domain}`
    const known = searched.get(key) ?? connection.listRedirects(at, id, { priority, search: domain }).then(indexRedirects)
    searched.set(key, known)
    return known
  }
  return {
    async decide(url, domain) {
      let unclear: string | null = null
      for (const { name, isPlain, description } of ordered) {
        const next = nextRedirect(name === ownListName ? own : await search(name, domain), url)
        if (next === null) continue
        const { redirect } = next
        if (isPlain)
          return {
            redirect: { source: redirect.source, list: name, status: redirect.status, url: next.url, target: redirect.target },
            unclear,
          }
        unclear ??= description
      }
      return { redirect: null, unclear }
    },
    findOwn: (url) => nextRedirect(own, url)?.redirect ?? null,
  }
}

/** `isPlain`: it has no condition besides that the list has the address. */
function toOrdered({ definition }: HostedRule) {
  const name = ofList.safeParse(definition.action_parameters).data?.from_list.name
  if (name === undefined || !definition.enabled) return []
  const { expression, description } = definition
  return [
    { name, isPlain: expression.replaceAll(/[()\s]/g, '') === `http.request.full_uriin$${name}`, description: description || expression },
  ]
}
