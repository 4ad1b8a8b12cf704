import { createContext, useContext, useEffect } from 'react'
import { allows } from '#shared/features/sharing/rules.ts'
import type { DomainDetails } from '#shared/features/domains/schema.ts'
import { codeWords, messageOf, providerWords } from '#client/lib/errors.ts'
import { trpc, type Outputs } from '#client/lib/trpc.ts'
import { renewZone } from './queries.ts'

/** What is older is read again when somebody opens the page. */
const oldMs = 5 * 60_000

/** When the oldest part of a domain was read, its certificates aside, which only opening it reads; null where one never was. */
export function readAtOf({ listedAt, recordsReadAt, settingsReadAt }: DomainDetails): string | null {
  if (recordsReadAt === null || settingsReadAt === null) return null
  return [listedAt, recordsReadAt, settingsReadAt].toSorted()[0] ?? listedAt
}

function isOld(zone: DomainDetails): boolean {
  const readAt = readAtOf(zone)
  return readAt === null || zone.certificates === null || Date.now() - new Date(readAt).getTime() > oldMs
}

export type RefreshProblem = Outputs['zoneSettings']['refresh']['problems'][number]

export interface Refresh {
  run: () => void
  running: boolean
  /** Parts that could not be read the last time, while others could. */
  problems: readonly RefreshProblem[]
  /** Why nothing could be read the last time, in words. */
  failure: readonly string[] | null
}

const parts = 4

/** What happened to every part alike is reported once. */
function failureOfAll(problems: readonly RefreshProblem[]): readonly string[] | null {
  const [first, ...others] = problems
  if (first === undefined || problems.length < parts || others.some(({ code }) => code !== first.code)) return null
  return [codeWords(first.code), ...(first.message === null ? [] : [first.message])]
}

const wordsOf = (error: unknown): readonly string[] => [messageOf(error), providerWords(error)].filter((words) => words !== undefined)

/** When this visit last asked for a domain on its own, whatever came of it. */
const askedAtMs = new Map<string, number>()

/** Reads a domain from the provider: when asked, and once on its own where the mirror is old. */
export function useRefresh(id: string, zone: DomainDetails | undefined): Refresh {
  const { mutate, isPending, data, error } = trpc.zoneSettings.refresh.useMutation({
    meta: { failure: false },
    onSettled: (answer) => renewZone(answer?.zone),
  })
  // Anyone who may only look has what others have read.
  const old = zone !== undefined && !zone.gone && allows(zone.shared, 'operate') && isOld(zone)
  useEffect(() => {
    if (!old || Date.now() - (askedAtMs.get(id) ?? 0) < oldMs) return
    askedAtMs.set(id, Date.now())
    mutate({ id })
  }, [old, id, mutate])
  const problems = data?.problems ?? []
  const failure = isPending ? null : error === null ? failureOfAll(problems) : wordsOf(error)
  return {
    run: () => {
      if (!isPending) mutate({ id })
    },
    running: isPending,
    problems: failure === null ? problems : [],
    failure,
  }
}

const Context = createContext<Refresh>({ run: () => undefined, running: false, problems: [], failure: null })
/** The frame reads, the pages inside it report what came of it. */
export const ZoneRefresh = Context.Provider
export const useZoneRefresh = (): Refresh => useContext(Context)
