import { partsOfPerson } from '#shared/features/users/person-label.ts'
import classes from './person-name.module.css'

/**
 * A user as formatted by `personLabel`; `title` replaces the tooltip. In a small space the name is truncated or hidden, never the username,
 * because names can be imitated.
 */
export function PersonName({ label, title = label }: { label: string; title?: string }) {
  const { name, username } = partsOfPerson(label)
  return (
    <span className={`shrink within ${classes['person']}`} title={title}>
      {name === null ? null : (
        <span className={classes['name']}>
          <bdi>{name}</bdi>
          <span className="secondary"> · </span>
        </span>
      )}
      <bdi className={name === null ? classes['username'] : `${classes['username']} secondary`}>{username}</bdi>
    </span>
  )
}
