import { Button, Checkbox } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile, IconTerminal2 } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Session } from '#shared/features/me/schema.ts'
import { formatDateTime, counted } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc, type Outputs } from '#client/lib/trpc.ts'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { FormSection } from '#client/ui/form/form-section.tsx'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { ConfirmDialog } from '#client/ui/overlay/confirm-dialog.tsx'
import forms from '#client/ui/form/form.module.css'
import rows from '#client/ui/table/row-list.module.css'
import tags from '#client/ui/display/tag.module.css'
import { describeDevice } from './describe-device.ts'

const icons = { computer: IconDeviceDesktop, phone: IconDeviceMobile, program: IconTerminal2 }

/** The user's sessions, each of which can be ended. */
export function SessionsSection() {
  const { t } = useTranslation('me')
  const utils = trpc.useUtils()
  const list = trpc.me.sessions.useQuery(undefined, { staleTime: 0 })
  const end = trpc.me.endSession.useMutation({ meta: { failure: t('sessions.failed') } })
  const tokens = trpc.apiTokens.list.useQuery({})
  const [asking, setAsking] = useState(false)
  const sessions = list.data?.sessions
  const others = sessions?.filter(({ current }) => !current).length ?? 0
  const again = (): void => void utils.me.sessions.invalidate()

  return (
    <FormSection title={t('sessions.title')} text={t('sessions.text')}>
      {list.isError && sessions === undefined ? (
        <ErrorState title={t('sessions.failed_load')} error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <ul className="card" aria-busy={list.isPending || undefined} aria-label={t('sessions.title')}>
          {sessions === undefined ? (
            <li className={`divided ${rows['row']}`}>
              <Skeleton width="50%" />
            </li>
          ) : (
            sessions.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                ending={end.isPending && end.variables.id === session.id}
                onEnd={(device) =>
                  end.mutate(
                    { id: session.id },
                    {
                      onSuccess: () => toast.success(t('sessions.ended'), device),
                      // A session that was already ended elsewhere is removed from the list as well.
                      onSettled: again,
                    },
                  )
                }
              />
            ))
          )}
        </ul>
      )}
      {others === 0 ? null : (
        <div className={forms['actions']}>
          <Button variant="default" onClick={() => setAsking(true)}>
            {t('sessions.end_others')}
          </Button>
        </div>
      )}
      {asking ? <EndOthersDialog others={others} tokens={tokens.data?.tokens.length ?? 0} onClose={() => setAsking(false)} /> : null}
    </FormSection>
  )
}

function SessionRow({ session, ending, onEnd }: { session: Session; ending: boolean; onEnd: (device: string) => void }) {
  const { t } = useTranslation('me')
  const { kind, name, system } = describeDevice(session.userAgent)
  const Icon = icons[kind]
  const device = [name, system].filter((word) => word !== undefined).join(', ') || t('sessions.unknown')
  return (
    <li className={`divided ${rows['row']}`} title={session.userAgent ?? undefined}>
      <Icon size={20} stroke={1.6} aria-hidden />
      <div className={rows['words']}>
        <span className={rows['name']}>
          <bdi>{device}</bdi>
          {session.current ? (
            <span className={tags['tag']} data-tone="good">
              {t('sessions.here')}
            </span>
          ) : null}
        </span>
        <span className={`muted pretty ${rows['about']}`}>
          {session.address === null ? null : (
            <>
              <span className="mono">{session.address}</span>
              {' · '}
            </>
          )}
          {t('sessions.used')} <RelativeTime at={session.lastUsedAt} />
          {' · '}
          {t('sessions.since', { when: formatDateTime(session.createdAt) })}
          {' · '}
          {t(`sessions.by.${session.verifiedBy}`)}
        </span>
      </div>
      {session.current ? null : (
        <Button
          variant="default"
          size="xs"
          loading={ending}
          aria-label={t('sessions.end_one', { device: session.address === null ? device : `${device}, ${session.address}` })}
          onClick={() => onEnd(device)}
        >
          {t('sessions.end')}
        </Button>
      )}
    </li>
  )
}

/** Ends every other session, and other access if selected. */
function EndOthersDialog({ others, tokens, onClose }: { others: number; tokens: number; onClose: () => void }) {
  const { t } = useTranslation('me')
  const ended = useEndedAccess()
  const [revokeTokens, setRevokeTokens] = useState(false)
  const endOthers = trpc.me.endOtherSessions.useMutation({ meta: { failure: t('sessions.failed') } })
  return (
    <ConfirmDialog
      title={t('sessions.others_title')}
      consequence={
        <div className="column gap-16">
          <p>{t('sessions.others_text', counted(others))}</p>
          {tokens === 0 ? null : (
            <Checkbox
              label={t('revoke_tokens', counted(tokens))}
              description={t('revoke_tokens_help')}
              checked={revokeTokens}
              onChange={(event) => setRevokeTokens(event.currentTarget.checked)}
            />
          )}
        </div>
      }
      action={t('sessions.others_confirm')}
      count={1}
      onConfirm={async () => {
        const answer = await endOthers.mutateAsync({ revokeTokens })
        toast.success(t('sessions.others_ended', counted(answer.ended)), ended(answer))
      }}
      onClose={onClose}
    />
  )
}

/** Describes what was revoked besides sessions, and refetches the lists concerned. */
export function useEndedAccess() {
  const { t } = useTranslation('me')
  const utils = trpc.useUtils()
  return ({ feedEnded, tokensRevoked }: Pick<Outputs['me']['endOtherSessions'], 'feedEnded' | 'tokensRevoked'>): string => {
    void utils.me.sessions.invalidate()
    if (tokensRevoked > 0) void utils.apiTokens.list.invalidate()
    if (feedEnded) void utils.registrars.calendarFeed.invalidate()
    return [...(feedEnded ? [t('feed_ended')] : []), ...(tokensRevoked > 0 ? [t('tokens_revoked', counted(tokensRevoked))] : [])].join(' ')
  }
}
