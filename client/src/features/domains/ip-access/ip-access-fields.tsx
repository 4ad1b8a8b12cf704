import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ipAccessModes, type IpAccessMode } from '#shared/features/domains/ip-access/values.ts'
import { issueText } from '#client/lib/errors.ts'
import { formatNumber } from '#client/lib/format.ts'
import { expiryChoices, mostIpAccessValues, type IpAccessDraft, type ReadIpAccess } from './ip-access-draft.ts'
import classes from './ip-access.module.css'

const longestNote = 500
const shownErrors = 20

/** The values as pasted text, with the errors of its lines once it was submitted. */
export function IpAccessValuesField({
  text,
  read,
  isChecked,
  onChange,
}: {
  text: string
  read: ReadIpAccess
  isChecked: boolean
  onChange: (text: string) => void
}) {
  const { t } = useTranslation(['ip-access', 'validation'])
  const { lineErrors, values } = read
  const error =
    values.length === 0 && lineErrors.length === 0
      ? t('validation:required')
      : values.length > mostIpAccessValues
        ? t('too_many', { most: formatNumber(mostIpAccessValues) })
        : lineErrors.length > 0
          ? t('wrong')
          : undefined
  return (
    <div className="column gap-8">
      <Textarea
        label={t('values')}
        description={t('values_hint')}
        placeholder={'203.0.113.7\n198.51.100.0/24\nAS64500'}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={isChecked ? error : undefined}
        autosize
        minRows={4}
        maxRows={12}
        required
        autoComplete="off"
        spellCheck={false}
        classNames={{ input: 'mono' }}
        data-autofocus
      />
      {isChecked && lineErrors.length > 0 ? (
        <ul className={`size-12 bad ${classes['errors']}`} aria-label={t('wrong')}>
          {lineErrors.slice(0, shownErrors).map(({ line, text: word, issue }) => (
            <li key={`${line} ${word}`} className="anywhere">
              {t('line', { line: formatNumber(line), text: word, issue: issueText({ path: '', message: issue }) })}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

/** What happens to the visitors, the note, and how long. */
export function IpAccessFields({
  draft,
  onChange,
  keptExpiry,
}: {
  draft: IpAccessDraft
  onChange: (part: Partial<IpAccessDraft>) => void
  /** The present expiry of an edited rule, which may be kept. */
  keptExpiry?: string | undefined
}) {
  const { t } = useTranslation('ip-access')
  return (
    <>
      <IpAccessModeField value={draft.mode} onChange={(mode) => onChange({ mode })} />
      {draft.mode === 'whitelist' ? <p className="size-12 warn pretty">{t('allow_hint')}</p> : null}
      <TextInput
        label={t('note')}
        value={draft.note}
        maxLength={longestNote}
        autoComplete="off"
        onChange={(event) => onChange({ note: event.currentTarget.value })}
      />
      <NativeSelect
        label={t('expiry')}
        description={t('expiry_hint')}
        value={draft.expiry}
        data={[
          ...(keptExpiry === undefined ? [] : [{ value: 'keep', label: keptExpiry }]),
          ...expiryChoices.map((choice) => ({ value: choice, label: t(`expiries.${choice}`) })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ expiry: value === 'keep' ? 'keep' : (expiryChoices.find((choice) => choice === value) ?? 'never') })
        }
      />
    </>
  )
}

function IpAccessModeField({ value, onChange }: { value: IpAccessMode; onChange: (mode: IpAccessMode) => void }) {
  const { t } = useTranslation('ip-access')
  return (
    <NativeSelect
      label={t('mode')}
      value={value}
      data={ipAccessModes.map((mode) => ({ value: mode, label: t(`modes.${mode}`) }))}
      onChange={(event) => onChange(ipAccessModes.find((mode) => mode === event.currentTarget.value) ?? 'block')}
    />
  )
}
