import { Button } from '@mantine/core'
import { IconBellOff, IconHandStop } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { counted, formatDuration } from '#client/lib/format.ts'
import { readAgain } from '#client/lib/live-queries.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc, type Inputs } from '#client/lib/trpc.ts'
import { MenuButton } from '#client/ui/overlay/popup-button.tsx'
import { muteSpans } from './mutations.ts'

const icon = { size: 15, stroke: 1.8, 'aria-hidden': true } as const

type Target = Inputs['alerts']['acknowledgeMany']

/** Acknowledges several incidents, or all open ones of a cause, or mutes their domains. */
export function IncidentActions({
  target,
  muted,
  name,
  onDone,
}: {
  target: Target
  /** Those of them with domains to mute; null: none. */
  muted: Target | null
  /** The target, for screen readers, if the page has several. */
  name?: string
  onDone?: () => void
}) {
  const { t } = useTranslation('monitoring')
  const done = (key: 'done.acknowledged_many' | 'done.muted', count: number): void => {
    void readAgain('monitoring')
    toast.success(t(key, counted(count)))
    onDone?.()
  }
  const meta = { failure: t('failed.act') }
  const acknowledge = trpc.alerts.acknowledgeMany.useMutation({
    meta,
    onSuccess: ({ incidents }) => done('done.acknowledged_many', incidents),
  })
  const mute = trpc.alerts.muteMany.useMutation({ meta, onSuccess: ({ domains }) => done('done.muted', domains) })
  const labelOf = (label: string) => (name === undefined ? {} : { 'aria-label': `${label}: ${name}` })
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconHandStop {...icon} />}
        loading={acknowledge.isPending}
        onClick={() => acknowledge.mutate(target)}
        {...labelOf(t('incidents.acknowledge'))}
      >
        {t('incidents.acknowledge')}
      </Button>
      {muted === null ? null : (
        <MenuButton
          position="bottom-end"
          button={
            <Button
              variant="default"
              size="xs"
              leftSection={<IconBellOff {...icon} />}
              loading={mute.isPending}
              {...labelOf(t('incidents.mute_many'))}
            >
              {t('incidents.mute_many')}
            </Button>
          }
        >
          {(Menu) =>
            muteSpans.map((minutes) => (
              <Menu.Item key={minutes} onClick={() => mute.mutate({ ...muted, minutes })}>
                {formatDuration(minutes * 60, true)}
              </Menu.Item>
            ))
          }
        </MenuButton>
      )}
    </>
  )
}
