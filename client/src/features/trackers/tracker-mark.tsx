import type { TrackerKind } from '#shared/features/trackers/schema.ts'
import { trackerNames } from '#shared/features/trackers/names.ts'
import classes from './trackers.module.css'

/** The icon of a tracker product. */
export function TrackerMark({ kind }: { kind: TrackerKind }) {
  return (
    <span className={classes['mark']} title={trackerNames[kind]} aria-hidden>
      {trackerNames[kind].slice(0, 1)}
    </span>
  )
}

/** A name that may be truncated, in full in its title. */
export function CutName({ name, title = name, mono = false }: { name: string | undefined; title?: string | undefined; mono?: boolean }) {
  return (
    <bdi className={mono ? `cut shrink mono` : 'cut shrink'} title={title}>
      {name}
    </bdi>
  )
}
