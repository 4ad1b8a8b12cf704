import { messageOf, providerWords } from '#client/lib/errors.ts'
import classes from './accounts.module.css'

/** Why the account was not taken: our words, then the provider's own. */
export function AccountProblem({ title, error }: { title: string; error: unknown }) {
  return (
    <div className={classes['problem']} role="alert">
      <strong>{title}</strong>
      <p>{[messageOf(error), providerWords(error)].filter((words) => words !== undefined).join('\n')}</p>
    </div>
  )
}
