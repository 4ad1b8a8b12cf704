import { ActionIcon, Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { BulkDialog } from '#client/features/operations/index.ts'
import { useAllowed } from '#client/features/sharing/index.ts'
import type { DomainDetails } from '#shared/features/domains/schema.ts'
import type { DomainRegistry, RegistryView } from '#shared/features/registrars/registry/schema.ts'
import { endsSoonDays } from '#shared/features/domains/settings/rules.ts'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import { formatDate } from '#client/lib/format.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ErrorBoundary } from '#client/ui/feedback/error-boundary.tsx'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { StatusDot, type Tone } from '#client/ui/display/state-badge.tsx'
import { renewZone } from './queries.ts'
import { Fact } from './section.tsx'
import overview from './overview.module.css'
import classes from './registration.module.css'

const dayMs = 86_400_000
/** Compared by whole days, as they are reported. */
export const endTone = (leftMs: number): Tone => (leftMs <= 0 ? 'bad' : Math.floor(leftMs / dayMs) <= endsSoonDays ? 'warn' : 'good')

/** The expiry date of the name and its source; only for its owner. */
export function Registration({ zone: { id, registrarId, nameServers } }: { zone: DomainDetails }) {
  const { t } = useTranslation(['zone', 'domains'])
  const [asking, setAsking] = useState<'renew' | 'auto_renew' | null>(null)
  const own = useAllowed('own')
  const there = trpc.registrars.ofDomain.useQuery({ id }, { enabled: own && registrarId !== null })
  const registration = trpc.registry.ofDomain.useQuery({ id }, { enabled: own, trpc: { context: { unbatched: true } } })
  useLiveQueries('registration')
  if (!own) return null
  const words = (value: boolean | null): string | null => (value === null ? null : t(value ? 'domains:yes' : 'domains:no'))
  const name = registrarId === null ? null : (there.data?.name ?? null)
  const coming = registrarId !== null && there.isPending
  return (
    <>
      <Fact label={t('registrar.expires')}>
        {registration.data === undefined ? (
          registration.isError ? null : (
            <Skeleton width={160} height={39} />
          )
        ) : (
          <End id={id} {...registration.data}>
            {name === null ? null : (
              <Button variant="subtle" size="compact-xs" onClick={() => setAsking('renew')}>
                {t('registrar.renew')}
              </Button>
            )}
          </End>
        )}
      </Fact>
      {name === null && !coming ? null : (
        <>
          <Fact label={t('registrar.renews')}>
            {name === null ? (
              <Skeleton width={40} />
            ) : (
              <span className={`row gap-6 ${classes['line']}`}>
                {words(name.autoRenew)}
                <Button variant="subtle" size="compact-xs" onClick={() => setAsking('auto_renew')}>
                  {name.autoRenew === null ? t('registrar.change') : t(name.autoRenew ? 'registrar.turn_off' : 'registrar.turn_on')}
                </Button>
              </span>
            )}
          </Fact>
          <Fact label={t('registrar.locked')}>{name === null ? <Skeleton width={40} /> : words(name.locked)}</Fact>
          {name === null || name.nameServers === null || name.nameServersAt === null ? null : (
            <Fact label={t('registrar.servers')}>
              <div className={classes['end']}>
                <span className="anywhere mono">{name.nameServers.join(', ')}</span>
                <Note>
                  {sameServers(name.nameServers, nameServers) ? `${t('registrar.set')}, ` : null}
                  <RelativeTime at={name.nameServersAt} />
                </Note>
              </div>
            </Fact>
          )}
        </>
      )}
      {asking === null ? null : (
        <ErrorBoundary onFail={() => setAsking(null)}>
          <Suspense>
            <BulkDialog
              kind={asking}
              count={1}
              {...(asking === 'auto_renew' &&
                name?.autoRenew != null && { given: { kind: 'auto_renew', input: { enabled: !name.autoRenew } } as const })}
              targetOf={() => Promise.resolve({ ids: [id] })}
              onStarted={() => setAsking(null)}
              onClose={() => setAsking(null)}
            />
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  )
}

function End({ id, paid, registry, children }: DomainRegistry & { id: string; children: ReactNode }) {
  const { t } = useTranslation('zone')
  const utils = trpc.useUtils()
  const ask = trpc.registry.ask.useMutation({
    meta: { failure: t('registry.failed') },
    trpc: { context: { unbatched: true } },
    onSuccess: async (answer) => {
      utils.registry.ofDomain.setData({ id }, answer)
      await renewZone()
    },
  })
  const words = useRegistryWords()
  const other =
    paid?.source === 'registrar' && registry.expiresAt !== null && differ(paid.until, registry.expiresAt) ? registry.expiresAt : null
  return (
    <div className={classes['end']} aria-live="polite">
      <div className={`row gap-6 ${classes['line']}`}>
        {paid === null ? (
          <span className="muted">{t('registry.unknown')}</span>
        ) : (
          <span className={overview['end']}>
            <StatusDot tone={endTone(new Date(paid.until).getTime() - Date.now())} />
            <span>{formatDate(paid.until)}</span>
          </span>
        )}
        <ActionIcon
          size={22}
          aria-label={t('registry.ask')}
          title={t('registry.ask')}
          data-running={ask.isPending || undefined}
          onClick={() => {
            if (!ask.isPending) ask.mutate({ id })
          }}
        >
          <IconRefresh size={13} stroke={1.7} />
        </ActionIcon>
        {children}
      </div>
      {paid === null ? (
        <Note>{words.why(registry)}</Note>
      ) : (
        <Note>
          {paid.source === 'registry' ? t('registry.by_registry') : t('registry.by_registrar', { registrar: paid.registrar ?? '' })}
          {', '}
          <RelativeTime at={paid.readAt} />
        </Note>
      )}
      {other === null || registry.readAt === null ? null : (
        <Note>
          {t('registry.differs', { date: formatDate(other) })}
          {', '}
          <RelativeTime at={registry.readAt} />
        </Note>
      )}
      {registry.fault === null || registry.state === 'unreachable' ? null : (
        <Note>{t('registry.last_failed', { why: words.fault(registry.fault) })}</Note>
      )}
    </div>
  )
}

const sameServers = (one: readonly string[], other: readonly string[]): boolean => {
  const sorted = (hosts: readonly string[]) =>
    hosts
      .map((host) => host.toLowerCase())
      .toSorted()
      .join(' ')
  return sorted(one) === sorted(other)
}

const Note = ({ children }: { children: ReactNode }) => <span className="size-12 muted">{children}</span>

/** Registries report seconds, registrars often only days. */
const differ = (one: string, other: string): boolean => Math.abs(new Date(one).getTime() - new Date(other).getTime()) > 2 * dayMs

function useRegistryWords() {
  const { t } = useTranslation('zone')
  const fault = (code: NonNullable<RegistryView['fault']>): string => t(`registry.fault.${code}`)
  return {
    fault,
    /** Why the expiry date is unknown. */
    why: ({ state, name, fault: code }: RegistryView): string => {
      switch (state) {
        case 'unread':
          return t('registry.unread')
        case 'not_offered':
          return t('registry.not_offered', { tld: `.${name.slice(name.lastIndexOf('.') + 1)}` })
        case 'not_found':
          return t('registry.not_found', { name })
        case 'unreachable':
          return t('registry.unreachable', { why: fault(code ?? 'unavailable') })
        case 'found':
          return t('registry.not_published')
      }
    },
  }
}
