import { Button, Checkbox } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BulkDialog, ChangeList, CodeWords } from '#client/features/operations/index.ts'
import { ProfileValues } from '#client/features/profiles/index.ts'
import { useLock } from '#client/features/sharing/index.ts'
import type { DomainDetails } from '#shared/features/domains/schema.ts'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc, utils, type Outputs } from '#client/lib/trpc.ts'
import { lateDialog } from '#client/ui/overlay/layer.tsx'
import { ConfirmDialog } from '#client/ui/overlay/confirm-dialog.tsx'
import { ErrorBoundary } from '#client/ui/feedback/error-boundary.tsx'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import { Section } from './section.tsx'
import classes from './profile-section.module.css'

const AdoptDialog = lateDialog(async () => (await import('./adopt-dialog.tsx')).AdoptDialog)

type Difference = NonNullable<Outputs['profiles']['ofDomain']['difference']>

/** The profile of a domain, and the drift from it. */
export function ProfileSection({ zone: { id, name, displayName, gone, ownerId } }: { zone: DomainDetails }) {
  const { t } = useTranslation('zone')
  const given = trpc.profiles.ofDomain.useQuery({ id }, { staleTime: 0 })
  const [dialog, setDialog] = useState<'restore' | 'choose' | 'forget' | 'remove' | 'values' | 'adopt' | null>(null)
  useLiveQueries('profile')
  const profiles = trpc.profiles.list.useQuery().data?.profiles ?? []
  const withVariables = profiles.some((each) => each.ownerId === ownerId && each.variables.length > 0)
  const { profile = null, difference = null, problem = null, fullPhases = [] } = given.data ?? {}
  const close = (): void => setDialog(null)
  const locked = useLock()('operate')
  const unmanaged = useLock()('manage')
  const off = { disabled: locked !== null, title: locked ?? undefined }
  const differs = difference !== null && difference.settings.length + difference.records.length + difference.rules.length > 0
  // Records are not taken into a profile.
  const isAdoptable =
    profiles.some((each) => each.id === profile?.id) &&
    difference !== null &&
    difference.areRulesRead &&
    difference.settings.length + difference.rules.length > 0
  const isUnread = difference?.areRulesRead === false

  return (
    <Section
      title={t('profile.title')}
      note={
        profile === null ? undefined : (
          <>
            {t('profile.applied')} <RelativeTime at={profile.appliedAt} />
          </>
        )
      }
    >
      {given.isPending ? (
        <Skeleton width="60%" height={gone ? 18 : 60} />
      ) : given.data === undefined ? (
        <p className="muted">{t('profile.failed')}</p>
      ) : profile === null ? (
        <p className="muted">{t('profile.none')}</p>
      ) : (
        <>
          <bdi className="medium anywhere">{profile.name}</bdi>
          {profile.version === null || profile.version === profile.currentVersion ? null : (
            <p className="size-13 secondary">
              {t('profile.version', { version: formatNumber(profile.version), current: formatNumber(profile.currentVersion) })}
            </p>
          )}
          {difference === null ? (
            <div>
              <StateBadge quiet tone="idle" label={t('profile.incomparable')} />
              {problem === null ? null : (
                <Suspense fallback={<Skeleton width="70%" />}>
                  <p className="size-13 secondary pretty">
                    <CodeWords code={problem} fullPhases={fullPhases} />
                  </p>
                </Suspense>
              )}
            </div>
          ) : differs ? (
            <DifferenceList domain={name} difference={difference} />
          ) : isUnread ? null : (
            <StateBadge quiet tone="good" label={t('profile.same')} />
          )}
          {isUnread ? (
            <p className="size-13 secondary">
              {t('profile.rules_unread')}{' '}
              <Link to="/domains/$id/rules" params={{ id }} className="underlined hover-current primary">
                {t('profile.read_rules')}
              </Link>
            </p>
          ) : null}
        </>
      )}
      {given.data === undefined || gone ? null : (
        <div className={`flex wrap gap-8 ${classes['actions']}`}>
          {differs || isUnread ? (
            <Button size="xs" {...off} onClick={() => setDialog('restore')}>
              {t('profile.restore')}
            </Button>
          ) : null}
          {isAdoptable ? (
            <Button
              size="xs"
              variant="default"
              disabled={unmanaged !== null}
              title={unmanaged ?? t('profile.adopt_hint')}
              onClick={() => setDialog('adopt')}
            >
              {t('profile.adopt')}
            </Button>
          ) : null}
          <Button size="xs" variant="default" {...off} onClick={() => setDialog('choose')}>
            {t(profile === null ? 'profile.choose' : 'profile.other')}
          </Button>
          {withVariables ? (
            <Button size="xs" variant="subtle" color="gray" {...off} onClick={() => setDialog('values')}>
              {t('profile.values')}
            </Button>
          ) : null}
          {profile === null ? null : (
            <Button size="xs" variant="subtle" color="gray" {...off} onClick={() => setDialog('forget')}>
              {t('profile.forget')}
            </Button>
          )}
        </div>
      )}
      {dialog === 'restore' || dialog === 'choose' || dialog === 'remove' ? (
        <ErrorBoundary onFail={close}>
          <Suspense>
            <BulkDialog
              kind="profile"
              count={1}
              {...(dialog !== 'choose' && {
                given: { kind: 'profile', input: { profileId: dialog === 'remove' ? null : (profile?.id ?? null) } } as const,
              })}
              targetOf={() => Promise.resolve({ ids: [id] })}
              onStarted={close}
              onClose={close}
            />
          </Suspense>
        </ErrorBoundary>
      ) : null}
      {dialog === 'adopt' && profile !== null ? <AdoptDialog domain={{ id, name, displayName }} profile={profile} onClose={close} /> : null}
      {dialog === 'values' ? (
        <ErrorBoundary onFail={close}>
          <Suspense>
            <ProfileValues target={{ kind: 'domain', id, name: displayName }} ownerId={ownerId} profileId={profile?.id} onClose={close} />
          </Suspense>
        </ErrorBoundary>
      ) : null}
      {dialog === 'forget' && profile !== null ? (
        <ForgetDialog
          domain={{ id, displayName }}
          profile={profile}
          difference={difference}
          onRemoveRules={() => setDialog('remove')}
          onClose={() => setDialog((now) => (now === 'forget' ? null : now))}
        />
      ) : null}
    </Section>
  )
}

/** Detaches the domain; rules of the profile stay or are removed after a preview. */
function ForgetDialog({
  domain: { id, displayName },
  profile,
  difference,
  onRemoveRules,
  onClose,
}: {
  domain: { id: string; displayName: string }
  profile: { id: string; name: string }
  difference: Difference | null
  onRemoveRules: () => void
  onClose: () => void
}) {
  const { t } = useTranslation('zone')
  const forget = trpc.profiles.forget.useMutation({ meta: { failure: t('failed.forget_profile') } })
  const profiles = trpc.profiles.list.useQuery().data?.profiles
  const [removes, setRemoves] = useState(false)
  const hasRules =
    profiles?.some((each) => each.id === profile.id && each.rules.length > 0) === true ||
    difference?.rules.some(({ before }) => before !== null) === true
  return (
    <ConfirmDialog
      title={t('profile.forget_title', { domain: displayName })}
      consequence={
        <div className="column gap-12">
          <p>{t('profile.forget_text', { profile: profile.name })}</p>
          {hasRules ? (
            <Checkbox
              size="sm"
              label={t('profile.remove_rules')}
              description={t('profile.remove_rules_help')}
              checked={removes}
              onChange={(event) => setRemoves(event.currentTarget.checked)}
            />
          ) : null}
        </div>
      }
      action={t(removes ? 'profile.preview' : 'profile.forget')}
      count={1}
      harmless={removes}
      onConfirm={async () => {
        if (removes) return onRemoveRules()
        await forget.mutateAsync({ id })
        await utils.profiles.invalidate()
        toast.success(t('profile.forgotten'), displayName)
      }}
      onClose={onClose}
    />
  )
}

function DifferenceList({ domain, difference: { settings, records, rules } }: { domain: string; difference: Difference }) {
  const { t } = useTranslation('zone')
  const count = settings.length + records.length + rules.length
  const side = (which: 'before' | 'after') => ({
    settings: Object.fromEntries(settings.map((each) => [each.key, each[which]])),
    records: records.flatMap((each) => each[which] ?? []),
    rules: rules.map((each) => each[which]),
  })
  return (
    <>
      <StateBadge quiet tone="warn" label={t('profile.differs', counted(count))} />
      <Suspense fallback={<Skeleton width="70%" />}>
        <ChangeList domain={domain} before={side('before')} after={side('after')} />
      </Suspense>
    </>
  )
}
