import { Button } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Operation } from '#shared/features/operations/schema.ts'
import { CancelButton } from './cancel-button.tsx'
import { useControls } from './mutations.ts'

/** The decisions after a canary. */
export function TrialButtons({ operation, small = false, children }: { operation: Operation; small?: boolean; children?: ReactNode }) {
  const { t } = useTranslation('operations')
  const { resume, busy } = useControls()
  return (
    <div className="flex wrap gap-8">
      <Button
        {...(small && { size: 'xs' })}
        disabled={busy}
        leftSection={<IconPlayerPlay size={15} stroke={1.8} aria-hidden />}
        onClick={() => resume.mutate({ id: operation.id })}
      >
        {t('trial.go_on')}
      </Button>
      {children}
      <CancelButton operation={operation} small={small} />
    </div>
  )
}
