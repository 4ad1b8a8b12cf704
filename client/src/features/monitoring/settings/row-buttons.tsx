import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface RowAct {
  /** What it does to which row: the button's word alone does not tell. */
  label: string
  onPress: () => void
}

/** To change a row of the settings, and to delete it. */
export function RowButtons({ edit, remove }: { edit: RowAct; remove: RowAct }) {
  const { t } = useTranslation('monitoring')
  return (
    <>
      <Button variant="subtle" size="xs" color="gray" onClick={edit.onPress} aria-label={edit.label}>
        {t('edit')}
      </Button>
      <Button variant="subtle" size="xs" color="red" onClick={remove.onPress} aria-label={remove.label}>
        {t('delete')}
      </Button>
    </>
  )
}
