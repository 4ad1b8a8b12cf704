import { Button } from '@mantine/core'
import { IconPlayerStop } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Operation } from '#shared/features/operations/schema.ts'
import { formatNumber } from '#client/lib/format.ts'
import { ConfirmDialog } from '#client/ui/overlay/confirm-dialog.tsx'
import { itemTexts } from './item-texts.ts'
import { useControls } from './mutations.ts'
import { finishedItems } from './operation-progress.ts'

export function CancelButton({ operation, small = false }: { operation: Operation; small?: boolean }) {
  const { t } = useTranslation('operations')
  const [asking, setAsking] = useState(false)
  const { cancel } = useControls()
  return (
    <>
      <Button
        variant="default"
        {...(small && { size: 'xs' })}
        disabled={cancel.isPending}
        leftSection={<IconPlayerStop size={15} stroke={1.8} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        {t('page.cancel')}
      </Button>
      {asking ? (
        <ConfirmDialog
          title={t('page.cancel_title')}
          action={t('page.cancel')}
          count={0}
          consequence={t(itemTexts(operation).cancel, { formatted: formatNumber(operation.total - finishedItems(operation)) })}
          onConfirm={async () => {
            await cancel.mutateAsync({ id: operation.id })
          }}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}
