import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Notification } from '#shared/features/notifications/schema.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { WithIncidentWords } from '#client/features/monitoring/index.ts'
import { WithOperationWords } from '#client/features/operations/index.ts'
import type { Tone } from '#client/ui/display/state-badge.tsx'

export type WordsOf = (notification: Notification) => { tone: Tone; title: string; text: string }

/** The texts of notifications. Those of other features are loaded with it: the bell is on every page. */
export function NotificationWords({ children }: { children: (words: WordsOf) => ReactNode }) {
  const { t } = useTranslation(['notifications', 'common'])
  return (
    <WithIncidentWords>
      {(incidents) => (
        <WithOperationWords>
          {(operations) =>
            children((notification) => {
              if (notification.kind === 'operation') {
                const { operation, state, done, failed } = notification
                const parts = [
                  t(`operation.${state}`),
                  t('operation.items', { formatted: formatNumber(done) }),
                  ...(failed === 0 ? [] : [t('operation.failed', { formatted: formatNumber(failed) })]),
                ]
                const tone = failed > 0 ? 'bad' : state === 'done' ? 'good' : 'idle'
                return { tone, title: operations.kind(operation), text: parts.join(' · ') }
              }
              const { health, endedAt, count, names, cause, causeName, reasons } = notification
              const tone = endedAt !== null ? 'good' : health === 'critical' ? 'bad' : 'warn'
              if (count === 1) return { tone, title: names[0] ?? '', text: incidents.one({ cause, reasons }) }
              const more = count - names.length
              return {
                tone,
                title: t('incident.many', { cause: incidents.cause(cause, causeName), ...counted(count) }),
                text: [...names, ...(more > 0 ? [t('common:and_more', counted(more))] : [])].join(', '),
              }
            })
          }
        </WithOperationWords>
      )}
    </WithIncidentWords>
  )
}
