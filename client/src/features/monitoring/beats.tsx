import { useTranslation } from 'react-i18next'
import { formatShare } from '#client/lib/format.ts'
import classes from './monitoring.module.css'

const most = 90

/** The last checks, newest at the right: tall and green where good, short where nothing could be said. */
export function Beats({ beats, label }: { beats: readonly number[]; label: string }) {
  const { t } = useTranslation('monitoring')
  const told = beats.filter((beat) => beat > 0)
  const good = told.filter((beat) => beat < 3).length
  const words =
    told.length === 0
      ? t('beats.none')
      : t('beats.words', { share: formatShare(good / told.length), count: told.length, failed: told.length - good })
  return (
    <svg
      viewBox={`0 0 ${most * 4 - 1} 24`}
      preserveAspectRatio="none"
      className={classes['beats']}
      role="img"
      aria-label={`${label}: ${words}`}
    >
      <title>{words}</title>
      {Array.from({ length: most }, (_, index) => {
        const beat = beats[index - (most - beats.length)]
        const [height, kind] =
          beat === undefined
            ? [4, 'none']
            : beat === 0
              ? [8, 'silent']
              : beat === 3
                ? [24, 'bad']
                : beat === 2
                  ? [20, 'warn']
                  : [20, 'good']
        return <rect key={index} data-beat={kind} x={index * 4} y={(24 - height) / 2} width={3} height={height} rx={1} />
      })}
    </svg>
  )
}
