import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BulkFormProps } from './bulk-form.ts'

/** Whether the tracker is told too (R-TRK-03). */
export function TrackerUnbindForm({ onSubmit, frame }: BulkFormProps) {
  const { t } = useTranslation('operations')
  const [archive, setArchive] = useState(true)
  return frame(
    <Checkbox
      size="sm"
      label={t('tracker.archive')}
      description={t('tracker.archive_help')}
      checked={archive}
      onChange={(event) => setArchive(event.currentTarget.checked)}
      data-autofocus
    />,
    () => onSubmit({ kind: 'tracker_unbind', input: { archive } }),
  )
}
