import { useTranslation } from 'react-i18next'
import type { Entry } from './queries.ts'
import { fieldChanges, kindOf, type FieldChange } from './field-changes.ts'
import { textDiff } from './text-diff.ts'
import { useChangeWords, type ChangeWords } from './use-change-words.ts'
import classes from './change-diff.module.css'

type Change = Pick<Entry, 'subject' | 'key' | 'label' | 'before' | 'after'>

/** A change field by field: before and after. */
export function ChangeDiff({ change }: { change: Change }) {
  const { t } = useTranslation('history')
  const words = useChangeWords()
  const kind = kindOf(change)
  const fields = fieldChanges(change)
  if (fields.length === 0) return null
  if (kind !== 'changed') {
    return (
      <p className={`flex wrap shrink secondary anywhere gap-2-12 ${classes['whole']}`}>
        {fields.map(({ field, before, after }) => (
          <span key={field} className={words.isCode(field) ? 'mono' : undefined}>
            {field === 'proxied'
              ? t('proxied')
              : [words.isCode(field) ? null : words.field(field), words.value(change, field, kind === 'created' ? after : before)]
                  .filter((word) => word !== null)
                  .join(' ')}
          </span>
        ))}
      </p>
    )
  }
  return (
    <ul className={`column gap-2 ${classes['fields']}`}>
      {fields.map((field) => (
        <li key={field.field}>
          {words.field(field.field) === null ? null : <span className="muted">{words.field(field.field)}</span>}
          <Sides change={change} field={field} words={words} />
        </li>
      ))}
    </ul>
  )
}

function Sides({ change, field: { field, before, after }, words }: { change: Change; field: FieldChange; words: ChangeWords }) {
  const { t } = useTranslation('history')
  const [was, is] = [words.value(change, field, before), words.value(change, field, after)]
  const code = words.isCode(field) ? 'mono' : ''
  const diff = textDiff(was, is)
  if (diff !== null) {
    return (
      <span className={`${classes['text']} ${code}`}>
        {diff.map(({ kind, text }, index) =>
          kind === 'same' ? (
            text
          ) : kind === 'before' ? (
            <del className="primary on-bad" key={index}>
              <span className="sr-only">{t('was')} </span>
              {text}
            </del>
          ) : (
            <ins key={index}>
              <span className="sr-only">{t('became')} </span>
              {text}
            </ins>
          ),
        )}
      </span>
    )
  }
  return (
    <span className={classes['sides']}>
      <del className={code}>
        <span className="sr-only">{t('was')} </span>
        {was}
      </del>
      <span aria-hidden className="muted">
        →
      </span>
      <ins className={code}>
        <span className="sr-only">{t('became')} </span>
        {is}
      </ins>
    </span>
  )
}
