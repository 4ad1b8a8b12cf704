import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BulkDialog, ChangeList } from '#client/features/operations/index.ts'
import { useLock } from '#client/features/sharing/index.ts'
import type { DomainDetails } from '#shared/features/domains/schema.ts'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import { counted } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc, utils, type Outputs } from '#client/lib/trpc.ts'
import { ConfirmDialog } from '#client/ui/overlay/confirm-dialog.tsx'
import { ErrorBoundary } from '#client/ui/feedback/error-boundary.tsx'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import { Section } from './section.tsx'
import classes from './profile-section.module.css'

type Difference = NonNullable<Outputs['profiles']['ofDomain']['difference']>

/** The profile of a domain, and the drift from it. */
export function ProfileSection({ zone: { id, name, displayName, gone } }: { zone: DomainDetails }) {
  const { t } = useTranslation('zone')
  const given = trpc.profiles.ofDomain.useQuery({ id }, { staleTime: 0 })
  const [dialog, setDialog] = useState<'restore' | 'choose' | 'forget' | null>(null)
  const forget = trpc.profiles.forget.useMutation({ meta: { failure: t('failed.forget_profile') } })
  useLiveQueries('profile')
  const { profile = null, difference = null } = given.data ?? {}
  const close = (): void => setDialog(null)
  const locked = useLock()('operate')
  const off = { disabled: locked !== null, title: locked ?? undefined }
  const differs = difference !== null && difference.settings.length + difference.records.length > 0

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
          {difference === null ? (
            <p className="muted">{t('profile.unread')}</p>
          ) : differs ? (
            <DifferenceList domain={name} difference={difference} />
          ) : (
            <StateBadge quiet tone="good" label={t('profile.same')} />
          )}
        </>
      )}
      {given.data === undefined || gone ? null : (
        <div className={`flex wrap gap-8 ${classes['actions']}`}>
          {differs ? (
            <Button size="xs" {...off} onClick={() => setDialog('restore')}>
              {t('profile.restore')}
            </Button>
          ) : null}
          <Button size="xs" variant="default" {...off} onClick={() => setDialog('choose')}>
            {t(profile === null ? 'profile.choose' : 'profile.other')}
          </Button>
          {profile === null ? null : (
            <Button size="xs" variant="subtle" color="gray" {...off} onClick={() => setDialog('forget')}>
              {t('profile.forget')}
            </Button>
          )}
        </div>
      )}
      {dialog === 'restore' || dialog === 'choose' ? (
        <ErrorBoundary onFail={close}>
          <Suspense>
            <BulkDialog
              kind="profile"
              count={1}
              {...(dialog === 'restore' && profile !== null && { given: { kind: 'profile', input: { profileId: profile.id } } as const })}
              targetOf={() => Promise.resolve({ ids: [id] })}
              onStarted={close}
              onClose={close}
            />
          </Suspense>
        </ErrorBoundary>
      ) : null}
      {dialog === 'forget' && profile !== null ? (
        <ConfirmDialog
          title={t('profile.forget_title', { domain: displayName })}
          consequence={t('profile.forget_text', { profile: profile.name })}
          action={t('profile.forget')}
          count={1}
          onConfirm={async () => {
            await forget.mutateAsync({ id })
            await utils.profiles.invalidate()
            toast.success(t('profile.forgotten'), displayName)
          }}
          onClose={close}
        />
      ) : null}
    </Section>
  )
}

function DifferenceList({ domain, difference: { settings, records } }: { domain: string; difference: Difference }) {
  const { t } = useTranslation('zone')
  const count = settings.length + records.length
  const side = (which: 'before' | 'after') => ({
    settings: Object.fromEntries(settings.map((each) => [each.key, each[which]])),
    records: records.flatMap((each) => each[which] ?? []),
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
