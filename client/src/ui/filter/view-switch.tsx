import { SegmentedControl } from '@mantine/core'
import { IconLayoutGrid, IconList } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

const views = [
  { view: 'list', symbol: IconList },
  { view: 'cards', symbol: IconLayoutGrid },
] as const

/** Rows or cards. */
export function ViewSwitch({ value, onChange }: { value: 'list' | 'cards'; onChange: (view: 'list' | 'cards') => void }) {
  const { t } = useTranslation()
  return (
    <SegmentedControl
      aria-label={t('view.label')}
      value={value}
      onChange={onChange}
      data={views.map(({ view, symbol: Symbol }) => ({
        value: view,
        label: (
          <span className="row center" style={{ height: 18 }} title={t(`view.${view}`)}>
            <Symbol size={15} stroke={1.7} aria-hidden />
            <span className="sr-only">{t(`view.${view}`)}</span>
          </span>
        ),
      }))}
    />
  )
}
