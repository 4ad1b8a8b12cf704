import { useTranslation } from 'react-i18next'
import { formatShare } from '#client/lib/format.ts'
import { Chart } from '#client/ui/chart/chart.tsx'
import classes from './monitoring.module.css'

const most = 90

/** Height and color. */
function lookOf(beat: number | undefined): readonly [number, string] {
  if (beat === undefined) return [4, 'var(--line-strong)']
  if (beat === 0) return [8, 'var(--idle-mark)']
  if (beat === 3) return [24, 'var(--bad-mark)']
  return beat === 2 ? [20, 'var(--warn-mark)'] : [20, 'var(--good-mark)']
}

/** The latest checks, newest on the right: tall and green if good, short if inconclusive. */
export function CheckHistoryBar({ beats, label }: { beats: readonly number[]; label: string }) {
  const { t } = useTranslation('monitoring')
  const known = beats.filter((beat) => beat > 0)
  const good = known.filter((beat) => beat < 3).length
  const words =
    known.length === 0
      ? t('beats.none')
      : t('beats.words', { share: formatShare(good / known.length), count: known.length, failed: known.length - good })
  return (
    <Chart
      className={classes['beats'] ?? ''}
      look="fine"
      label={`${label}: ${words}`}
      title={words}
      columns={Array.from({ length: most }, (_, index) => {
        const [height, fill] = lookOf(beats[index - (most - beats.length)])
        return { key: index, bars: [{ y: (24 - height) / 2, height, fill }] }
      })}
      height={24}
    />
  )
}
