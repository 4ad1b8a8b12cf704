import { ActionIcon, Button } from '@mantine/core'
import { IconCheck, IconRefresh, IconX } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BulkDialog } from '#client/features/operations/index.ts'
import { useAllowed } from '#client/features/sharing/index.ts'
import type { DomainDetails } from '#shared/features/domains/schema.ts'
import type { NameServerTruth } from '#shared/features/domains/settings/schema.ts'
import { trpc } from '#client/lib/trpc.ts'
import { CopyButton, CopyText } from '#client/ui/display/copy-button.tsx'
import { ErrorBoundary } from '#client/ui/feedback/error-boundary.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import type { Tone } from '#client/ui/display/state-badge.tsx'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { Fact, None, Section } from './section.tsx'
import classes from './name-servers.module.css'

const tones: Record<NameServerTruth['state'], Tone> = { right: 'good', partly: 'warn', elsewhere: 'bad', none: 'bad', unknown: 'idle' }

/** The name servers that the zone requires, and the current delegation at the registry. */
export function NameServers({ zone, seeded }: { zone: DomainDetails; seeded: boolean }) {
  const { t } = useTranslation('zone')
  // A domain connected by CNAME keeps its name servers.
  const own = zone.type !== 'partial' && zone.nameServers.length > 0
  const check = useNameServerCheck(zone.id, own && !seeded && !zone.gone)
  const truth = check.data?.nameServers
  const delegated = truth?.delegated ?? []
  if (seeded) {
    return (
      <Section title={t('ns.title')}>
        <Skeleton width={180} />
      </Section>
    )
  }
  return (
    <Section
      title={t('ns.title')}
      note={
        zone.nameServers.length > 1 ? (
          <span className="inline gap-4">
            {t('ns.copy_all')}
            <CopyButton text={zone.nameServers.join('\n')} label={t('ns.copy_all')} />
          </span>
        ) : undefined
      }
    >
      {own ? null : <p className="secondary">{t('ns.partial')}</p>}
      {zone.nameServers.length === 0 ? (
        own ? (
          <None />
        ) : null
      ) : (
        <ul className="column gap-6">
          {zone.nameServers.map((name) => (
            <li className="row gap-6 shrink" key={name}>
              <CopyText text={name} />
              {truth?.delegated == null ? null : delegated.includes(name.toLowerCase()) ? (
                <IconCheck size={14} className={classes['set']} role="img" aria-label={t('ns.set')}>
                  <title>{t('ns.set')}</title>
                </IconCheck>
              ) : (
                <IconX size={14} className="bad" role="img" aria-label={t('ns.unset')}>
                  <title>{t('ns.unset')}</title>
                </IconX>
              )}
            </li>
          ))}
        </ul>
      )}
      {own && !zone.gone ? <Delegation zone={zone} check={check} /> : null}
      {zone.vanityNameServers.length > 0 ? (
        <Fact label={t('ns.vanity')}>
          <span className="mono">{zone.vanityNameServers.join(', ')}</span>
        </Fact>
      ) : null}
      {zone.originalNameServers.length > 0 ? (
        <Fact label={t('ns.before')}>
          <span className="mono">{zone.originalNameServers.join(', ')}</span>
        </Fact>
      ) : null}
    </Section>
  )
}

const useNameServerCheck = (id: string, enabled: boolean) =>
  trpc.zoneSettings.nameServers.useQuery({ id }, { enabled, trpc: { context: { unbatched: true } } })

/** Whether the registry has the required name servers, and what to do if not. */
function Delegation({ zone, check }: { zone: DomainDetails; check: ReturnType<typeof useNameServerCheck> }) {
  const { t } = useTranslation('zone')
  const owned = useAllowed('own')
  const [asking, setAsking] = useState(false)
  const truth = check.data?.nameServers
  const strangers = truth?.delegated?.filter((name) => !truth.wanted.includes(name)) ?? []
  return (
    <div className={`column gap-8 ${classes['truth']}`} aria-live="polite">
      <div className="row gap-8 between">
        {truth === undefined ? (
          check.isError ? (
            <StateBadge quiet tone="idle" label={t('ns.state.unknown')} />
          ) : (
            <Skeleton width={180} />
          )
        ) : (
          <StateBadge quiet tone={tones[truth.state]} label={t(`ns.state.${truth.state}`)} />
        )}
        <span className="inline gap-4 fixed size-12 muted">
          {truth === undefined ? null : <RelativeTime at={truth.checkedAt} />}
          <ActionIcon
            size={22}
            aria-label={t('ns.again')}
            title={t('ns.again')}
            data-running={check.isFetching || undefined}
            onClick={() => void check.refetch()}
          >
            <IconRefresh size={13} stroke={1.7} />
          </ActionIcon>
        </span>
      </div>
      {truth === undefined || truth.state === 'right' ? null : <p className="secondary">{t(`ns.todo.${truth.state}`)}</p>}
      {truth === undefined || truth.state === 'right' || zone.registrarId === null || !owned ? null : (
        <Button variant="default" size="xs" style={{ justifySelf: 'start', alignSelf: 'flex-start' }} onClick={() => setAsking(true)}>
          {t('ns.set_there')}
        </Button>
      )}
      {asking ? (
        <ErrorBoundary onFail={() => setAsking(false)}>
          <Suspense>
            <BulkDialog
              kind="name_servers"
              count={1}
              targetOf={() => Promise.resolve({ ids: [zone.id] })}
              onStarted={() => setAsking(false)}
              onClose={() => setAsking(false)}
            />
          </Suspense>
        </ErrorBoundary>
      ) : null}
      {strangers.length > 0 ? (
        <Fact label={t('ns.now')}>
          <span className="mono">{strangers.join(', ')}</span>
        </Fact>
      ) : null}
    </div>
  )
}
