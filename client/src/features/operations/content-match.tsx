import { SegmentedControl } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './operations.module.css'

export type Match = 'whole' | 'part'

/** Whether a record's content must equal or contain the text. */
export function ContentMatch({ value, onChange, partHelp }: { value: Match; onChange: (value: Match) => void; partHelp: string }) {
  const { t } = useTranslation('operations')
  return (
    <div className="column gap-6">
      <SegmentedControl
        fullWidth
        size="sm"
        aria-label={t('replace.match')}
        value={value}
        onChange={onChange}
        data={[
          { value: 'whole', label: t('replace.whole') },
          { value: 'part', label: t('replace.part') },
        ]}
      />
      <p className={`size-12 muted ${classes['quiet']}`}>{value === 'whole' ? t('replace.whole_help') : partHelp}</p>
    </div>
  )
}
