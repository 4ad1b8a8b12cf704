import { partsOfPerson } from '#shared/features/users/person-label.ts'
import classes from './person-name.module.css'

/** Somebody as `personLabel` names them; `title` says it instead where there is more to say. Where there is little room the name is cut or left out, never the username: names can be anybody's. */
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
