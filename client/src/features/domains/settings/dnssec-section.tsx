import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BulkDialog } from '#client/features/operations/index.ts'
import { useLock } from '#client/features/sharing/index.ts'
import { dnssecStatuses } from '#shared/features/domains/settings/choices.ts'
import type { DnssecState } from '#shared/features/domains/schema.ts'
import type { DsTruth } from '#shared/features/domains/settings/schema.ts'
import { trpc } from '#client/lib/trpc.ts'
import { CopyText } from '#client/ui/display/copy-button.tsx'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { StateBadge, type Tone } from '#client/ui/display/state-badge.tsx'
import { ErrorBoundary } from '#client/ui/feedback/error-boundary.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { Switch } from '#client/ui/form/switch.tsx'
import { dnssecTone } from '../use-domain-words.ts'
import { DsAtRegistrar } from './ds-at-registrar.tsx'
import { SettingRow } from './setting-row.tsx'
import { useRow } from './use-row.ts'
import type { ZoneSettings } from './queries.ts'
import classes from './security-tab.module.css'

/** The switch at Cloudflare, and the DS record that makes it work at the registrar. */
export function DnssecSection({ zone }: { zone: ZoneSettings }) {
  const { t } = useTranslation('security')
  const { value, disabled, row, change } = useRow(zone, 'dnssec', {
    name: t('dnssec.name'),
    failure: t('dnssec.failed'),
    wordsOf: (on) => t(on ? 'on' : 'off'),
  })
  const state = zone.settings.dnssecState
  const status = dnssecStatuses.find((each) => each === state?.status)
  return (
    <section className={classes['section']} aria-labelledby="security-dnssec">
      <h2 id="security-dnssec" className={classes['title']}>
        {t('dnssec.title')}
      </h2>
      <SettingRow {...row} help={t('dnssec.help')} place="switch">
        {(ids) => <Switch {...ids} on={value === true} disabled={disabled} onChange={change} />}
      </SettingRow>
      {state === null || status === undefined || status === 'disabled' ? null : (
        <div className="column gap-10 divided p-14-16">
          <div className="row gap-10 wrap">
            <StateBadge tone={dnssecTone[status]} label={t(`dnssec.statuses.${status}.name`)} />
            <span className="size-12 secondary">{t(`dnssec.statuses.${status}.help`)}</span>
          </div>
          {state.ds === null ? null : <DsRecord state={state} ds={state.ds} />}
          <DsAtRegistrar domainId={zone.domainId} enabled={value === true} />
          {value === true ? <TurnOffInOrder domainId={zone.domainId} /> : null}
          <PublicDs key={status} domainId={zone.domainId} />
        </div>
      )}
    </section>
  )
}

/** The switch turns it off immediately; this first removes the DS record and waits until no resolver has it. */
function TurnOffInOrder({ domainId }: { domainId: string }) {
  const { t } = useTranslation('security')
  const locked = useLock()('operate')
  const [asking, setAsking] = useState(false)
  const close = () => setAsking(false)
  return (
    <div className="row gap-10 wrap">
      <Button variant="default" size="xs" disabled={locked !== null} title={locked ?? undefined} onClick={() => setAsking(true)}>
        {t('dnssec.turn_off')}
      </Button>
      <span className="size-12 secondary">{t('dnssec.turn_off_help')}</span>
      {asking ? (
        <ErrorBoundary onFail={close}>
          <Suspense>
            <BulkDialog
              kind="dnssec"
              count={1}
              given={{ kind: 'dnssec', input: { enabled: false } }}
              targetOf={() => Promise.resolve({ ids: [domainId] })}
              onStarted={close}
              onClose={close}
            />
          </Suspense>
        </ErrorBoundary>
      ) : null}
    </div>
  )
}

/** Registrars ask for the record as text or by its parts. */
function DsRecord({ state, ds }: { state: DnssecState; ds: string }) {
  const { t } = useTranslation('security')
  const parts = [
    ['key_tag', state.keyTag],
    ['algorithm', state.algorithm],
    ['digest_type', state.digestType],
    ['flags', state.flags],
    ['digest', state.digest],
    ['public_key', state.publicKey],
  ] as const
  return (
    <dl className={`size-13 ${classes['ds']}`}>
      <div data-wide>
        <dt className="size-12 muted">{t('dnssec.ds')}</dt>
        <dd>
          <CopyText text={ds} />
        </dd>
      </div>
      {parts.map(([part, value]) =>
        value === null ? null : (
          <div key={part} data-wide={part === 'digest' || part === 'public_key' || undefined}>
            <dt className="size-12 muted">{t(`dnssec.parts.${part}`)}</dt>
            <dd>
              <CopyText text={String(value)} />
            </dd>
          </div>
        ),
      )}
    </dl>
  )
}

const publicTones: Record<DsTruth['state'], Tone> = { published: 'good', different: 'bad', not_published: 'warn', unknown: 'idle' }

/** Whether the registry publishes the DS record, as seen in DNS. */
function PublicDs({ domainId }: { domainId: string }) {
  const { t } = useTranslation('security')
  const check = trpc.zoneSettings.ds.useQuery({ id: domainId }, { refetchOnMount: 'always', trpc: { context: { unbatched: true } } })
  const truth = check.data?.ds
  const state = truth?.state ?? (check.isError ? 'unknown' : undefined)
  return (
    <div className="column gap-6" role="group" aria-label={t('dnssec.public.title')} aria-live="polite">
      <div className="row gap-10 wrap">
        <span className="size-12 muted">{t('dnssec.public.title')}</span>
        {state === undefined ? (
          <Skeleton width={120} />
        ) : (
          <StateBadge tone={publicTones[state]} label={t(`dnssec.public.states.${state}.name`)} />
        )}
        {truth === undefined ? null : (
          <span className="size-12 muted">
            <RelativeTime at={truth.checkedAt} />
          </span>
        )}
        <Button variant="default" size="compact-xs" loading={check.isFetching} onClick={() => void check.refetch()}>
          {t('dnssec.public.check')}
        </Button>
      </div>
      {state === undefined ? null : <span className="size-12 secondary">{t(`dnssec.public.states.${state}.help`)}</span>}
      {state !== 'different' ? null : (
        <ul className="column gap-4 size-12">
          {truth?.published?.map((each) => (
            <li key={JSON.stringify(each)} className="mono anywhere">
              {`${each.keyTag} ${each.algorithm} ${each.digestType} ${each.digest}`}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
