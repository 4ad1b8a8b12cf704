import { useCallback, useMemo, useState } from 'react'
import { settingCatalog } from '#shared/features/domains/settings/catalog.ts'
import { hstsOf, type SecurityState } from '#shared/features/domains/settings/rules.ts'
import type { HstsSetting, SettingsPatch } from '#shared/features/domains/settings/schema.ts'
import { trpc, type Outputs } from '#client/lib/trpc.ts'
import { useLiveQueries } from '#client/lib/live-queries.ts'

type Settings = Outputs['domains']['settings']['settings']

/** The effective value of every setting; null if it was not read. */
export interface Current {
  ssl: string | null
  minTlsVersion: string | null
  alwaysUseHttps: boolean | null
  hsts: HstsSetting | null
  securityLevel: string | null
  developmentMode: boolean | null
  universalSsl: boolean | null
  botFightMode: boolean | null
  aiBots: string | null
  aiLabyrinth: boolean | null
  managedRobotsTxt: boolean | null
  dnssec: boolean | null
}

const currentOf = (settings: Settings): Current => ({
  ssl: settings.ssl,
  minTlsVersion: settings.minTlsVersion,
  alwaysUseHttps: settings.alwaysUseHttps,
  hsts: hstsOf(settings.values[settingCatalog.hsts.id]?.value),
  securityLevel: settings.securityLevel,
  developmentMode: settings.developmentMode > 0,
  universalSsl: settings.universalSsl,
  botFightMode: settings.botFightMode,
  aiBots: settings.aiBots,
  aiLabyrinth: settings.aiLabyrinth,
  managedRobotsTxt: settings.managedRobotsTxt,
  dnssec: settings.dnssec,
})

export interface ZoneSettings {
  domainId: string
  settings: Settings
  current: Current
  state: SecurityState
  /** Why all changes are disabled. */
  locked: string | null
  /** Applies an optimistic change; returns a function that removes it. */
  hold: (patch: SettingsPatch) => () => void
  /** Stores the provider's response. */
  take: (settings: Settings) => void
}

/** The settings of a domain with pending changes applied: optimistic, and rolled back on failure. */
export function useZoneSettings(domainId: string, trackerBound: boolean) {
  const utils = trpc.useUtils()
  const query = trpc.domains.settings.useQuery({ id: domainId })
  const [held, setHeld] = useState<readonly SettingsPatch[]>([])
  const hold = useCallback((patch: SettingsPatch) => {
    setHeld((before) => [...before, patch])
    return () => setHeld((before) => before.filter((each) => each !== patch))
  }, [])
  const take = useCallback(
    (settings: Settings) => {
      utils.domains.settings.setData({ id: domainId }, { settings })
      void utils.domains.full.invalidate({ id: domainId })
    },
    [utils, domainId],
  )
  const settings = query.data?.settings
  const shown = useMemo(() => {
    if (settings === undefined) return undefined
    const current = held.reduce<Current>((before, patch) => Object.assign({ ...before }, patch), currentOf(settings))
    return {
      domainId,
      settings,
      current,
      state: { ...current, hsts: current.hsts?.enabled ?? settings.hsts, trackerBound },
      hold,
      take,
    }
  }, [settings, held, domainId, trackerBound, hold, take])
  return { query, shown }
}

/** The certificates as last read, immediately, and then from the provider. */
export function useSsl(domainId: string) {
  const mirror = trpc.zoneSettings.ssl.useQuery({ id: domainId, fresh: false })
  // A separate batch from the mirror, because one would wait for the other.
  const provider = trpc.zoneSettings.ssl.useQuery({ id: domainId, fresh: true }, { enabled: mirror.isFetched, retry: false })
  useLiveQueries('certificates')
  const found = [provider.data?.ssl, mirror.data?.ssl].filter((ssl) => ssl !== undefined)
  const [ssl] = found.toSorted((a, b) => (b.readAt ?? '').localeCompare(a.readAt ?? ''))
  return {
    ssl,
    updating: provider.isFetching,
    /** Why the provider's response is missing. */
    error: provider.error ?? (ssl === undefined ? mirror.error : null),
    renew: () => void provider.refetch(),
  }
}
