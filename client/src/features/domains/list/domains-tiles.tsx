import { useTranslation } from 'react-i18next'
import type { DomainSummary } from '#shared/features/domains/schema.ts'
import { Tile, Tiles } from '#client/ui/chart/tile.tsx'
import { hasFilter, type DomainsSearch } from './search.ts'

/** The tiles of R-DOM-01: each shows a number and toggles a filter. */
export function DomainsTiles({
  summary,
  search,
  onChange,
  onReset,
}: {
  summary: DomainSummary | undefined
  search: DomainsSearch
  onChange: (part: Partial<Record<keyof DomainsSearch, unknown>>) => void
  onReset: () => void
}) {
  const { t } = useTranslation('domains')
  const tiles = summary?.tiles
  const toggle = (key: 'status' | 'ssl' | 'https' | 'level', value: string) => ({
    pressed: search[key] === value,
    onPress: () => onChange({ [key]: search[key] === value ? undefined : value }),
  })
  return (
    <Tiles label={t('tiles.label')}>
      <Tile label={t('tiles.total')} value={tiles?.total} pressed={!hasFilter(search)} onPress={onReset} />
      <Tile label={t('tiles.active')} tone="good" value={tiles?.active} {...toggle('status', 'active')} />
      <Tile label={t('tiles.pending')} tone="warn" value={tiles?.pending} {...toggle('status', 'pending')} />
      <Tile label={t('tiles.with_ssl')} value={tiles?.withSsl} {...toggle('ssl', 'on')} />
      <Tile label={t('tiles.always_https')} value={tiles?.alwaysHttps} {...toggle('https', 'enabled')} />
      <Tile label={t('tiles.under_attack')} tone="bad" value={tiles?.underAttack} {...toggle('level', 'under_attack')} />
    </Tiles>
  )
}
